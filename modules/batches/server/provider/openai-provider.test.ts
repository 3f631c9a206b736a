import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { listPrice } from '#server-test/support/billing/price.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { testChannel } from '#server-test/support/relay/ports.ts'
import { type BatchScene, chatLine, openBatchScene } from '../../tests/batch-scene.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `name-${index}`)

/** A dollar is 500,000 quota units: input costs 1 unit, output 4, and batches half of it. */
const price = { ...listPrice({ input: 2, output: 8 }), tiers: { batch: 0.5 } }

/** The third line is refused; all others cost by their place. */
const tokensOf = (content: string) => ({ prompt: 100 + Number(content.slice(5)), completion: 50 })

describeEachEngine('batches that OpenAI runs', (open) => {
  let database: Database
  let batch: BatchScene
  let provider: FakeOpenai

  const openScene = async (remain?: number): Promise<void> => {
    batch = await openBatchScene(database, remain, { price, options: { BatchProviderChannels: ['5'] } })
    provider = openFakeOpenai((_, body) => {
      const [{ content }] = body.messages as [{ content: string }]
      if (content === 'name-2')
        return { status: 400, body: { error: { message: 'bad', type: 'invalid_request_error' } } }
      const { prompt, completion: output } = tokensOf(content)
      const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
      return { status: 200, body: { ...completion(`to ${content}`), model: 'gpt-4o', service_tier: 'default', usage } }
    })
    batch.scene.upstream.answer = provider.answer
    const { list } = batch.scene.gateway.parts.channels as unknown as { list: ReturnType<typeof testChannel>[] }
    list.splice(0, list.length, testChannel({ id: 5, baseUrl: batch.scene.upstream.url }))
  }

  beforeEach(async () => {
    database = await open()
    await openScene()
  })
  afterEach(async () => {
    await batch.close()
  })

  const create = async (lines: readonly string[]) => {
    const file = await batch.file(lines)
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked)).json.id as string
  }
  const read = async (id: string) => (await batch.call('GET', `/v1/batches/${id}`)).json
  const row = () => database.query.selectFrom('provider_batches').selectAll().executeTakeFirst()
  const runnerOf = async () => (await database.query.selectFrom('batches').select('runner').executeTakeFirst())?.runner
  const submitted = () => expect.poll(async () => (await row())?.stage, { timeout: 20_000 }).toBe('submitted')
  const linesOf = async (file: string) =>
    (await batch.textOf(file))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  /** The clock moves until the provider has been asked again, and the batch has ended. */
  const ended = async (id: string) => {
    await expect
      .poll(
        async () => {
          batch.pass(40)
          return (await read(id)).status
        },
        { timeout: 40_000, interval: 500 },
      )
      .toMatch(/^(completed|failed|cancelled|expired)$/)
    return read(id)
  }
  const charges = async () => {
    await batch.scene.balances()
    const rows = await database.query.selectFrom('ledger_entries').selectAll().where('reason', '=', 'charge').execute()
    return { count: rows.length, quota: rows.reduce((sum, { amount }) => sum - amount, 0) }
  }
  /** Half of the price of calls, line by line. */
  const costOf = (contents: readonly string[]): number =>
    contents.reduce((sum, content) => {
      const { prompt, completion: output } = tokensOf(content)
      return sum + Math.round((prompt * 1 + output * 4) / 2)
    }, 0)
  const creations = () =>
    batch.scene.upstream.received.filter(({ method, path }) => method === 'POST' && path === '/v1/batches')

  it('are submitted once, and each line costs its tokens at the price of batches', async () => {
    const before = (await batch.scene.balances()).user
    const id = await create(names(8).map((name) => chatLine(name)))
    await submitted()
    expect(await runnerOf()).toBe('provider')
    const { held } = (await row()) ?? {}
    expect(Number(held)).toBeGreaterThan(0)
    expect((await read(id)).status).toBe('in_progress')
    const [made] = [...provider.batches.values()]
    expect(made).toMatchObject({ endpoint: '/v1/chat/completions', metadata: { tollgate_batch: id.slice(6) } })
    expect(made?.lines[0]).toEqual({
      custom_id: 'line-1',
      method: 'POST',
      url: '/v1/chat/completions',
      body: JSON.parse(chatLine('name-0')).body,
    })
    expect(await charges()).toEqual({ count: 0, quota: 0 })
    provider.finish()
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 8, completed: 7, failed: 1 } })
    const output = await linesOf(done.output_file_id)
    const paid = names(8).filter((name) => name !== 'name-2')
    expect(output.map(({ custom_id }) => custom_id).sort()).toEqual([...paid].sort())
    expect(output[0].response).toMatchObject({ status_code: 200, body: { object: 'chat.completion' } })
    expect(await linesOf(done.error_file_id)).toMatchObject([
      {
        custom_id: 'name-2',
        response: { status_code: 400, body: { error: { message: expect.stringMatching(/^bad/) } } },
      },
    ])
    expect(await charges()).toEqual({ count: 7, quota: costOf(paid) })
    expect((await batch.scene.balances()).user).toBe(before - costOf(paid))
    expect(await row()).toMatchObject({ is_open: 0, held: 0 })
    expect(creations()).toHaveLength(1)
    const logs = await batch.scene.logs()
    expect(logs.filter(({ end }) => end === 'done')).toHaveLength(7)
  })

  it('deliver and charge what was done when they are cancelled', async () => {
    const id = await create(names(6).map((name) => chatLine(name)))
    await submitted()
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    await expect
      .poll(
        () => {
          batch.pass(15)
          return provider.cancelled
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(1)
    provider.finish('cancelled', 2)
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 6, completed: 2, failed: 0 } })
    expect((await linesOf(done.output_file_id)).map(({ custom_id }) => custom_id).sort()).toEqual(['name-0', 'name-1'])
    expect((await linesOf(done.error_file_id)).every(({ error }) => error.code === 'batch_cancelled')).toBe(true)
    expect(await charges()).toEqual({ count: 2, quota: costOf(['name-0', 'name-1']) })
  })

  it('are settled by another process where theirs ended between submission and settlement', async () => {
    const id = await create(names(5).map((name) => chatLine(name)))
    await submitted()
    const listener = batch.gatewayKit
    batch.scene.gateway.listener.endSessions('soon')
    provider.finish()
    const ownCalls = { ...listener.ownCalls, ending: new AbortController().signal }
    const [second, third] = [batch.another('two'), batch.another('three')]
    for (const process of [second, third]) process.useGateway({ ...listener, ownCalls })
    const done = await ended(id)
    expect(done.request_counts).toEqual({ total: 5, completed: 4, failed: 1 })
    expect(await charges()).toEqual({ count: 4, quota: costOf(['name-0', 'name-1', 'name-3', 'name-4']) })
    await second.close()
    await third.close()
  })

  it('charge each line once, although its results were not written', async () => {
    const id = await create(names(4).map((name) => chatLine(name)))
    await submitted()
    provider.finish()
    await ended(id)
    const { quota } = await charges()
    const unwritten = { state: 'in_progress', succeeded: 0, failed: 0, chunks: 0, ended_time: 0, next_time: 0 } as const
    await database.query.updateTable('provider_batches').set({ is_open: 1 }).execute()
    await database.query.updateTable('batches').set(unwritten).execute()
    expect((await ended(id)).request_counts).toEqual({ total: 4, completed: 3, failed: 1 })
    expect(await charges()).toEqual({ count: 3, quota })
  })

  it('are made line by line where the provider refuses them', async () => {
    provider.refuse(400, { error: { message: 'no batches here', type: 'invalid_request_error' } })
    const { answer } = provider
    batch.scene.upstream.answer = (call) =>
      call.path === '/v1/chat/completions' ? json(completion('ok'))(call) : answer(call)
    const id = await create(names(3).map((name) => chatLine(name)))
    expect((await ended(id)).request_counts).toEqual({ total: 3, completed: 3, failed: 0 })
    expect(await runnerOf()).toBe('own')
    expect(batch.logged).toContainEqual([
      'batch_left_to_runner',
      expect.objectContaining({ cause: expect.stringContaining('no batches here') }),
    ])
    // Ten tokens of input and five of output, at the price of calls.
    expect(await charges()).toEqual({ count: 3, quota: 3 * (10 + 5 * 4) })
  })

  it('are searched for where their submission had no answer, and never submitted twice', async () => {
    provider.beSilent()
    const id = await create(names(3).map((name) => chatLine(name)))
    await expect.poll(() => provider.batches.size, { timeout: 20_000 }).toBe(1)
    await expect.poll(async () => (await row())?.stage).toBe('submitting')
    provider.finish()
    const done = await ended(id)
    expect(done.request_counts).toEqual({ total: 3, completed: 2, failed: 1 })
    expect(creations()).toHaveLength(1)
    expect(await charges()).toEqual({ count: 2, quota: costOf(['name-0', 'name-1']) })
  })

  it('are made line by line where their lines cost more together than is left', async () => {
    await batch.close()
    await openScene(250)
    const { answer } = provider
    batch.scene.upstream.answer = (call) =>
      call.path === '/v1/chat/completions' ? json(completion('ok'))(call) : answer(call)
    const id = await create(names(3).map((name) => chatLine(name, { max_tokens: 50 })))
    await ended(id)
    expect(await runnerOf()).toBe('own')
    expect(creations()).toHaveLength(0)
  })
})
