import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'

/** Words that every object of JavaScript has, where a type, role, model, field, format or option is read. */

const inheritedNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** JSON text, so that `__proto__` is a member of its own. */
const member = (name: string, value: string): string => `${JSON.stringify(name)}:${value}`

/** The value once for each of its texts and each of its names, in whose place the word stands. */
const variantsOf = (value: Json, word: string): string[] => {
  if (typeof value === 'string') return [JSON.stringify(word)]
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, at: number) =>
      variantsOf(item, word).map(
        (variant) => `[${value.map((other: Json, index: number) => (index === at ? variant : JSON.stringify(other)))}]`,
      ),
    )
  }
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const withEntry = (at: number, text: string): string =>
    `{${entries.map(([name, inner], index) => (index === at ? text : member(name, JSON.stringify(inner))))}}`
  return entries.flatMap(([name, inner], at) => [
    ...variantsOf(inner, word).map((variant) => withEntry(at, member(name, variant))),
    withEntry(at, member(word, JSON.stringify(inner))),
    withEntry(at, `${member(name, JSON.stringify(inner))},${member(word, '"x"')}`),
  ])
}

const schema = { type: 'object', properties: { city: { type: 'string', format: 'date' } }, required: ['city'] }
const picture = 'data:image/png;base64,iVBORw0KGgo='

const chat = (model: string): Json => ({
  model,
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image_url', image_url: { url: picture, detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get', arguments: '{"city":"x"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
  ],
  tools: [{ type: 'function', function: { name: 'get', description: 'd', parameters: schema } }],
  tool_choice: { type: 'function', function: { name: 'get' } },
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  reasoning_effort: 'low',
  service_tier: 'auto',
  stop: ['END'],
  max_tokens: 20,
})

const responses = (model: string): Json => ({
  model,
  input: [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'hi' },
        { type: 'input_image', image_url: picture, detail: 'low' },
      ],
    },
    { type: 'function_call', call_id: 'c1', name: 'get', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
  ],
  tools: [
    { type: 'function', name: 'get', parameters: schema, strict: false },
    { type: 'web_search', search_context_size: 'low' },
  ],
  tool_choice: 'auto',
  text: { format: { type: 'text' }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  truncation: 'auto',
  max_output_tokens: 20,
})

const messages = (model: string): Json => ({
  model,
  max_tokens: 20,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'get', input: { city: 'x' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'sunny' }] }] },
  ],
  tools: [
    { name: 'get', description: 'd', input_schema: schema },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
  tool_choice: { type: 'tool', name: 'get' },
  thinking: { type: 'disabled' },
  service_tier: 'auto',
})

const generate = (): Json => ({
  contents: [
    { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
    { role: 'model', parts: [{ functionCall: { name: 'get', args: { city: 'x' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'get', response: { result: 'sunny' } } }] },
  ],
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [
    {
      functionDeclarations: [
        { name: 'get', description: 'd', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } },
      ],
    },
    { googleSearch: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get'] } },
  generationConfig: {
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT' },
    thinkingConfig: { thinkingLevel: 'low' },
    responseModalities: ['TEXT'],
  },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
})

/** Answers of the providers, in which the words may stand as well. */
const answers = {
  openai: {
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    system_fingerprint: 'f',
    service_tier: 'default',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'hi',
          annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't' } }],
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'get', arguments: '{}' } }],
        },
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 5,
      total_tokens: 10,
      server_side_tool_usage_details: { web_search_calls: 1 },
    },
  },
  anthropic: {
    id: 'a',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
    stop_sequence: null,
    content: [
      { type: 'text', text: 'hi' },
      { type: 'tool_use', id: 't', name: 'get', input: { city: 'x' } },
    ],
    usage: { input_tokens: 5, output_tokens: 5, service_tier: 'standard', server_tool_use: { web_search_requests: 1 } },
  },
  gemini: {
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: { role: 'model', parts: [{ text: 'hi' }, { functionCall: { name: 'get', args: { city: 'x' } } }] },
        safetyRatings: [{ category: 'c', probability: 'LOW' }],
      },
    ],
    usageMetadata: {
      promptTokenCount: 5,
      candidatesTokenCount: 5,
      totalTokenCount: 10,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
    },
    modelVersion: 'm',
    responseId: 'r',
  },
} as const satisfies Record<string, Json>

type Kind = keyof typeof answers
const kinds = Object.keys(answers) as Kind[]
const kindOfPath = (path: string): Kind =>
  path.includes('/messages') ? 'anthropic' : path.includes('generateContent') ? 'gemini' : 'openai'

describe('names that every object inherits', () => {
  let site: Site
  let operator: Person
  let key: string
  let upstream: Server
  let address: string
  /** Upstream's answer in place of its usual one. */
  let override: string | undefined

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      request.resume().on('end', () => {
        const { pathname } = new URL(request.url ?? '', 'http://upstream')
        const text = override ?? JSON.stringify(answers[kindOfPath(pathname)])
        response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const bound = upstream.address()
    address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
    site = await startSite()
    operator = await signIn(site.url)
    for (const [kind, type] of [
      ['openai', 1],
      ['anthropic', 14],
      ['gemini', 24],
    ] as const) {
      await addChannel(operator, address, { name: kind, type, models: `to-${kind},${inheritedNames}` })
    }
    const ratios = Object.fromEntries(
      [...kinds.map((kind) => `to-${kind}`), ...inheritedNames].map((model) => [model, 1]),
    )
    await operator.must('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) })
    key = await addKey(operator)
  })
  afterAll(async () => {
    await site?.remove()
    upstream?.close()
  })

  const send = async (path: string, body: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    return { status: response.status, text: await response.text() }
  }

  /** Answers that are a fault of the server. That a model has no price is a refusal with this status. */
  const broken = async (path: string, bodies: readonly string[]): Promise<string[]> => {
    const faults: string[] = []
    const queue = [...new Set(bodies)]
    const worker = async (): Promise<void> => {
      for (let body = queue.pop(); body !== undefined; body = queue.pop()) {
        const { status, text } = await send(path, body)
        if (status === 500 && !text.includes('ratio or price not set'))
          faults.push(`${path} ${body.slice(0, 2000)} → ${status} ${text.slice(0, 300)}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    return faults
  }

  const requests = (model: string): readonly (readonly [string, Json])[] => [
    ['/v1/chat/completions', chat(model)],
    ['/v1/responses', responses(model)],
    ['/v1/messages', messages(model)],
    [`/v1beta/models/${model}:generateContent`, generate()],
  ]

  describe.each(kinds)('to a provider of the kind %s', (kind) => {
    it.each(inheritedNames)('are answered without a fault where a request says %s', async (word) => {
      override = undefined
      const faults: string[] = []
      for (const [path, body] of requests(`to-${kind}`)) {
        expect((await send(path, JSON.stringify(body))).status).toBeLessThan(500)
        faults.push(...(await broken(path, variantsOf(body, word))))
      }
      expect(faults).toEqual([])
    })

    it.each(inheritedNames)('are answered without a fault where the provider says %s', async (word) => {
      const faults: string[] = []
      for (const variant of variantsOf(answers[kind], word)) {
        override = variant
        for (const [path, body] of requests(`to-${kind}`)) {
          faults.push(
            ...(await broken(path, [JSON.stringify(body)])).map((fault) => `${variant.slice(0, 1500)}: ${fault}`),
          )
        }
      }
      override = undefined
      expect(faults).toEqual([])
    })
  })

  it.each(inheritedNames)('%s as the name of a model, of other calls and in paths', async (word) => {
    override = undefined
    const others: readonly (readonly [string, Json])[] = [
      ...requests(word),
      ['/v1/embeddings', { model: 'to-openai', input: 'hi', encoding_format: 'float' }],
      ['/v1/embeddings', { model: 'to-gemini', input: 'hi', encoding_format: 'float' }],
      ['/v1/rerank', { model: 'to-openai', query: 'q', documents: ['a'] }],
      ['/v1/moderations', { model: 'to-openai', input: 'hi' }],
      ['/v1/completions', { model: 'to-openai', prompt: 'hi' }],
      [
        '/v1/images/generations',
        { model: 'to-openai', prompt: 'p', size: '1024x1024', quality: 'hd', style: 'vivid', response_format: 'url' },
      ],
      ['/v1/audio/speech', { model: 'to-openai', input: 'hi', voice: 'alloy', response_format: 'mp3' }],
      ['/v1beta/models/to-gemini:embedContent', { content: { parts: [{ text: 'hi' }] }, taskType: 'RETRIEVAL_QUERY' }],
      [`/v1beta/models/${word}:${word}`, {}],
      [`/v1/${word}`, {}],
      ['/mj/submit/imagine', { prompt: 'p', botType: 'MID_JOURNEY' }],
      [`/mj/submit/${word}`, { prompt: 'p' }],
      [`/suno/submit/${word}`, { prompt: 'p' }],
    ]
    for (const [path, body] of others)
      expect(await broken(path, [JSON.stringify(body), ...variantsOf(body, word)])).toEqual([])
  })

  it.each(inheritedNames)('%s in the console', async (word) => {
    const calls: readonly (readonly [string, string, Json?])[] = [
      ['POST', '/api/user/manage', { id: 1, action: 'enable' }],
      ['PUT', '/api/option/', { key: 'SystemName', value: 'x' }],
      ['PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1}' }],
      ['POST', '/api/token/', { name: 'x', group: 'default', model_limits: 'a' }],
      [
        'POST',
        '/api/channel/',
        {
          type: 1,
          name: 'n',
          key: 'k',
          models: 'a',
          group: 'default',
          model_mapping: '{"a":"b"}',
          setting: '{"proxy":""}',
        },
      ],
      ['PUT', '/api/preferences', { columns: { logs: { order: ['a'], hidden: [] } }, marks: { a: 'b' } }],
      ['POST', '/api/user/', { username: 'someone', password: 'battery-staple', display_name: 'x', group: 'default' }],
      ['POST', '/api/channel/batch', { ids: [1], action: 'enable' }],
      ['GET', `/api/log/?type=${word}&model_name=${word}&not=${word}&order=${word}&${word}=1`],
      ['GET', `/api/log/facets?of=${word}`],
      ['GET', `/api/channel/?type=${word}&sort=${word}&order=${word}`],
      ['GET', `/api/oauth/${word}`],
      ['GET', `/api/pricing?group=${word}`],
      ['GET', `/api/data/?default_time=${word}`],
      ['GET', `/api/${word}`],
      ['GET', `/${word}`],
    ]
    for (const [method, path, body] of calls) {
      const bodies = body === undefined ? [undefined] : variantsOf(body, word)
      for (const text of bodies) {
        const response = await fetch(`${site.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...(await sessionHeaders()) },
          ...(text === undefined ? {} : { body: text }),
        })
        const answer = await response.text()
        expect([method, path, text, response.status, answer]).not.toContain(500)
        expect(answer).not.toMatch(/internal_error|"code":"internal/)
      }
    }
  })

  let session: Record<string, string> | undefined
  const sessionHeaders = async (): Promise<Record<string, string>> => {
    if (session !== undefined) return session
    const token = await operator.must<string>('GET', '/api/user/token')
    session = { authorization: token, 'new-api-user': String(operator.id) }
    return session
  }
})
