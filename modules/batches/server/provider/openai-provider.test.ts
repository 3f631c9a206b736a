import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

describeEachEngine('batches that OpenAI runs', (open) => {
  let database: Database
  let batch: ProviderScene
  let provider: FakeOpenai

  const openScene = async (remain?: number): Promise<void> => {
    provider = openFakeOpenai((_, body) => {
      const [{ content }] = body.messages as [{ content: string }]
      if (content === 'name-2')
        return { status: 400, body: { error: { message: 'bad', type: 'invalid_request_error' } } }
      const { prompt, completion: output } = tokensOf(content)
      const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
      return { status: 200, body: { ...completion(`to ${content}`), model: 'gpt-4o', service_tier: 'default', usage } }
    })
    batch = await openProviderScene(database, provider.answer, {}, { remain })
  }

  beforeEach(async () => {
    database = await open()
    await openScene()
  })
  afterEach(async () => {
    await batch.close()
  })

  const create = async (lines: readonly string[]): Promise<string> => {
    const file = await batch.file(lines)
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked)).json.id
  }
  const read = async (id: string) => (await batch.call('GET', `/v1/batches/${id}`)).json
  const linesOf = async (file: string) =>
    (await batch.textOf(file))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const ended = async (id: string) => {
    await batch.ended()
    return read(id)
  }
  const creations = () =>
    batch.scene.upstream.received.filter(({ method, path }) => method === 'POST' && path === '/v1/batches')

  it('are submitted once, and each line costs its tokens at the price of batches', async () => {
    const before = (await batch.scene.balances()).user
    const id = await create(namesOf(8).map((name) => chatLine(name)))
    await batch.submitted()
    expect(await batch.runner()).toBe('provider')
    const { held } = (await batch.row()) ?? {}
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
    expect(await batch.charges()).toEqual({ count: 0, quota: 0 })
    provider.finish()
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 8, completed: 7, failed: 1 } })
    const output = await linesOf(done.output_file_id)
    const paid = namesOf(8).filter((name) => name !== 'name-2')
    expect(output.map(({ custom_id }) => custom_id).sort()).toEqual([...paid].sort())
    expect(output[0].response).toMatchObject({ status_code: 200, body: { object: 'chat.completion' } })
    expect(await linesOf(done.error_file_id)).toMatchObject([
      {
        custom_id: 'name-2',
        response: { status_code: 400, body: { error: { message: expect.stringMatching(/^bad/) } } },
      },
    ])
    expect(await batch.charges()).toEqual({ count: 7, quota: batchCost(paid) })
    expect((await batch.scene.balances()).user).toBe(before - batchCost(paid))
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
    expect(creations()).toHaveLength(1)
    const logs = await batch.scene.logs()
    expect(logs.filter(({ end }) => end === 'done')).toHaveLength(7)
  })

  it('deliver and charge what was done when they are cancelled', async () => {
    const id = await create(namesOf(6).map((name) => chatLine(name)))
    await batch.submitted()
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    await batch.askedToEnd(provider)
    provider.finish('cancelled', 2)
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 6, completed: 2, failed: 0 } })
    expect((await linesOf(done.output_file_id)).map(({ custom_id }) => custom_id).sort()).toEqual(['name-0', 'name-1'])
    expect((await linesOf(done.error_file_id)).every(({ error }) => error.code === 'batch_cancelled')).toBe(true)
    expect(await batch.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
  })

  it('are settled by another process where theirs ended between submission and settlement', async () => {
    const id = await create(namesOf(5).map((name) => chatLine(name)))
    await batch.submitted()
    const listener = batch.gatewayKit
    batch.scene.gateway.listener.endSessions('soon')
    provider.finish()
    const ownCalls = { ...listener.ownCalls, ending: new AbortController().signal }
    const [second, third] = [batch.another('two'), batch.another('three')]
    for (const process of [second, third]) process.useGateway({ ...listener, ownCalls })
    const done = await ended(id)
    expect(done.request_counts).toEqual({ total: 5, completed: 4, failed: 1 })
    expect(await batch.charges()).toEqual({ count: 4, quota: batchCost(['name-0', 'name-1', 'name-3', 'name-4']) })
    await second.close()
    await third.close()
  })

  it('charge each line once, although its results were not written', async () => {
    const id = await create(namesOf(4).map((name) => chatLine(name)))
    await batch.submitted()
    provider.finish()
    await ended(id)
    const { quota } = await batch.charges()
    const unwritten = { state: 'in_progress', succeeded: 0, failed: 0, chunks: 0, ended_time: 0, next_time: 0 } as const
    await database.query.updateTable('provider_batches').set({ is_open: 1 }).execute()
    await database.query.updateTable('batches').set(unwritten).execute()
    expect((await ended(id)).request_counts).toEqual({ total: 4, completed: 3, failed: 1 })
    expect(await batch.charges()).toEqual({ count: 3, quota })
  })

  it('are made line by line where the provider refuses them', async () => {
    provider.refuse(400, { error: { message: 'no batches here', type: 'invalid_request_error' } })
    const { answer } = provider
    batch.scene.upstream.answer = (call) =>
      call.path === '/v1/chat/completions' ? json(completion('ok'))(call) : answer(call)
    const id = await create(namesOf(3).map((name) => chatLine(name)))
    expect((await ended(id)).request_counts).toEqual({ total: 3, completed: 3, failed: 0 })
    expect(await batch.runner()).toBe('own')
    expect(batch.logged).toContainEqual([
      'batch_left_to_runner',
      expect.objectContaining({ cause: expect.stringContaining('no batches here') }),
    ])
    // Ten tokens of input and five of output, at the price of calls.
    expect(await batch.charges()).toEqual({ count: 3, quota: 3 * (10 + 5 * 4) })
  })

  it('are searched for where their submission had no answer, and never submitted twice', async () => {
    provider.beSilent()
    const id = await create(namesOf(3).map((name) => chatLine(name)))
    await expect.poll(() => provider.batches.size, { timeout: 20_000 }).toBe(1)
    await expect.poll(async () => (await batch.row())?.stage).toBe('submitting')
    provider.finish()
    const done = await ended(id)
    expect(done.request_counts).toEqual({ total: 3, completed: 2, failed: 1 })
    expect(creations()).toHaveLength(1)
    expect(await batch.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
  })

  it('are made line by line where their lines cost more together than is left', async () => {
    await batch.close()
    await openScene(250)
    const { answer } = provider
    batch.scene.upstream.answer = (call) =>
      call.path === '/v1/chat/completions' ? json(completion('ok'))(call) : answer(call)
    const id = await create(namesOf(3).map((name) => chatLine(name, { max_tokens: 50 })))
    await ended(id)
    expect(await batch.runner()).toBe('own')
    expect(creations()).toHaveLength(0)
  })
})
