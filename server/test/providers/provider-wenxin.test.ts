import { describe, expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, type Received, stream } from '../support/gateway/upstream.ts'

useScene()

/** Tokens are kept by key, so each test has its own. */
let keys = 0
const freshKey = (): string => {
  keys += 1
  return `apikey-${keys}-0000|secretkey-${keys}-0000`
}
const wenxin = (changes: object = {}) => channel({ type: 15, keys: [freshKey()], ...changes })

/** After the reference: cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t and s/Ilkkrb0i5. */
const answering = (then: (call: Received) => void) => (call: Received) => {
  if (!call.path.startsWith('/oauth/2.0/token')) return then(call)
  json({ access_token: '24.token', expires_in: 2_592_000 })(call)
}

const answer = {
  id: 'as-1',
  object: 'chat.completion',
  created: 1680166793,
  result: '你好',
  is_truncated: false,
  need_clear_history: false,
  finish_reason: 'normal',
  usage: { prompt_tokens: 7, completion_tokens: 12, total_tokens: 19 },
}

const event = (result: string, isEnd: boolean, total: number): string =>
  `data: ${JSON.stringify({
    id: 'as-2',
    object: 'chat.completion',
    created: 9,
    sentence_id: 0,
    is_end: isEnd,
    is_truncated: false,
    result,
    usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: total },
  })}\n\n`

const prefix = '/rpc/2.0/ai_custom/v1/wenxinworkshop'

describe('a Wenxin channel with an API key and a secret', () => {
  it('exchanges them once for a token and sends Baidu’s format', async () => {
    useChannels(wenxin())
    upstream.answer = answering(json(answer))
    const body = {
      model: 'ERNIE-4.0-8K',
      messages: [{ role: 'system', content: 'Be brief.' }, ...hi.messages],
      max_tokens: 1,
      frequency_penalty: 1,
      user: 'u1',
      seed: 3,
    }
    const response = await ask(body)
    expect(await response.json()).toMatchObject({
      id: 'as-1',
      choices: [{ message: { content: '你好' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 12 },
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('seed')
    expect(JSON.parse(sentBody())).toEqual({
      messages: hi.messages,
      system: 'Be brief.',
      penalty_score: 1.5,
      user_id: 'u1',
      max_output_tokens: 2,
    })
    await ask(body)
    expect(upstream.received.map(({ path }) => path)).toEqual([
      expect.stringMatching(
        /^\/oauth\/2\.0\/token\?grant_type=client_credentials&client_id=apikey-\d+-0000&client_secret=/,
      ),
      `${prefix}/chat/completions_pro?access_token=24.token`,
      `${prefix}/chat/completions_pro?access_token=24.token`,
    ])
    expect(lastRecord()).toMatchObject({ promptTokens: 7, completionTokens: 12 })
  })

  it('streams, and counts by the total', async () => {
    useChannels(wenxin())
    upstream.answer = answering(stream(event('a', false, 9), event('b', false, 11), event('', true, 12)))
    const response = await ask({
      ...hi,
      model: 'ERNIE-Speed-8K',
      stream: true,
      stream_options: { include_usage: true },
    })
    const text = await response.text()
    const chunks = text.split('\n\n').flatMap((part) => (part.startsWith('data: {') ? [JSON.parse(part.slice(6))] : []))
    expect(
      chunks
        .flatMap(({ choices }) => choices.map(({ delta }: { delta: { content?: string } }) => delta.content ?? ''))
        .join(''),
    ).toBe('ab')
    expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 7, completion_tokens: 5 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(upstream.received.at(-1)?.path).toMatch(/\/chat\/ernie_speed\?/)
    expect(lastRecord()).toMatchObject({ promptTokens: 7, completionTokens: 5 })
  })

  it('calls functions and gives their results by name', async () => {
    useChannels(wenxin())
    const call = { name: 'weather', thoughts: 'I need it', arguments: '{"city":"x"}' }
    upstream.answer = answering(json({ ...answer, result: '', function_call: call, finish_reason: 'function_call' }))
    const response = await ask(
      {
        model: 'ERNIE-3.5-8K',
        max_tokens: 99,
        messages: [
          { role: 'user', content: 'weather?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'weather', input: { city: 'y' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'sunny' }] },
        ],
        tools: [{ name: 'weather', description: 'd', input_schema: { type: 'object' } }],
      },
      '/v1/messages',
    )
    expect(JSON.parse(sentBody())).toEqual({
      messages: [
        { role: 'user', content: 'weather?' },
        { role: 'assistant', content: '', function_call: { name: 'weather', arguments: '{"city":"y"}' } },
        { role: 'function', name: 'weather', content: 'sunny' },
      ],
      max_output_tokens: 99,
      functions: [{ name: 'weather', description: 'd', parameters: { type: 'object' } }],
    })
    expect(await response.json()).toMatchObject({
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'x' } }],
      stop_reason: 'tool_use',
    })
  })

  it.each([
    [110, 502, 'credentials_failed'],
    [336003, 400],
    [18, 429],
    [336000, 502],
  ])('answers error %i with the status %i, though Baidu answers 200', async (number, status, code = String(number)) => {
    useChannels(wenxin())
    upstream.answer = answering(json({ error_code: number, error_msg: 'reason-7', id: 'x' }))
    const plain = await ask(hi)
    expect(plain.status).toBe(status)
    expect(await plain.json()).toMatchObject({ error: { code } })
    expect(lastRecord()).toMatchObject({ other: { admin_info: { cause: expect.stringContaining('reason-7') } } })
    expect((await ask({ ...hi, stream: true })).status).toBe(status)
  })

  it('reports an error in the middle of a stream', async () => {
    useChannels(wenxin())
    upstream.answer = answering(stream(event('a', false, 9), 'data: {"error_code":336100,"error_msg":"try again"}\n\n'))
    const text = await (await ask({ ...hi, stream: true })).text()
    expect(text).toContain('try again')
    expect(text).not.toContain('[DONE]')
  })

  it('says nothing of wrong credentials but that they are wrong', async () => {
    const key = freshKey()
    useChannels(wenxin({ keys: [key] }))
    upstream.answer = json(
      { error: 'invalid_client', error_description: `unknown client id ${key.split('|')[0]}` },
      401,
    )
    const response = await ask(hi)
    const text = await response.text()
    expect(response.status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'credentials_failed' } })
    const [id = '', secret = ''] = key.split('|')
    for (const visible of [text, JSON.stringify(lastRecord())]) {
      expect(visible).not.toContain(id)
      expect(visible).not.toContain(secret)
    }
    expect(JSON.stringify(lastRecord())).toContain('unknown client id')
  })

  it('embeds and reranks', async () => {
    useChannels(wenxin())
    const data = [{ object: 'embedding', embedding: [1, 2], index: 0 }]
    upstream.answer = answering(json({ id: 'e', data, usage: { prompt_tokens: 4, total_tokens: 4 } }))
    const embedded = await ask({ model: 'bge-large-zh', input: 'a' }, '/v1/embeddings')
    expect(await embedded.json()).toMatchObject({ data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 4 } })
    expect(upstream.received.at(-1)?.path).toMatch(/\/embeddings\/bge_large_zh\?/)
    const results = [{ document: 'b', relevance_score: 0.8, index: 1 }]
    upstream.answer = answering(json({ id: 'r', results, usage: { prompt_tokens: 5, total_tokens: 5 } }))
    const ranked = await ask({ model: 'bce_reranker_base', query: 'q', documents: ['a', 'b'], top_n: 1 }, '/v1/rerank')
    expect(await ranked.json()).toMatchObject({ results: [{ index: 1, relevance_score: 0.8 }] })
    expect(upstream.received.at(-1)?.path).toMatch(/\/reranker\/bce_reranker_base\?/)
  })
})

describe('a Wenxin channel with a key of the second version', () => {
  it('uses OpenAI’s dialect, unchanged', async () => {
    useChannels(wenxin({ keys: ['bce-v3/ALTAK-x/y'] }))
    upstream.answer = json(completion('hello'))
    await (await ask({ ...hi, model: 'ERNIE-4.0-8K' })).json()
    expect(upstream.received).toHaveLength(1)
    expect(upstream.received[0]).toMatchObject({
      path: '/v2/chat/completions',
      headers: { authorization: 'Bearer bce-v3/ALTAK-x/y' },
    })
    expect(JSON.parse(sentBody())).toEqual({ ...hi, model: 'ernie-4.0-8k' })
  })
})
