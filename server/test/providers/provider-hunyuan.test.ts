import { describe, expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

const secret = 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE'
const hunyuan = (changes: object = {}) => channel({ type: 23, keys: [`1300|AKIDexample00001|${secret}`], ...changes })

/** After the reference: cloud.tencent.com/document/api/1729/105701, examples 1 and 4. */
const answer = {
  Response: {
    RequestId: 'r-1',
    Note: '以上内容为AI生成',
    Choices: [{ Index: 0, FinishReason: 'stop', Message: { Role: 'assistant', Content: '2' } }],
    Created: 1718003364,
    Id: 'id-1',
    Usage: { PromptTokens: 9, CompletionTokens: 1, TotalTokens: 10 },
  },
}

const event = (delta: object, reason: string, completionTokens: number): string =>
  `data: ${JSON.stringify({
    Note: '',
    Choices: [{ Index: 0, Delta: delta, FinishReason: reason }],
    Created: 5,
    Id: 'id-2',
    Usage: { PromptTokens: 9, CompletionTokens: completionTokens, TotalTokens: 9 + completionTokens },
  })}\n\n`

const weather = {
  type: 'function',
  function: { name: 'weather', description: 'd', parameters: { type: 'object', properties: {} } },
}

describe('a Hunyuan channel with the keys of Tencent Cloud', () => {
  it('signs the call and sends it in Tencent’s format', async () => {
    useChannels(hunyuan())
    upstream.answer = json(answer)
    const response = await ask({ ...hi, model: 'hunyuan-lite', temperature: 0.5, max_tokens: 10 })
    expect(await response.json()).toMatchObject({
      id: 'id-1',
      created: 1718003364,
      choices: [{ message: { content: '2' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 1 },
    })
    expect(JSON.parse(sentBody())).toEqual({
      Model: 'hunyuan-lite',
      Messages: [{ Role: 'user', Content: 'hi' }],
      Temperature: 0.5,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('max_tokens')
    const { headers, path } = upstream.received[0] ?? { headers: {}, path: '' }
    expect(path).toBe('/')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
      authorization: expect.stringMatching(
        /^TC3-HMAC-SHA256 Credential=AKIDexample00001\/\d{4}-\d\d-\d\d\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=[0-9a-f]{64}$/,
      ),
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 9, completionTokens: 1 })
  })

  it('streams thoughts, texts and calls of tools', async () => {
    useChannels(hunyuan())
    const call = (name: string, text: string) => ({
      ToolCalls: [{ Id: 'call_1', Type: 'function', Index: 0, Function: { Name: name, Arguments: text } }],
    })
    upstream.answer = stream(
      event({ Role: 'assistant', Content: '', ReasoningContent: 'hm' }, '', 1),
      event({ Role: 'assistant', Content: 'I look. ' }, '', 3),
      event(call('weather', ''), '', 4),
      event(call('', '{"a":1}'), '', 6),
      event({ Role: 'assistant', Content: '' }, 'tool_calls', 7),
    )
    const response = await ask(
      {
        model: 'hunyuan-turbos',
        max_tokens: 9,
        messages: hi.messages,
        tools: [{ name: 'weather', input_schema: {} }],
        stream: true,
      },
      '/v1/messages',
    )
    const text = await response.text()
    const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
    const deltas = events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta)
    expect(deltas).toMatchObject([
      { thinking: 'hm' },
      { signature: expect.stringMatching(/^tollgate:/) },
      { text: 'I look. ' },
      { partial_json: '{"a":1}' },
    ])
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } })
    expect(lastRecord()).toMatchObject({ promptTokens: 9, completionTokens: 7 })
  })

  it('writes tools, their results and pictures in Tencent’s format', async () => {
    useChannels(hunyuan())
    upstream.answer = json(answer)
    const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }
    await ask(
      {
        model: 'm',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'look' },
              { type: 'input_image', image_url: 'https://x.example/a.png' },
            ],
          },
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
        ],
        tools: [{ type: 'function', ...weather.function }],
        tool_choice: { type: 'function', name: 'weather' },
      },
      '/v1/responses',
    )
    const tool = {
      Type: 'function',
      Function: { Name: 'weather', Description: 'd', Parameters: JSON.stringify(weather.function.parameters) },
    }
    expect(JSON.parse(sentBody())).toEqual({
      Model: 'm',
      Messages: [
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'look' },
            { Type: 'image_url', ImageUrl: { Url: 'https://x.example/a.png' } },
          ],
        },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [{ Id: call.id, Type: 'function', Function: { Name: 'weather', Arguments: '{}' } }],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: 'sunny' },
      ],
      Tools: [tool],
      ToolChoice: 'custom',
      CustomTool: tool,
    })
  })

  it.each([
    ['AuthFailure.SignatureFailure', 502, 'credentials_failed'],
    ['RequestLimitExceeded', 429],
    ['InvalidParameterValue.Model', 400],
    ['FailedOperation.EngineServerError', 502],
  ])(
    'tells %s with the status %i and no secret, though Tencent says 200',
    async (code, status, expectedCode = code) => {
      useChannels(hunyuan())
      const words = `The SecretId AKIDexample00001 with ${secret} is wrong`
      upstream.answer = json({ Response: { Error: { Code: code, Message: words }, RequestId: 'r' } })
      const response = await ask(hi)
      const text = await response.text()
      expect(response.status).toBe(status)
      expect(JSON.parse(text)).toMatchObject({ error: { code: expectedCode } })
      expect(text).not.toContain('AKIDexample')
      expect(text).not.toContain(secret)
      expect(JSON.stringify(lastRecord())).not.toContain(secret)
    },
  )

  it('reports a failure in the middle of a stream', async () => {
    useChannels(hunyuan())
    const failure = `data: ${JSON.stringify({ ErrorMsg: { Code: 2003, Msg: 'busy' }, Choices: [] })}\n\n`
    upstream.answer = stream(failure)
    const response = await ask({ ...hi, stream: true })
    expect(response.status).toBe(429)
    upstream.answer = stream(event({ Role: 'assistant', Content: 'a' }, '', 1), failure)
    const text = await (await ask({ ...hi, stream: true })).text()
    expect(text).toContain('busy')
    expect(text).not.toContain('[DONE]')
  })

  it('refuses a key with too few parts before it asks', async () => {
    useChannels(hunyuan({ keys: ['1300|AKIDexample00001'] }))
    const response = await ask(hi)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ error: { code: 'credentials_failed' } })
    expect(upstream.received).toHaveLength(0)
  })

  it('embeds', async () => {
    useChannels(hunyuan())
    const data = [
      { Embedding: [3, 4], Index: 1, Object: 'embedding' },
      { Embedding: [1, 2], Index: 0, Object: 'embedding' },
    ]
    upstream.answer = json({ Response: { Data: data, Usage: { PromptTokens: 6, TotalTokens: 6 }, RequestId: 'r' } })
    const response = await ask({ model: 'hunyuan-embedding', input: ['a', 'b'] }, '/v1/embeddings')
    expect(await response.json()).toMatchObject({
      data: [{ embedding: [1, 2] }, { embedding: [3, 4] }],
      usage: { prompt_tokens: 6 },
    })
    expect(upstream.received[0]?.headers['x-tc-action']).toBe('GetEmbedding')
    expect(JSON.parse(sentBody())).toEqual({ InputList: ['a', 'b'] })
  })
})

describe('a Hunyuan channel with a plain key', () => {
  it('uses OpenAI’s dialect, unchanged', async () => {
    useChannels(hunyuan({ keys: ['sk-tokenhub'] }))
    upstream.answer = json(completion('hello'))
    const response = await ask({ ...hi, model: 'hy3-preview' })
    expect(await response.json()).toEqual(completion('hello'))
    expect(upstream.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-tokenhub' },
    })
    expect(upstream.received[0]?.headers['x-tc-action']).toBeUndefined()
  })
})
