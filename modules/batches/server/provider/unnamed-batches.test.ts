import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { json } from '#server-test/support/gateway/upstream.ts'
import { anthropicApi, type FakeInline, type InlineLine, openFakeInline } from '../../tests/fake-inline.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

const names = namesOf(3)
/** Quota units of a line that is made as a call. */
const callCost = 10 + 5 * 4

const messageOf = (text: string, prompt: number, output: number) => ({
  id: `msg_${text}`,
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-4-5',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: prompt, output_tokens: output },
})

const batchedResult = ({ request }: InlineLine): object => {
  const text = /name-\d+/.exec(JSON.stringify(request))?.[0] ?? ''
  const { prompt, completion } = tokensOf(text)
  return { type: 'succeeded', message: messageOf(`batched ${text}`, prompt, completion) }
}

describeEachEngine('submissions without an answer, to a provider whose batches have no names', (open) => {
  let database: Database
  let batch: ProviderScene
  let provider: FakeInline
  let ownCalls = 0
  let resultsRead: string[]
  /** Says what the provider does before the n-th list, which follows the submission. */
  let beforeList: () => void

  beforeEach(async () => {
    database = await open()
    ownCalls = 0
    resultsRead = []
    beforeList = () => {}
    provider = openFakeInline(anthropicApi(batchedResult))
    batch = await openProviderScene(
      database,
      (call) => {
        if (call.path.endsWith('/results')) resultsRead.push(call.path.split('/').at(-2) ?? '')
        if (call.path.startsWith('/v1/messages/batches?')) beforeList()
        if (call.path !== '/v1/messages') return provider.answer(call)
        ownCalls += 1
        return json(messageOf('called', 10, 5))(call)
      },
      { type: 14 },
    )
  })
  afterEach(() => batch.close())

  const create = async (): Promise<string> => {
    const requests = names.map((name) => ({
      custom_id: `my_${name}`,
      params: { model: 'claude-opus-4-5', max_tokens: 60, messages: [{ role: 'user', content: name }] },
    }))
    return (await batch.call('POST', '/v1/messages/batches', { requests })).json.id
  }

  /** Texts of the answers by the ids of the client. */
  const results = async (id: string) => {
    const { text } = await batch.call('GET', `/v1/messages/batches/${id}/results`)
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    return Object.fromEntries(
      lines.map(({ custom_id, result }) => [custom_id, result.message?.content[0].text ?? result.type]),
    )
  }
  const batched = Object.fromEntries(names.map((name) => [`my_${name}`, `batched ${name}`]))
  const called = Object.fromEntries(names.map((name) => [`my_${name}`, 'called']))

  it('names the lines of each submission so that no other has them', async () => {
    await create()
    await batch.submitted()
    await expect.poll(() => provider.batches.length, { timeout: 20_000 }).toBe(1)
    const { object_id: mark } = await database.query.selectFrom('batches').select('object_id').executeTakeFirstOrThrow()
    const lines = provider.batches[0]?.lines.map(({ name }) => name)
    expect(lines).toEqual([1, 2, 3].map((number) => `line-${number}_${mark}`))
    expect(lines?.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true)
  })

  it('are found by the names of their results, and charged once at the price of batches', async () => {
    provider.beSilent()
    provider.addStranger('of-another-size', ['a', 'b'], 'ended')
    const id = await create()
    await expect.poll(() => provider.batches.length, { timeout: 20_000 }).toBe(2)
    // Strangers of the same size: one that ended before, and one whose lines are named as ours were once.
    provider.addStranger('ended', ['a', 'b', 'c'], 'ended')
    provider.addStranger('named', ['line-1', 'line-2', 'line-3'], 'ended')
    let lists = 0
    beforeList = () => {
      lists += 1
      if (lists > 4) provider.finish()
    }
    await batch.ended()
    expect(await results(id)).toEqual(batched)
    expect(await batch.charges()).toEqual({ count: 3, quota: batchCost(names) })
    expect([ownCalls, provider.batches.length, await batch.runner()]).toEqual([0, 4, 'provider'])
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0, upstream_id: 'at-provider-2' })
    expect(resultsRead).not.toContain('of-another-size')
    expect(batch.logged).not.toContainEqual(['batch_submission_unknown', expect.anything()])
  })

  it('are made line by line where the provider has begun none', async () => {
    provider.beSilent('not made')
    provider.addStranger('stranger', ['a', 'b'])
    const id = await create()
    await batch.ended()
    expect(await results(id)).toEqual(called)
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * callCost })
    expect([ownCalls, provider.batches.length, await batch.runner()]).toEqual([3, 1, 'own'])
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
  })

  it("are made line by line once a stranger's batch that might have been theirs has ended", async () => {
    provider.beSilent('not made')
    provider.addStranger('stranger', ['a', 'b', 'c'])
    const id = await create()
    let lists = 0
    let callsBefore = 0
    beforeList = () => {
      lists += 1
      callsBefore = ownCalls
      if (lists > 3) provider.finish()
    }
    await batch.ended()
    expect(callsBefore).toBe(0)
    expect(await results(id)).toEqual(called)
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * callCost })
    expect(resultsRead).toEqual(['stranger'])
  })

  it('are made line by line where the provider does not list its batches in half of the window', async () => {
    provider.beSilent()
    provider.beUnlisted()
    const id = await create()
    let lists = 0
    beforeList = () => {
      lists += 1
      if (lists === 3) batch.pass(12 * 3_600)
    }
    await batch.ended()
    expect(lists).toBeGreaterThanOrEqual(3)
    expect(await results(id)).toEqual(called)
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * callCost })
    expect(batch.logged).toContainEqual(['batch_submission_unknown', expect.anything()])
  })

  it('deliver what was done where they are cancelled before they are found', async () => {
    provider.beSilent()
    const id = await create()
    await expect.poll(() => provider.batches.length, { timeout: 20_000 }).toBe(1)
    await batch.call('POST', `/v1/messages/batches/${id}/cancel`)
    beforeList = () => provider.finish('ended', 2)
    await batch.ended()
    expect(await results(id)).toEqual({ ...batched, 'my_name-2': 'canceled' })
    expect(await batch.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
  })

  it('of a batch that its provider does not have any more: its lines are made line by line', async () => {
    const id = await create()
    await batch.submitted()
    provider.forget()
    await batch.ended()
    expect(await results(id)).toEqual(called)
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * callCost })
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
  })
})
