import { describe, expect, it } from 'vitest'
import { recompute } from '../../src/billing/cost.ts'
import { defaultSettings, priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, done, json, stream } from '../support/gateway/upstream.ts'
import { testPrices } from '../support/relay/ports.ts'

useScene()

/** Charges of calls whose providers used tools of their own, or served them in another tier, counted from their answers. */

const settings = {
  ...defaultSettings,
  groupRatio: { default: 0.8 },
  modelRatio: { ...defaultSettings.modelRatio, 'gemini-2.5-pro': 2, 'gemini-3-pro': 2 },
  toolPrices: {
    web_search: 10,
    'google_search:gemini-2*': 35,
    google_search_query: 14,
    'google_search_query:gemini-2*': 0,
  },
  tierRatios: { flex: 0.5, priority: 1.7 },
}

/** A channel of a type behind a gateway with prices for tools and tiers. */
const open = async (type: number, model: string): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf(model, settings)) })
  useChannels(channel({ type }))
}

const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

/** Charge of the last call; checks that balance, receipt and the sum of the receipt's figures agree. */
const charged = (): number => {
  const { receipt, quota } = lastRecord() ?? {}
  if (receipt === undefined) throw new Error('nothing was charged')
  expect([quota, recompute(JSON.parse(JSON.stringify(receipt)))]).toEqual([receipt.quota, receipt.quota])
  expect(holdEnds()).toEqual([receipt.quota])
  return receipt.quota
}

const search = (id: string, type: string) => ({
  id,
  type: 'web_search_call',
  status: 'completed',
  action: { type, query: 'x' },
})
const response = {
  id: 'resp_1',
  object: 'response',
  model: 'gpt-4o',
  service_tier: 'default',
  status: 'completed',
  tools: [{ type: 'web_search' }],
  output: [
    search('ws_1', 'search'),
    search('ws_2', 'open_page'),
    search('ws_3', 'search'),
    { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'found' }] },
  ],
  usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
}
const begun = { ...response, status: 'in_progress', service_tier: 'auto', output: [], usage: null }
const responseEvents = [
  named('response.created', { response: begun }),
  ...response.output.slice(0, 3).map((item, at) => named('response.output_item.done', { output_index: at, item })),
  named('response.output_text.delta', { output_index: 3, delta: 'found' }),
]
const searched = { model: 'gpt-4o', input: 'hi', stream: true, tools: [{ type: 'web_search' }] }

describe('a search of the provider', () => {
  it('is charged by the call in a stream of responses that goes through untouched', async () => {
    await open(1, 'gpt-4o')
    const events = [...responseEvents, named('response.completed', { response })]
    upstream.answer = stream(...events)
    expect(await (await ask(searched, '/v1/responses')).text()).toBe(events.join(''))
    // (100 + 10 × 4) × 1.25 × 0.8 and 2 × 10 ÷ 1000 × 500 000 × 0.8
    expect(charged()).toBe(140 + 8000)
    expect(lastRecord()?.receipt?.tools).toEqual([{ tool: 'web_search', quantity: 2, price: '10' }])
  })

  it('is charged as far as it was seen when the stream breaks off', async () => {
    await open(1, 'gpt-4o')
    upstream.answer = ({ response: out }) => {
      out.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of responseEvents) out.write(event)
      setImmediate(() => out.destroy())
    }
    await (await ask(searched, '/v1/responses')).text()
    expect(lastRecord()?.other.end).toBe('upstream_broke')
    expect(lastRecord()?.receipt).toMatchObject({ estimated: true, tools: [{ tool: 'web_search', quantity: 2 }] })
    charged()
  })

  it('is charged as far as it was seen when the client leaves', async () => {
    await open(1, 'gpt-4o')
    upstream.answer = ({ response: out }) => {
      out.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of responseEvents) out.write(event)
    }
    const leaving = new AbortController()
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(searched),
      signal: leaving.signal,
    })
    let received = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += chunk
      if (received.includes('found')) break
    }
    leaving.abort()
    await expect.poll(() => lastRecord()?.other.end).toBe('client_gone')
    expect(lastRecord()?.receipt?.tools).toEqual([{ tool: 'web_search', quantity: 2, price: '10' }])
  })

  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
      { type: 'text', text: 'found' },
    ],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 100,
      output_tokens: 10,
      server_tool_use: { web_search_requests: 3 },
      service_tier: 'standard',
    },
  }
  const chat = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'hi' }] }
  const { usage } = message
  const messageEvents = [
    named('message_start', { message: { ...message, content: [], usage: { input_tokens: 100, output_tokens: 1 } } }),
    ...message.content.flatMap((block, index) => [
      named('content_block_start', { index, content_block: block }),
      named('content_block_stop', { index }),
    ]),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
    named('message_stop', {}),
  ]

  it.each([
    ['whole', false],
    ['streamed', true],
  ])('of Claude is charged to a client of another dialect, %s', async (_, streamed) => {
    await open(14, 'claude-3-5-sonnet-20241022')
    upstream.answer = streamed ? stream(...messageEvents) : json(message)
    expect((await ask({ ...chat, stream: streamed })).status).toBe(200)
    await expect.poll(() => holdEnds()[0]).not.toBe('held')
    // (100 + 10 × 5) × 1.5 × 0.8 and 3 × 10 ÷ 1000 × 500 000 × 0.8
    expect(charged()).toBe(180 + 12_000)
  })

  it.each([
    ['/v1/messages', 'untouched'],
    ['/v1/chat/completions', 'converted'],
  ])('of Claude is charged as far as it was seen when the stream breaks off: %s, %s', async (path) => {
    await open(14, 'claude-3-5-sonnet-20241022')
    upstream.answer = ({ response: out }) => {
      out.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of messageEvents.slice(0, 7)) out.write(event)
      setImmediate(() => out.destroy())
    }
    await (await ask({ ...chat, max_tokens: 50, stream: true }, path)).text()
    expect(lastRecord()?.other.end).toBe('upstream_broke')
    expect(lastRecord()?.receipt?.tools).toEqual([{ tool: 'web_search', quantity: 1, price: '10' }])
    charged()
  })

  const grounded = (model: string) => ({
    responseId: 'g1',
    modelVersion: model,
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'found' }] },
        finishReason: 'STOP',
        groundingMetadata: { webSearchQueries: ['one', '', 'two', 'one'] },
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  })
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const messages = [{ role: 'user', content: 'hi' }]
  const ways = [
    ['whole', (model: string) => `/v1beta/models/${model}:generateContent`, { contents }],
    ['streamed', (model: string) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }],
    ['whole, to a client of another dialect', () => '/v1/chat/completions', { messages }],
    ['streamed, to a client of another dialect', () => '/v1/chat/completions', { messages, stream: true }],
  ] as const
  const models = [
    ['answer up to Gemini 2.5', 'gemini-2.5-pro', 14_000],
    ['different query from Gemini 3 on', 'gemini-3-pro', 11_200],
  ] as const
  const cases = models.flatMap(([unit, model, tools]) => ways.map((way) => [unit, ...way, model, tools] as const))

  it.each(cases)('of Google is charged by the grounded %s, %s', async (_, how, pathOf, body, model, tools) => {
    await open(24, model)
    const answer = grounded(model)
    upstream.answer = how.startsWith('whole') ? json(answer) : stream(`data: ${JSON.stringify(answer)}\n\n`)
    await (await ask({ model, ...body }, pathOf(model))).text()
    // (100 + 10 × 4) × 2 × 0.8 and the tools × 0.8
    expect(charged()).toBe(224 + tools)
  })
})

describe('a service tier', () => {
  const question = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
  const tierChunk = (tier: string, members: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', service_tier: tier, ...members })}\n\n`
  const chunks = (tier: string): string[] => [
    tierChunk(tier, { choices: [{ index: 0, delta: { content: 'hello' } }] }),
    tierChunk(tier, { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
    done,
  ]
  const request = { ...question, stream: true, stream_options: { include_usage: true } }

  it.each([
    ['flex', 'flex', 70],
    ['priority', 'priority', 238],
    ['priority, and is answered in the standard one', 'default', 140],
    ['an unknown tier at the dearest that is known', 'platinum', 840],
  ])('is charged as the answer names it, in an untouched stream: %s', async (_, tier, quota) => {
    await open(1, 'gpt-4o')
    upstream.answer = stream(...chunks(tier))
    expect(await (await ask({ ...request, service_tier: 'flex' })).text()).toBe(chunks(tier).join(''))
    expect(charged()).toBe(quota)
  })

  it('is charged to clients of other dialects too, whole and streamed', async () => {
    await open(1, 'gpt-4o')
    const body = { model: 'gpt-4o', max_tokens: 50, messages: question.messages }
    upstream.answer = json({ ...completion('hello'), service_tier: 'flex' })
    await (await ask(body, '/v1/messages')).text()
    // (10 + 5 × 4) × 1.25 × 0.5 × 0.8
    expect(charged()).toBe(15)
    await open(1, 'gpt-4o')
    upstream.answer = stream(...chunks('flex'))
    await (await ask({ ...body, stream: true }, '/v1/messages')).text()
    expect(charged()).toBe(70)
    expect(lastRecord()?.receipt?.tier).toEqual({ name: 'flex', ratio: '0.5' })
  })

  it('is charged too when the stream breaks off', async () => {
    await open(1, 'gpt-4o')
    upstream.answer = ({ response: out }) => {
      out.writeHead(200, { 'content-type': 'text/event-stream' })
      out.write(chunks('priority')[0])
      setImmediate(() => out.destroy())
    }
    await (await ask(request)).text()
    expect(lastRecord()?.receipt).toMatchObject({ estimated: true, tier: { name: 'priority', ratio: '1.7' } })
    charged()
  })

  it.each([
    ['priority', 1.7],
    ['auto', 1.7],
    ['flex', 1],
    [undefined, 1],
  ])('is reserved for when it is dearer: %s', async (tier, ratio) => {
    await open(1, 'gpt-4o')
    const body = { ...question, max_tokens: 1000, ...(tier === undefined ? {} : { service_tier: tier }) }
    await (await ask(body)).text()
    const amount = Math.ceil((JSON.stringify(body).length + 1000 * 4) * ratio)
    expect(gateway.parts.holds.ends.map((hold) => hold.amount)).toEqual([amount])
  })
})
