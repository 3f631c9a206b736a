import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { RelayCall } from '#server/relay/call.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Quota units of a line that is made as a call: ten tokens of input, and five of output at four units each. */
const callCost = 10 + 5 * 4

/** Batches of providers are best until 40 minutes before the deadline, and calls have to be made half an hour before it. */
const openDeadlines = (): DeadlineCalls & { readonly took: number[] } => {
  const took: number[] = []
  return {
    took,
    deadlineOf: ({ 'x-tollgate-deadline': hours }, _, now) =>
      hours === undefined ? undefined : now + Number(hours) * hourMs,
    assertStated() {},
    timed: (call, _, chosen): RelayCall =>
      chosen === undefined
        ? call
        : {
            ...call,
            lane: {
              leavesTime: true,
              run: (timed, client, tries) => tries.ask(timed, client, { once: false }),
              charged({ usage: { tier, ...usual }, quota, standardOf }) {
                const standard = standardOf(usual)
                const lane = tier === 'batch' ? 'batch' : 'standard'
                return { lane, deadline: chosen.deadline / 1000, standard, saved: standard - quota }
              },
            },
          },
    next({ deadline, mayBatch }, now) {
      const latestAt = deadline - 30 * minuteMs
      const giveUpAt = latestAt - 10 * minuteMs
      const isBatch = mayBatch === true && now < giveUpAt
      return { lane: isBatch ? 'batch' : 'standard', startAt: now, latestAt, ...(mayBatch === true && { giveUpAt }) }
    },
    batchEnded: (_, ms) => void took.push(ms),
    askedAgainAt: (now) => now,
  }
}

describeEachEngine('batches with a deadline at their provider', (open) => {
  let database: Database
  let batch: ProviderScene
  let provider: FakeOpenai
  let deadlines: ReturnType<typeof openDeadlines>
  let ownCalls = 0
  /** Lines that are done when the provider is asked to end the batch, which it then has at once. */
  let doneAtOnce: number | undefined

  beforeEach(async () => {
    database = await open()
    deadlines = openDeadlines()
    ownCalls = 0
    doneAtOnce = undefined
    provider = openFakeOpenai((_, { messages }) => {
      const [{ content }] = messages as [{ content: string }]
      const { prompt, completion: output } = tokensOf(content)
      const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
      return { status: 200, body: { ...completion(`batched ${content}`), model: 'gpt-4o', usage } }
    })
    batch = await openProviderScene(
      database,
      (call) => {
        if (call.path !== '/v1/chat/completions') {
          provider.answer(call)
          if (doneAtOnce !== undefined && call.path.endsWith('/cancel')) provider.finish('cancelled', doneAtOnce)
          return
        }
        ownCalls += 1
        return json(completion('called'))(call)
      },
      { deadlines },
    )
  })
  afterEach(async () => {
    await batch.close()
  })

  const create = async (hours: number, count: number): Promise<string> => {
    const file = await batch.file(namesOf(count).map((name) => chatLine(name)))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked, { 'x-tollgate-deadline': String(hours) })).json.id
  }

  /** The contents of all results by the names of their lines. */
  const ended = async (id: string) => {
    await batch.ended()
    const done = (await batch.call('GET', `/v1/batches/${id}`)).json
    const lines = (await batch.textOf(done.output_file_id)).trim().split('\n')
    const results = lines.map((line) => JSON.parse(line))
    const contents = new Map(
      results.map(({ custom_id: name, response }) => [name, response.body.choices[0].message.content]),
    )
    expect(contents.size).toBe(results.length)
    return { status: done.status, counts: done.request_counts, contents: Object.fromEntries(contents) }
  }

  /** Resolves when the provider was asked to end the batch. */
  const cancelled = () => expect.poll(() => provider.cancelled, { timeout: 20_000 }).toBeGreaterThan(0)

  const lanes = async () =>
    (await batch.scene.logs()).flatMap(({ lane }) => (lane === undefined ? [] : [lane as Record<string, unknown>]))

  it('go there where there is time, at the price of batches, and their logs have what was saved', async () => {
    const id = await create(6, 3)
    await batch.submitted()
    provider.finish()
    const { status, contents } = await ended(id)
    expect({ status, contents }).toEqual({
      status: 'completed',
      contents: { 'name-0': 'batched name-0', 'name-1': 'batched name-1', 'name-2': 'batched name-2' },
    })
    const cost = batchCost(namesOf(3))
    expect(await batch.charges()).toEqual({ count: 3, quota: cost })
    const logged = await lanes()
    expect(logged.map(({ lane }) => lane)).toEqual(['batch', 'batch', 'batch'])
    expect(logged.reduce((sum, { saved }) => sum + Number(saved), 0)).toBe(
      namesOf(3).reduce((sum, name) => sum + tokensOf(name).prompt + 200, 0) - cost,
    )
    expect([ownCalls, provider.cancelled, deadlines.took.length]).toEqual([0, 0, 1])
    expect(deadlines.took.every(Number.isFinite)).toBe(true)
  })

  it('are made line by line at once where there is no time', async () => {
    const id = await create(0.6, 2)
    expect((await ended(id)).contents).toEqual({ 'name-0': 'called', 'name-1': 'called' })
    expect([await batch.runner(), provider.batches.size]).toEqual(['own', 0])
    expect(await batch.charges()).toEqual({ count: 2, quota: 2 * callCost })
  })

  it('are cancelled before it is late: what was done costs the price of batches, and the rest is made in time', async () => {
    const id = await create(6, 5)
    await batch.submitted()
    batch.pass(5.35 * 3600)
    await cancelled()
    provider.finish('cancelled', 2)
    const { status, counts, contents } = await ended(id)
    expect({ status, counts }).toEqual({ status: 'completed', counts: { total: 5, completed: 5, failed: 0 } })
    expect(contents).toEqual({
      'name-0': 'batched name-0',
      'name-1': 'batched name-1',
      'name-2': 'called',
      'name-3': 'called',
      'name-4': 'called',
    })
    const quota = batchCost(['name-0', 'name-1']) + 3 * callCost
    expect(await batch.charges()).toEqual({ count: 5, quota })
    expect((await lanes()).map(({ lane }) => lane).sort()).toEqual(['batch', 'batch', ...Array(3).fill('standard')])
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
    expect([ownCalls, await batch.runner()]).toEqual([3, 'own'])
    expect(deadlines.took).toEqual([Number.POSITIVE_INFINITY])

    // The process ended after the charges, and before their results were written.
    const unwritten = { state: 'in_progress', runner: 'provider', succeeded: 0, chunks: 0, ended_time: 0, next_time: 0 }
    await database.query.updateTable('provider_batches').set({ is_open: 1 }).execute()
    await database.query
      .updateTable('batches')
      .set(unwritten as object)
      .execute()
    expect(await ended(id)).toEqual({ status, counts, contents })
    expect(await batch.charges()).toEqual({ count: 5, quota })
  })

  it('count as given up also where the provider ends them at once when it is asked', async () => {
    doneAtOnce = 1
    const id = await create(6, 2)
    await batch.submitted()
    batch.pass(5.35 * 3600)
    expect((await ended(id)).contents).toEqual({ 'name-0': 'batched name-0', 'name-1': 'called' })
    expect(deadlines.took).toEqual([Number.POSITIVE_INFINITY])
  })

  it('are made line by line where the provider does not end them, and what it does then is not charged', async () => {
    const id = await create(6, 3)
    await batch.submitted()
    batch.pass(5.35 * 3600)
    await cancelled()
    expect(ownCalls).toBe(0)
    batch.pass(600)
    const { status, contents } = await ended(id)
    expect({ status, contents }).toEqual({
      status: 'completed',
      contents: { 'name-0': 'called', 'name-1': 'called', 'name-2': 'called' },
    })
    provider.finish()
    batch.pass(3600)
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * callCost })
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
    expect(batch.logged).toContainEqual(['provider_batch_given_up', expect.anything()])
  })

  it('deliver what was done where their client cancels them', async () => {
    const id = await create(6, 3)
    await batch.submitted()
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    await cancelled()
    provider.finish('cancelled', 1)
    expect(await ended(id)).toMatchObject({ status: 'cancelled', contents: { 'name-0': 'batched name-0' } })
    expect([await batch.charges(), ownCalls]).toEqual([{ count: 1, quota: batchCost(['name-0']) }, 0])
  })
})
