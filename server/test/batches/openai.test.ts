import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { json, lines } from '../support/batches/batch-provider.ts'
import { type BatchNode, type BatchScene, openBatchScene } from '../support/batches/batch-scene.ts'
import { describeEachEngine } from '../support/db/databases.ts'

const input = (model: string, count: number): FormData => {
  const form = new FormData()
  form.set('purpose', 'batch')
  const all = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      custom_id: `line ${index}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] },
    }),
  )
  form.set('file', new Blob([all.join('\n')]), 'input.jsonl')
  return form
}

const answered = (model: string, prompt: number, completion: number, more: object = {}) => ({
  id: 'batch_req_1',
  custom_id: 'a',
  response: {
    status_code: 200,
    request_id: 'r',
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more },
    },
  },
  error: null,
})

const failed = {
  id: 'batch_req_2',
  custom_id: 'b',
  response: { status_code: 400, request_id: 'r', body: { error: { message: 'no' } } },
  error: null,
}

const batch = (status: string, more: object = {}) => ({
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-in',
  status,
  ...more,
})

describeEachEngine('a batch of OpenAI', (open) => {
  let database: Database
  let scene: BatchScene
  let node: BatchNode

  beforeEach(async () => {
    database = await open()
    scene = await openBatchScene(database)
    node = await scene.node()
    const { answers } = scene.provider
    answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
    answers.set('POST /v1/batches', json(batch('validating')))
    answers.set('GET /v1/batches/batch_1', json(batch('in_progress')))
  })
  afterEach(() => scene.close())

  const make = async (model = 'gpt-5.5', count = 1): Promise<void> => {
    expect((await node.post('/v1/files', input(model, count))).status).toBe(200)
    expect((await node.post('/v1/batches', { input_file_id: 'file-in', endpoint: '/v1/chat/completions' })).status).toBe(200)
  }

  const end = (status: string, results: readonly unknown[], more: object = {}): void => {
    const { answers } = scene.provider
    answers.set('GET /v1/batches/batch_1', json(batch(status, { output_file_id: 'file-out', ...more })))
    answers.set('GET /v1/files/file-out/content', lines(results))
  }

  /** 2 M tokens at 2.50 $ and 0.5 M at 15 $ a million, which is half of 5 $ and 30 $: 12.50 $, of 500,000 units each. */
  const tokens = Array.from({ length: 100 }, () => answered('gpt-5.5-2026-04-23', 20_000, 5000))

  it('of 2.5 M tokens costs 12.50 $, once, from the first read that sees it completed', async () => {
    await make()
    const uploaded = await scene.quota()
    end('completed', [...tokens, failed], { request_counts: { total: 101, completed: 100, failed: 1 } })
    expect((await node.get('/v1/batches/batch_1')).status).toBe(200)
    await expect.poll(async () => (await node.settled(), scene.charges())).toHaveLength(1)
    await node.get('/v1/batches/batch_1')
    await node.get('/v1/files/file-out/content')
    await node.settled()
    const [charge] = await scene.charges()
    expect(charge).toMatchObject({ amount: -6_250_000, token_id: scene.tokenId })
    expect(JSON.parse(charge?.detail ?? '')).toMatchObject({ tier: { name: 'batch' }, estimated: false })
    expect(uploaded - (await scene.quota())).toBe(6_250_000)
    const [row, ...more] = await scene.logs()
    expect(more).toEqual([])
    expect(row).toMatchObject({ model_name: 'gpt-5.5', quota: 6_250_000, prompt_tokens: 2_000_000, completion_tokens: 500_000 })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ batch: { id: 'batch_1', lines: 101, done: 100 } })
    expect(await scene.differences()).toEqual([])
    expect(node.pending()).toBe(0)
  })
})
