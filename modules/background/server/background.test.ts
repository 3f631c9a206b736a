import OpenAI from 'openai'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openStoredObjects, type StoredObjectStore } from '#server/features/stored-responses/stored-objects.ts'
import type { ChosenLane, DeadlineCalls, LaneStep } from '#server/gateway/deadlines/deadline-calls.ts'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { message, messageStream, response } from '#server-test/support/gateway/dialects.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '#server-test/support/gateway/listener.ts'
import { json, openTestUpstream, stream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '#server-test/support/relay/ports.ts'
import { type Background, openBackground } from './background.ts'
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
  const errors: unknown[] = []
  let step: LaneStep = { lane: 'standard', startAt: 0, latestAt: 0 }
  const chosen: ChosenLane[] = []
  const deadlines: DeadlineCalls = {
    deadlineOf: () => now + 6 * hour,
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
    const failed = (error: unknown): void => void errors.push(error)
    return { stored, made: openBackground({ store, storedObjects: stored, bus, days: () => 30, clock, failed }) }
  }

  beforeEach(async () => {
    now = Date.now()
    errors.length = 0
    chosen.length = 0
    await database.query.deleteFrom('background_answers').execute()
    await database.query.deleteFrom('stored_objects').execute()
    upstream = await openTestUpstream()
    upstream.answer = json(message)
    const node = openNode()
    objects = node.stored
    background = node.made
    gateway = await openTestGateway({
      relay: { channels: openTestChannels(testChannel({ type: 14, baseUrl: upstream.url })), storedObjects: objects },
      gateway: { background, deadlines },
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
    background.useCalls(gateway.listener.ownCalls)
    await background.work()
    const done = await client.responses.retrieve(queued.id)
    expect(done).toMatchObject({ id: queued.id, status: 'completed', background: true, created_at: queued.created_at })
    expect(done.output_text).not.toBe('')
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
    expect(await rows()).toEqual([])
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

  it('come at once where nothing is stored, and as a stream', async () => {
    upstream.answer = stream(...messageStream)
    const events = await client.responses.create({
      model: 'claude-sonnet-4-5',
      input: 'Hi',
      background: true,
      stream: true,
    })
    const types: string[] = []
    for await (const event of events) types.push(event.type)
    expect(types.at(-1)).toBe('response.completed')
    upstream.answer = json(message)
    const { storage } = testOptions
    gateway.parts.settings = { ...testOptions, storage: { ...storage, days: 0 } }
    expect(await queue()).toMatchObject({ status: 'completed' })
    expect(await rows()).toEqual([])
  })
})
