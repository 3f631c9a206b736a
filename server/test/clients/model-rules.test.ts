import { describe, expect, it } from 'vitest'
import { message, response } from '../support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

/** Requests as they reach a model that takes less than its client asks for. */

useScene()

const developer = { role: 'developer', content: 'Be brief.' }
const system = { role: 'system', content: 'Be brief.' }
const [user] = hi.messages

/** The body as the upstream gets it, of a client of chat completions. */
const passed = async (type: number, body: string): Promise<string> => {
  useChannels(channel({ type }))
  upstream.answer = json(completion('Hello'))
  expect((await ask(body)).status).toBe(200)
  return sentBody()
}

describe('a request that passes through', () => {
  it.each([
    ['{ "model":"gpt-4o", "max_tokens": 5.0, "temperature":1e0, "stop":[],  "messages":[] , "x": "é"}'],
    ['{"model":"gpt-4.1","reasoning_effort":"low","messages":[]}'],
    ['{"model":"my-own","max_tokens":5,"messages":[{"role":"developer","content":""}],"n":2}'],
    ['{"model":"gpt-5.2","max_completion_tokens":5,"temperature":0.1,"messages":[]}'],
  ])('keeps its bytes where the model takes it: %s', async (body) => {
    expect(await passed(1, body)).toBe(body)
  })

  it.each([
    // LangChain, with and without a bound.
    [
      1,
      '{"model":"gpt-5.2","stop":[],"messages":[],"max_tokens":5}',
      '{"model":"gpt-5.2","messages":[],"max_completion_tokens":5}',
    ],
    [
      1,
      '{"model":"gpt-5","max_tokens":5.0,"messages":[]}',
      '{"model":"gpt-5","messages":[],"max_completion_tokens":5}',
    ],
    [
      1,
      '{"model":"o4-mini","messages":[],"max_tokens":7}',
      '{"model":"o4-mini","messages":[],"max_completion_tokens":7}',
    ],
    [1, '{"temperature":0,"model":"gpt-5.5","top_p":0.5,"messages":[]}', '{"model":"gpt-5.5","messages":[]}'],
    [1, '{"model":"gpt-5.6-sol","temperature":0.2,"messages":[]}', '{"model":"gpt-5.6-sol","messages":[]}'],
    [
      1,
      '{"model":"gpt-5.1","reasoning_effort":"minimal","messages":[]}',
      '{"model":"gpt-5.1","reasoning_effort":"low","messages":[]}',
    ],
    [
      43,
      '{"model":"deepseek-chat","messages":[ {"role":"developer","content":"a"}, {"content":"b","role" : "developer"}]}',
      '{"model":"deepseek-chat","messages":[ {"role":"system","content":"a"}, {"content":"b","role" : "system"}]}',
    ],
    [
      43,
      '{"model":"deepseek-v4-pro","max_completion_tokens":9,"messages":[]}',
      '{"model":"deepseek-v4-pro","messages":[],"max_tokens":9}',
    ],
    [25, '{"model":"kimi-k2.6","temperature":0.3,"messages":[]}', '{"model":"kimi-k2.6","messages":[]}'],
  ])('is edited in place where a channel of type %i would refuse it: %s', async (type, body, expected) => {
    expect(await passed(type, body)).toBe(expected)
  })

  it('describes a schema in the prompt where the model supports only JSON objects', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const body = {
      ...hi,
      model: 'deepseek-chat',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    }
    const sent = JSON.parse(await passed(43, JSON.stringify(body)))
    expect(sent.response_format).toEqual({ type: 'json_object' })
    expect(sent.messages).toEqual([{ role: 'system', content: expect.stringContaining(JSON.stringify(schema)) }, user])
    expect(lastRecord()?.other).toMatchObject({ lost_fields: ['response_format.json_schema'] })
  })

  it('of responses has no sampling where the model thinks', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(response)
    await ask('{"model":"gpt-5.6","input":"hi","temperature":0.2,"top_p":1}', '/v1/responses')
    expect(sentBody()).toBe('{"model":"gpt-5.6","input":"hi"}')
    const untouched = '{"model":"gpt-5.6","input":"hi","temperature":0.2,"reasoning":{"effort":"none"}}'
    await ask(untouched, '/v1/responses')
    expect(sentBody()).toBe(untouched)
  })
})

describe('a request that is translated', () => {
  it('gives DeepSeek instructions of developers as those of the system', async () => {
    useChannels(channel({ type: 43 }))
    upstream.answer = json(completion('Hello'))
    const input = [
      { type: 'message', ...developer },
      { type: 'message', ...user },
    ]
    await ask({ model: 'deepseek-chat', input, max_output_tokens: 20 }, '/v1/responses')
    expect(JSON.parse(sentBody())).toEqual({ model: 'deepseek-chat', messages: [system, user], max_tokens: 20 })
  })

  it('describes a schema in the prompt for DeepSeek, and reports it', async () => {
    useChannels(channel({ type: 43 }))
    upstream.answer = json(completion('{}'))
    const text = { format: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: { a: {} } } } }
    const answer = await ask({ model: 'deepseek-chat', input: 'hi', text }, '/v1/responses')
    expect(JSON.parse(sentBody())).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: expect.stringContaining('"properties":{"a":{}}') }, user],
    })
    expect(answer.headers.get('x-tollgate-lost-fields')).toContain('response_format.json_schema')
  })
})

describe('what chat completions refuse', () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
  const called = {
    ...response,
    output: [{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{}', status: 'completed' }],
  }

  it.each([
    ['gpt-5.6', {}],
    ['gpt-5.4', { reasoning_effort: 'high' }],
    ['gpt-6-astra', {}],
  ])('is asked for in responses: functions of %s with %j', async (model, more) => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(called)
    const answer = await ask({ ...hi, model, tools, ...more })
    expect(upstream.received.at(-1)?.path).toBe('/v1/responses')
    expect(JSON.parse(sentBody())).toMatchObject({ model, tools: [{ type: 'function', name: 'look' }] })
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { tool_calls: [{ id: 'c1', function: { name: 'look' } }] }, finish_reason: 'tool_calls' }],
    })
  })

  it.each([
    ['gpt-5.4', {}],
    ['gpt-5.6', { reasoning_effort: 'none' }],
    ['gpt-4o', {}],
  ])('is nothing else: functions of %s with %j', async (model, more) => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(completion('Hello'))
    const body = JSON.stringify({ ...hi, model, tools, ...more })
    await ask(body)
    expect(sentBody()).toBe(body)
  })
})

describe('a search of the web', () => {
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
  const asking = { model: 'gpt-4o', max_tokens: 90, messages: hi.messages, tools: [search] }
  const found = {
    ...response,
    tools: [{ type: 'web_search' }],
    output: [
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'news', sources: [{ type: 'url', url: 'https://a.example/' }] },
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          {
            type: 'output_text',
            text: 'News.',
            annotations: [
              { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 5 },
            ],
          },
        ],
      },
    ],
  }

  it('of Claude’s clients is made by OpenAI’s responses, with its results and citations', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(found)
    const answer = await ask({ ...asking, tool_choice: { type: 'tool', name: 'web_search' } }, '/v1/messages')
    expect(upstream.received.at(-1)?.path).toBe('/v1/responses')
    expect(JSON.parse(sentBody())).toMatchObject({
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'web_search' },
      max_tool_calls: 3,
      include: expect.arrayContaining(['web_search_call.action.sources']),
    })
    expect(answer.headers.get('x-tollgate-lost-fields')).toBeNull()
    const body = (await answer.json()) as { content: { type: string; id?: string }[] }
    expect(body).toMatchObject({
      content: [
        { type: 'server_tool_use', name: 'web_search', input: { query: 'news' } },
        { type: 'web_search_tool_result', content: [{ type: 'web_search_result', url: 'https://a.example/' }] },
        { type: 'text', text: 'News.', citations: [{ url: 'https://a.example/', title: 'A' }] },
      ],
      usage: { server_tool_use: { web_search_requests: 1 } },
    })
    expect(lastRecord()).toMatchObject({ kind: 'charge' })
    // The next turn brings the blocks back, to OpenAI or to Anthropic, who did not write them.
    const next = { ...asking, messages: [...hi.messages, { role: 'assistant', content: body.content }, user] }
    await ask(next, '/v1/messages')
    expect(sentBody()).toContain('https://a.example/')
    expect(sentBody()).not.toContain('server_tool_use')
    useChannels(channel({ type: 14 }))
    upstream.answer = json(message)
    await ask({ ...next, model: 'claude-sonnet-4-5' }, '/v1/messages')
    expect(sentBody()).toContain('- https://a.example/')
    expect(sentBody()).not.toMatch(/server_tool_use|web_search_tool_result|tollgate/)
  })

  it('is streamed with the same blocks', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(found)
    const text = await (await ask({ ...asking, stream: true }, '/v1/messages')).text()
    expect(text).toContain('"content_block":{"type":"server_tool_use"')
    expect(text).toContain('"content_block":{"type":"web_search_tool_result"')
    expect(text).toContain('"type":"citations_delta"')
  })

  it('is named as unsupported where only chat completions are spoken', async () => {
    useChannels(channel({ type: 8, baseUrl: `${upstream.url}/v1/chat/completions` }))
    upstream.answer = json(completion('Hello'))
    const tools = [...asking.tools, { name: 'look', input_schema: { type: 'object', properties: {} } }]
    const answer = await ask({ ...asking, tools }, '/v1/messages')
    expect(JSON.parse(sentBody())).not.toHaveProperty('web_search_options')
    expect(answer.headers.get('x-tollgate-lost-fields')).toContain('tools.web_search_20250305')
  })

  it('of a client of chat completions passes through: its own API says which models take the options', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json(completion('Hello'))
    for (const model of ['gpt-4o', 'gpt-4o-search-preview']) {
      const own = JSON.stringify({ ...hi, model, web_search_options: {} })
      await ask(own)
      expect(sentBody()).toBe(own)
    }
  })

  const withFunction = {
    model: 'gemini-2.5-flash',
    input: 'hi',
    tool_choice: 'auto',
    tools: [{ type: 'web_search' }, { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }],
  }
  const generated = { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }] }

  it('goes beside functions to Gemini since its third family, and is named where it cannot', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = json(generated)
    const old = await ask(withFunction, '/v1/responses')
    expect(JSON.parse(sentBody()).tools).toMatchObject([{ functionDeclarations: [{ name: 'look' }] }])
    expect(JSON.parse(sentBody())).toMatchObject({ toolConfig: { functionCallingConfig: { mode: 'AUTO' } } })
    expect(old.headers.get('x-tollgate-lost-fields')).toBe('tools.web_search')
    const third = await ask({ ...withFunction, model: 'gemini-3-pro-preview' }, '/v1/responses')
    expect(JSON.parse(sentBody())).toMatchObject({
      tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'look' }] }],
      toolConfig: { functionCallingConfig: { mode: 'VALIDATED' }, includeServerSideToolInvocations: true },
    })
    expect(third.headers.get('x-tollgate-lost-fields')).toBeNull()
  })
})
