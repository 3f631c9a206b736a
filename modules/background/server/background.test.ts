import OpenAI from 'openai'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openStoredObjects, type StoredObjectStore } from '#server/features/stored-responses/stored-objects.ts'
import type { ChosenLane, DeadlineCalls, LaneStep } from '#server/gateway/deadlines/deadline-calls.ts'
import type { EndedJob } from '#server/jobs/job-ends.ts'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { message, messageStream, response } from '#server-test/support/gateway/dialects.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '#server-test/support/gateway/listener.ts'
import { json, openTestUpstream, stream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '#server-test/support/relay/ports.ts'
import { type Background, openBackground } from './background.ts'
import { openEventStore } from './events/event-store.ts'
import { openBackgroundStore } from './store.ts'

const hour = 3_600_000

const secrets = openSecrets({ cryptoSecret: 'background test', keyFile: '' })

describeEachEngine('responses in the background', (open) => {
  let database: Database
  let upstream: TestUpstream
  let gateway: TestGateway
  let background: Background
  let objects: StoredObjectStore
  let client: OpenAI
  let now = Date.now()
  /** True where the ledger has the charge of each call already. */
  let isCharged = false
  const errors: unknown[] = []
  const ends: EndedJob[] = []
  let step: LaneStep = { lane: 'standard', startAt: 0, latestAt: 0 }
  const chosen: ChosenLane[] = []
  const deadlines: DeadlineCalls = {
    deadlineOf: () => now + 6 * hour,
    assertStated() {},
    timed(call, _, lane) {
      if (lane !== undefined) chosen.push(lane)
      return call
    },
    next: () => step,
    batchEnded() {},
    askedAgainAt: (at) => at + 60_000,
  }

  beforeAll(async () => {
    database = await open()
  })

  const openNode = () => {
    const bus = openBus({ nodeName: 'a', log: silentLog })
    const clock = (): number => now
    const stored = openStoredObjects({ database, secrets, bus, clock, warn: (_, error) => errors.push(error) })
    const store = openBackgroundStore({ database, secrets, clock })
    const events = openEventStore({ database, secrets, clock })
    const failed = (error: unknown): void => void errors.push(error)
    const ended = async (end: EndedJob): Promise<void> => void ends.push(end)
    return {
      stored,
      made: openBackground({ store, events, storedObjects: stored, bus, ended, days: () => 30, clock, failed }),
    }
  }

  beforeEach(async () => {
    now = Date.now()
    errors.length = 0
    ends.length = 0
    chosen.length = 0
    isCharged = false
    await database.query.deleteFrom('background_answers').execute()
    await database.query.deleteFrom('stored_objects').execute()
    upstream = await openTestUpstream()
    upstream.answer = json(message)
    const node = openNode()
    objects = node.stored
    background = node.made
    gateway = await openTestGateway({
      relay: { channels: openTestChannels(testChannel({ type: 14, baseUrl: upstream.url })), storedObjects: objects },
      gateway: { background, deadlines, chargedAmong: async (ids) => new Set(isCharged ? ids : []) },
    })
    gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 8 } })
    client = new OpenAI({ apiKey: 'good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  })

  afterEach(async () => {
    gateway.parts.settings = testOptions
    await background.close()
    await gateway.close()
    await objects.close()
    await upstream.close()
    expect(errors).toEqual([])
  })

  const queue = () => client.responses.create({ model: 'claude-sonnet-4-5', input: 'Say hello.', background: true })
  const rows = () => database.query.selectFrom('background_answers').selectAll().execute()
  const charges = () => gateway.parts.recorder.records.filter(({ kind }) => kind === 'charge')

  it('are queued, made by an ordinary call, and read by their id', async () => {
    const { data: queued, request_id: requestId } = await queue().withResponse()
    expect(queued).toMatchObject({
      object: 'response',
      status: 'queued',
      background: true,
      output: [],
      model: 'claude-sonnet-4-5',
    })
    expect(charges()).toEqual([])
    expect(upstream.received).toEqual([])
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ id: queued.id, status: 'queued' })
    expect(await openBackgroundStore({ database, secrets, clock: () => now }).openJobs()).toEqual({
      states: new Map([['queued', 1]]),
      oldest: expect.any(Number),
    })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    const done = await client.responses.retrieve(queued.id)
    expect(done).toMatchObject({ id: queued.id, status: 'completed', background: true, created_at: queued.created_at })
    expect(done.output_text).not.toBe('')
    const maker = { userId: testUser.id, projectId: 0, memberId: 0 }
    expect(ends).toMatchObject([{ kind: 'response', id: queued.id, outcome: 'completed', maker }])
    expect(charges()).toMatchObject([{ id: requestId, tokenId: testToken.tokenId }])
    expect(await rows()).toEqual([])
  })

  it('are continued under their id, and not before they are over', async () => {
    const queued = await queue()
    const next = { model: 'claude-sonnet-4-5', input: 'And again.', previous_response_id: queued.id }
    await expect(client.responses.create(next)).rejects.toMatchObject({ status: 400 })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    upstream.received.length = 0
    expect(await client.responses.create(next)).toMatchObject({ status: 'completed' })
    expect(upstream.received.at(-1)?.body.toString()).toContain('Say hello.')
    await client.responses.delete(queued.id)
    await expect(client.responses.retrieve(queued.id)).rejects.toMatchObject({ status: 404 })
  })

  it('go on at the provider that stores them', async () => {
    gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel({ baseUrl: upstream.url }))
    upstream.answer = json({ ...response, id: 'resp_of_provider' })
    const queued = await client.responses.create({ model: 'gpt-4o', input: 'Say hello.', background: true })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ id: queued.id, status: 'completed' })
    await client.responses.create({ model: 'gpt-4o', input: 'And again.', previous_response_id: queued.id })
    const sent = JSON.parse(upstream.received.at(-1)?.body.toString() ?? '')
    expect(sent).toMatchObject({ input: 'And again.', previous_response_id: 'resp_of_provider' })
    upstream.answer = json({ id: 'resp_of_provider', object: 'response', deleted: true })
    await client.responses.delete(queued.id)
    expect(upstream.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/responses/resp_of_provider' })
  })

  it('are tried again where a busy provider refused them', async () => {
    upstream.answer = json({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529)
    const queued = await queue()
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'in_progress' })
    upstream.answer = json(message)
    now += 10_000
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'completed' })
    expect(charges()).toHaveLength(1)
  })

  it('count once in the rate limit: when they are queued', async () => {
    const rateLimit = { enabled: true, minutes: 5, count: 3, successCount: 1000 }
    gateway.parts.settings = { ...testOptions, rateLimit }
    const queued = [await queue(), await queue()]
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    expect(charges()).toHaveLength(2)
    gateway.parts.settings = testOptions
    for (const { id } of queued) expect(await client.responses.retrieve(id)).toMatchObject({ status: 'completed' })
    gateway.parts.settings = { ...testOptions, rateLimit }
    await queue()
    await expect(queue()).rejects.toMatchObject({ status: 429 })
  })

  it('wait for the moment that their deadline leaves them, and are made in its lane', async () => {
    background.useCalls(gateway.listener.ownCalls, deadlines)
    const arrivedAt = now
    step = { lane: 'standard', startAt: now + 2 * hour, latestAt: now + 5 * hour }
    const queued = await queue()
    await background.work()
    expect(upstream.received).toEqual([])
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'queued' })
    now += 2 * hour - 10_000
    await background.work()
    expect(upstream.received).toEqual([])
    now += 20_000
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'completed' })
    expect(chosen).toMatchObject([{ lane: 'standard', deadline: arrivedAt + 6 * hour }])
    expect(await rows()).toEqual([])
  })

  it('that wait for a later moment are cancelled at once, and their end is announced', async () => {
    background.useCalls(gateway.listener.ownCalls, deadlines)
    step = { lane: 'standard', startAt: now + 2 * hour, latestAt: now + 5 * hour }
    const queued = await queue()
    await background.work()
    await client.responses.cancel(queued.id)
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled' })
    expect(ends).toMatchObject([{ id: queued.id, outcome: 'cancelled' }])
    expect(await rows()).toEqual([])
    expect(charges()).toEqual([])
  })

  it('are tried again in the flex tier that refused them, and then at once until the deadline', async () => {
    background.useCalls(gateway.listener.ownCalls, deadlines)
    step = { lane: 'flex', startAt: now, latestAt: now + 5 * hour }
    const queued = await queue()
    upstream.answer = json({ error: { message: 'Resource unavailable' } }, 429)
    await background.work()
    expect(upstream.received).toHaveLength(1)
    now += 50_000
    await background.work()
    expect(upstream.received).toHaveLength(1)
    now += 20_000
    await background.work()
    expect(upstream.received).toHaveLength(2)
    // More often than a response without a deadline is tried.
    step = { lane: 'standard', startAt: 0, latestAt: now }
    for (let count = 0; count < 12; count += 1) {
      now += 130_000
      await background.work()
    }
    expect(upstream.received).toHaveLength(14)
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'in_progress' })
    upstream.answer = json(message)
    now += 10_000
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'completed' })
    expect(chosen.map(({ lane }) => lane)).toEqual([...Array(2).fill('flex'), ...Array(13).fill('standard')])
    expect(charges()).toHaveLength(1)
  })

  it('are cancelled while they are made, and cost what came', async () => {
    let leave = (): void => {}
    const begun = new Promise<void>((resolve) => {
      upstream.answer = ({ response: answer }) => {
        leave = () => answer.destroy()
        resolve()
      }
    })
    const queued = await queue()
    background.useCalls(gateway.listener.ownCalls)
    await begun
    expect(await client.responses.cancel(queued.id)).toMatchObject({ status: 'cancelled' })
    await background.work()
    leave()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled', output: [] })
    expect(ends.map(({ outcome }) => outcome)).toEqual(['cancelled'])
    expect(await rows()).toEqual([])
  })

  it('are for the key that made them alone', async () => {
    const queued = await queue()
    const other = new OpenAI({ apiKey: 'other', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    await expect(other.responses.retrieve(queued.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.cancel(queued.id)).rejects.toMatchObject({ status: 404 })
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'queued' })
  })

  it('are cancelled before they are made, and cost nothing', async () => {
    const queued = await queue()
    expect(await client.responses.cancel(queued.id)).toMatchObject({ id: queued.id, status: 'cancelled' })
    expect(await client.responses.cancel(queued.id)).toMatchObject({ status: 'cancelled' })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    expect(upstream.received).toEqual([])
    expect(gateway.parts.recorder.records).toEqual([])
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled' })
    expect(ends).toMatchObject([{ id: queued.id, outcome: 'cancelled' }])
    expect(await rows()).toEqual([])
  })

  it('end as cancelled where the process that was asked died before it wrote so', async () => {
    const queued = await queue()
    await database.query.updateTable('background_answers').set({ state: 'cancelled' }).execute()
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled' })
    expect(ends).toMatchObject([{ id: queued.id, outcome: 'cancelled' }])
    expect(upstream.received).toEqual([])
  })

  it('fail as the call would', async () => {
    const queued = await queue()
    gateway.tokens.set('good', { ...testToken, status: 2 })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    gateway.tokens.set('good', testToken)
    const failed = await client.responses.retrieve(queued.id)
    expect(failed).toMatchObject({ status: 'failed', output: [] })
    expect(failed.error?.message).not.toBe('')
    expect(ends).toMatchObject([{ id: queued.id, outcome: 'failed' }])
    expect(charges()).toEqual([])
  })

  it('that a process which died was paid for are not refused before their charge is known, and are made then', async () => {
    const queued = await queue()
    await database.query.updateTable('background_answers').set({ attempts: 1 }).execute()
    gateway.tokens.set('good', { ...testToken, status: 2 })
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    now += 60_000
    await background.work()
    const state = async () => (await objects.find({ userId: 7, tokenId: 3 }, 'response', queued.id))?.content.answer
    expect(await state()).toMatchObject({ status: 'in_progress' })
    isCharged = true
    now += 60_000
    await background.work()
    expect(await state()).toMatchObject({ status: 'completed' })
  })

  it('that a process which died was not paid for are refused at last', async () => {
    const queued = await queue()
    await database.query.updateTable('background_answers').set({ attempts: 1 }).execute()
    gateway.tokens.set('good', { ...testToken, status: 2 })
    background.useCalls(gateway.listener.ownCalls)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await background.work()
      now += 300_000
    }
    gateway.tokens.set('good', testToken)
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'failed', output: [] })
    expect(charges()).toEqual([])
  })

  it('are made by another process where the first one died', async () => {
    const queued = await queue()
    await background.close()
    const { stored, made } = openNode()
    made.useCalls(gateway.listener.ownCalls)
    await made.work()
    await stored.flush()
    expect(await stored.find({ userId: 7, tokenId: 3 }, 'response', queued.id)).toMatchObject({
      content: { answer: { status: 'completed', id: queued.id } },
    })
    expect(charges()).toHaveLength(1)
    await made.close()
    await stored.close()
  })

  const streamed = () =>
    client.responses.create({ model: 'claude-sonnet-4-5', input: 'Hi', background: true, stream: true })
  type Event = OpenAI.Responses.ResponseStreamEvent
  const read = async (events: AsyncIterable<Event>, most = Number.POSITIVE_INFINITY): Promise<Event[]> => {
    const list: Event[] = []
    for await (const event of events) {
      list.push(event)
      if (list.length >= most) break
    }
    return list
  }
  const textIn = (events: readonly Event[]): string =>
    events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
  const again = (id: string, after?: number) =>
    client.responses.retrieve(id, { stream: true, ...(after === undefined ? {} : { starting_after: after }) })

  it('come as a stream, which goes on after a client has left, from where it was', async () => {
    upstream.answer = stream(...messageStream)
    const [created, queued] = await read(await streamed(), 2)
    expect(created).toMatchObject({ type: 'response.created', sequence_number: 0, response: { status: 'queued' } })
    expect(queued).toMatchObject({ type: 'response.queued', sequence_number: 1 })
    const id = created?.type === 'response.created' ? created.response.id : ''
    background.useCalls(gateway.listener.ownCalls)
    const rest = await read(await again(id, 1))
    await background.work()
    const all = await read(await again(id))
    expect(all.map(({ sequence_number: number }) => number)).toEqual(all.map((_, at) => at))
    expect(all.slice(2)).toEqual(rest)
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { id, status: 'completed' } })
    const done = await client.responses.retrieve(id)
    expect(done).toMatchObject({ id, status: 'completed', background: true })
    expect(textIn(all)).toBe(done.output_text)
    expect(done.output_text).not.toBe('')
    for (const event of all) if ('response' in event) expect(event.response.id).toBe(id)
    const middle = Math.floor(all.length / 2)
    expect(await read(await again(id, middle))).toEqual(all.slice(middle + 1))
    expect(await read(await again(id, all.length))).toEqual([])
    expect(charges()).toHaveLength(1)
  })

  it('are streamed by another process while the first one makes them', async () => {
    let sendRest = (): void => {}
    upstream.answer = ({ response: answer }) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.write(messageStream.slice(0, 4).join(''))
      sendRest = () => void answer.end(messageStream.slice(4).join(''))
    }
    background.useCalls(gateway.listener.ownCalls)
    const events = await streamed()
    const [created] = await read(events, 1)
    const id = created?.type === 'response.created' ? created.response.id : ''
    const { stored, made } = openNode()
    const owner = { userId: testUser.id, tokenId: testToken.tokenId }
    const seen: unknown[] = []
    const watched = (async () => {
      for await (const event of made.events({ id, owner }, 1, new AbortController().signal)) seen.push(event?.type)
    })()
    await expect.poll(() => seen, { timeout: 30_000 }).toContain('response.output_text.delta')
    expect(seen).not.toContain('response.completed')
    sendRest()
    await watched
    expect(seen.at(-1)).toBe('response.completed')
    await background.work()
    await made.close()
    await stored.close()
  })

  it('end their streams when they fail and when they are cancelled', async () => {
    const first = await streamed()
    const iterator = first[Symbol.asyncIterator]()
    const created = await iterator.next()
    const id = created.value?.type === 'response.created' ? created.value.response.id : ''
    await client.responses.cancel(id)
    const types: string[] = []
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) types.push(next.value.type)
    expect(types).toEqual(['response.queued', 'response.cancelled'])
    gateway.tokens.set('good', { ...testToken, status: 2 })
    gateway.tokens.set('reads', testToken)
    client = new OpenAI({ apiKey: 'reads', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const second = await streamed()
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    const events = await read(second)
    expect(events.at(-1)?.type).toBe('response.failed')
  })

  it('are streamed again only where they were asked for as a stream, and from a number', async () => {
    const queued = await queue()
    await expect(again(queued.id)).rejects.toMatchObject({ status: 400 })
    const [created] = await read(await streamed(), 1)
    const id = created?.type === 'response.created' ? created.response.id : ''
    await expect(again(id, -3)).rejects.toMatchObject({ status: 400 })
    const other = new OpenAI({ apiKey: 'other', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    await expect(other.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 })
  })

  it('come at once where nothing is stored', async () => {
    const { storage } = testOptions
    gateway.parts.settings = { ...testOptions, storage: { ...storage, days: 0 } }
    expect(await queue()).toMatchObject({ status: 'completed' })
    upstream.answer = stream(...messageStream)
    expect((await read(await streamed())).at(-1)?.type).toBe('response.completed')
    expect(await rows()).toEqual([])
  })
})
