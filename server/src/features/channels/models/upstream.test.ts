import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type Bench, now, openBench } from '../../../../test/support/features/channel-test-bench.ts'
import type { Database } from '../../../db/database.ts'

describeEachEngine('what channels ask of their upstreams', (open) => {
  let database: Database
  let bench: Bench

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    bench = await openBench(database)
  })

  it('tests a channel as a call would go, and moves no balance', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    bench = await openBench(database, { status: 200, body: { choices: [], usage } })
    const { upstream, logs, call, data, create } = bench
    const { id } = await create({ model_mapping: '{"gpt-4o":"deployed"}', status: 2 })
    const { json } = await call('GET', `/api/channel/test/${id}?model=gpt-4o`)
    expect(json).toMatchObject({ success: true, message: '', time: 1.25 })
    const [sent] = upstream.requests
    expect(sent).toMatchObject({ origin: 'https://api.openai.com', path: '/v1/chat/completions' })
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer sk-0123456789abcdef' })
    expect(JSON.parse(String(sent?.body))).toMatchObject({
      model: 'deployed',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
    })
    expect(logs).toEqual([
      expect.objectContaining({
        userId: 9,
        type: 2,
        content: '模型测试',
        tokenName: '模型测试',
        channelId: id,
        quota: 60,
        other: { duration_ms: 1250 },
      }),
    ])
    expect(await data('GET', `/api/channel/${id}`)).toMatchObject({
      response_time: 1250,
      test_status: 0,
      test_time: now + 3,
      used_quota: 0,
    })
  })

  it.each([
    [2, 'midjourney channel test is not supported'],
    [5, 'midjourney plus channel test is not supported!!!'],
    [36, 'suno channel test is not supported'],
  ])('says that a channel of type %i, which takes tasks, cannot be asked anything', async (type, reason) => {
    bench = await openBench(database, { status: 200, body: '{}' })
    const { id } = await bench.create({ type, base_url: 'https://tasks.example', models: 'mj_imagine' })
    await expect(bench.data('GET', `/api/channel/test/${id}`)).rejects.toThrow(reason)
    expect(bench.upstream.requests).toEqual([])
  })

  it('puts a question of one’s own, streams the answer and says when it began', async () => {
    const chunk = (more: object) => `data: ${JSON.stringify({ id: 'c', choices: [], ...more })}\n\n`
    const word = (content: string) => chunk({ choices: [{ index: 0, delta: { content } }] })
    const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }
    const body = `${word('Good')}${word(' day')}${chunk({ usage })}data: [DONE]\n\n`
    bench = await openBench(database, { status: 200, body })
    const { upstream, logs, data, create } = bench
    const { id } = await create({ key: 'sk-one-00000001\nsk-two-00000002', keys_together: true })
    const [, second] = await data<{ id: string }[]>('GET', `/api/channel/${id}/keys`)
    const sent = { model: 'gpt-4o', stream: true, prompt: 'Say good day', timeout_seconds: 5, key_id: second?.id }
    const found = await data('POST', `/api/channel/test/${id}`, sent)
    expect(found).toMatchObject({ time: 1.25, answer: 'Good day', prompt_tokens: 7, completion_tokens: 2 })
    expect(found.first_content_time).toBeTypeOf('number')
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer sk-two-00000002')
    expect(JSON.parse(String(upstream.requests[0]?.body))).toMatchObject({
      stream: true,
      messages: [{ role: 'user', content: 'Say good day' }],
      max_tokens: 300,
    })
    expect(logs).toMatchObject([{ isStream: true, promptTokens: 7, completionTokens: 2 }])
  })

  it('gives up a test when its time is over', async () => {
    bench = await openBench(database, 'silence')
    const { data, create, parts } = bench
    const { id } = await create()
    const slow: typeof parts.test = (channel, sent, caller) => parts.test(channel, { ...sent, timeoutMs: 20 }, caller)
    const { failure } = await slow(id, {}, { id: 9, username: 'root', group: 'default' })
    expect(failure).toMatchObject({ status: 0, code: 'upstream_timeout' })
    expect(await data('GET', `/api/channel/${id}`)).toMatchObject({ response_time: 1250, test_status: 1 })
  })

  it('asks embedding models for an embedding', async () => {
    const { upstream, call, create } = bench
    const { id } = await create({ models: 'text-embedding-3-small', test_model: 'text-embedding-3-small' })
    await call('GET', `/api/channel/test/${id}`)
    expect(upstream.requests[0]?.path).toBe('/v1/embeddings')
    expect(JSON.parse(String(upstream.requests[0]?.body))).toMatchObject({ input: ['hello world'] })
  })

  it.each([
    [44, 'm3e-base', 'https://api.moka.ai', '/embeddings'],
    [38, 'jina-clip-v1', 'https://api.jina.ai', '/v1/embeddings'],
    [38, 'jina-reranker-v2-base-multilingual', 'https://api.jina.ai', '/v1/rerank'],
    [16, 'glm-4', 'https://open.bigmodel.cn', '/api/paas/v4/chat/completions'],
    [17, 'qwen-plus', 'https://dashscope.aliyuncs.com', '/compatible-mode/v1/chat/completions'],
    [18, 'SparkDesk-v3.5', 'wss://spark-api.xf-yun.com', '/v3.5/chat?authorization='],
    [23, 'hunyuan-lite', 'https://hunyuan.tencentcloudapi.com', '/'],
    [37, 'app', 'https://api.dify.ai', '/v1/chat-messages'],
    [4, 'qwen3', 'http://localhost:11434', '/api/chat'],
    [
      33,
      'amazon.nova-lite-v1:0',
      'https://bedrock-runtime.key-0001.amazonaws.com',
      '/model/amazon.nova-lite-v1%3A0/converse',
    ],
    [34, 'command-a-03-2025', 'https://api.cohere.ai', '/v2/chat'],
    [34, 'rerank-v3.5', 'https://api.cohere.ai', '/v2/rerank'],
  ])('tests a channel of type %i with what %s is for', async (type, model, origin, path) => {
    const { upstream, call, create } = bench
    const key = [18, 23, 33].includes(type) ? 'app-0001|secret-0001|key-0001' : 'id-000001.secret-01'
    const { id } = await create({ type, key, models: model, test_model: model })
    await call('GET', `/api/channel/test/${id}`)
    expect(upstream.requests[0]).toMatchObject({ origin, path: expect.stringContaining(path) })
  })

  it('shows the upstream’s error text when a test fails, and still stores the time', async () => {
    bench = await openBench(database, {
      status: 401,
      body: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } },
    })
    const { logs, call, data, create } = bench
    const { id } = await create()
    const { json } = await call('GET', `/api/channel/test/${id}`)
    const message =
      'https://api.openai.com/v1/chat/completions 拒绝了密钥（401）：Incorrect API key provided。请检查密钥及其权限。'
    expect(json).toMatchObject({ success: false, message, time: 1.25 })
    expect(await data('GET', `/api/channel/${id}`)).toMatchObject({ response_time: 1250, test_status: 401, status: 1 })
    expect(logs).toEqual([])
  })

  it.each([
    ['an error in its own format', { code: 500, msg: 'fail' }],
    ['nothing', {}],
    ['a list without an answer', { id: '1', choices: [] }],
    [
      'a stream without content',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ],
  ])('calls a channel broken whose upstream says 200 and %s', async (_, body) => {
    bench = await openBench(database, { status: 200, body })
    const { id } = await bench.create()
    const stream = typeof body === 'string'
    await expect(bench.data('POST', `/api/channel/test/${id}`, { stream })).rejects.toThrow('上游没有返回任何内容')
    expect(bench.logs).toEqual([])
  })

  it('fetches the model list of a stored channel and of one that is not saved', async () => {
    bench = await openBench(database, {
      status: 200,
      body: { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'models/gemini' }, {}] },
    })
    const { upstream, data, create } = bench
    const { id } = await create()
    expect(await data('GET', `/api/channel/fetch_models/${id}`)).toEqual(['gpt-4o', 'gemini'])
    const channel = { type: 1, base_url: 'https://up.example/', key: 'sk-x\nsk-y' }
    expect(await data('POST', '/api/channel/fetch_models', channel)).toHaveLength(2)
    expect(upstream.requests[1]).toMatchObject({
      origin: 'https://up.example',
      path: '/v1/models',
      headers: { authorization: 'Bearer sk-x' },
    })
    await data('POST', '/api/channel/fetch_models', { type: 1, id })
    expect(upstream.requests[2]?.headers.authorization).toBe('Bearer sk-0123456789abcdef')
  })

  it.each([
    ['status', { status: 403, body: {} }, 'https://api.openai.com 拒绝了密钥（403）。请检查密钥及其权限。'],
    [
      'text',
      { status: 200, body: '<html>' },
      'https://api.openai.com/v1/models 返回的是网页，而不是 JSON。请检查地址：应填写接口地址，而不是网站地址。',
    ],
    ['network', new Error('connect ECONNREFUSED'), '获取模型列表失败：connect ECONNREFUSED'],
  ])('says why the model list could not be fetched: %s', async (_, answer, message) => {
    bench = await openBench(database, answer)
    const { call } = bench
    const { json } = await call('POST', '/api/channel/fetch_models', { type: 1, key: 'sk-x' })
    expect(json).toMatchObject({ success: false, message })
  })

  it('explains a failure of the upstream in the language of the caller', async () => {
    bench = await openBench(database, new Error('connect ECONNREFUSED'))
    const { create, call } = bench
    const { id } = await create()
    const english = { 'accept-language': 'en' }
    const inEnglish = async (method: string, path: string, body?: unknown) =>
      (await call(method, path, body, english)).json.message
    expect(await inEnglish('GET', `/api/channel/test/${id}`)).toBe('Could not reach the upstream')
    expect(await inEnglish('POST', '/api/channel/fetch_models', { type: 999, key: 'k' })).toBe(
      'Fetching the model list failed: channels of this type have no model list',
    )
    bench = await openBench(database, { status: 200, body: 'OK' })
    const unread = await bench.create()
    const answer = await bench.call('GET', `/api/channel/fetch_models/${unread.id}`, undefined, english)
    expect(answer.json.message).toBe(
      'The answer of https://api.openai.com/v1/models is not a model list. Check the base URL, or enter the models by hand.',
    )
    const balance = await bench.call('GET', `/api/channel/update_balance/${unread.id}`, undefined, english)
    expect(balance.json.message).toBe(
      'The answer of https://api.openai.com/v1/dashboard/billing/subscription is not a balance. Check the base URL; many compatible services report none.',
    )
  })

  it('fetches nothing without a key and nothing from a metadata service', async () => {
    const { upstream, data } = bench
    await expect(data('POST', '/api/channel/fetch_models', { type: 1, key: '' })).rejects.toThrow('请填写密钥')
    const inside = { type: 1, key: 'sk-x', base_url: 'http://169.254.169.254' }
    await expect(data('POST', '/api/channel/fetch_models', inside)).rejects.toThrow('不允许访问')
    expect(upstream.requests).toEqual([])
  })
})
