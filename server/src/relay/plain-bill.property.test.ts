import fc from 'fast-check'
import { expect, it } from 'vitest'
import { priceOf } from '../../test/support/billing/price.ts'
import { testChannel } from '../../test/support/relay/ports.ts'
import { createListBook } from '../billing/book/list-book.ts'
import { type PriceRow, tableSource } from '../billing/book/price-table.ts'
import { anyReceipt } from '../billing/cost.ts'
import type { Price } from '../billing/price.ts'
import { type ChannelPrices, createChannelPrices } from '../billing/upstream/channel-prices.ts'
import { anthropicDialect } from '../dialects/anthropic/dialect.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { geminiDialect } from '../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../dialects/openai-responses/dialect.ts'
import { type AnswerBill, answerBill, type BilledAnswer } from './answer-bill.ts'
import type { RelayCall } from './call.ts'
import type { AnswerEnd, Answered, ProviderAnswer, ResponseHead } from './exchange/exchange.ts'
import { PassthroughExchange } from './exchange/passthrough.ts'
import { plainBill } from './plain-bill.ts'
import type { RelayChannel, TokenCounter } from './ports.ts'
import { createAttemptLog } from './records/attempt-log.ts'
import { freeRefusal } from './usage/free-refusal.ts'
import { usedBy } from './usage/used.ts'

/** The bill of a plain answer is the one that the general way makes, in every dialect, whole and streamed. */

type Json = Readonly<Record<string, unknown>>

const model = 'gpt-4o'
const event = (data: unknown, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

interface Wire {
  readonly dialect: Dialect
  readonly path: string
  answer(usage: unknown, stated: string, text: string): Json
  events(usage: unknown, stated: string, text: string): readonly string[]
}

const chat: Wire = {
  dialect: openaiChatDialect,
  path: '/v1/chat/completions',
  answer: (usage, stated, text) => ({ id: 'c1', model: stated, choices: [{ message: { content: text } }], usage }),
  events: (usage, stated, text) => [
    event({ id: 'c1', model: stated, choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }),
    event({ id: 'c1', model: stated, choices: [], usage }),
    event('[DONE]'),
  ],
}

const item = (text: string): Json => ({ type: 'message', content: [{ type: 'output_text', text }] })
const responses: Wire = {
  dialect: openaiResponsesDialect,
  path: '/v1/responses',
  answer: (usage, stated, text) => ({ id: 'r1', model: stated, output: [item(text)], usage }),
  events: (usage, stated, text) => [
    event({ type: 'response.output_text.delta', delta: text }, 'response.output_text.delta'),
    event(
      { type: 'response.completed', response: { id: 'r1', model: stated, output: [item(text)], usage } },
      'response.completed',
    ),
  ],
}

const claude: Wire = {
  dialect: anthropicDialect,
  path: '/v1/messages',
  answer: (usage, stated, text) => ({
    id: 'm1',
    type: 'message',
    model: stated,
    content: [{ type: 'text', text }],
    usage,
    stop_reason: text === '' ? 'refusal' : 'end_turn',
  }),
  events: (usage, stated, text) => [
    event({ type: 'message_start', message: { id: 'm1', model: stated, usage } }, 'message_start'),
    event({ type: 'content_block_delta', delta: { type: 'text_delta', text } }, 'content_block_delta'),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, 'message_delta'),
    event({ type: 'message_stop' }, 'message_stop'),
  ],
}

const gemini: Wire = {
  dialect: geminiDialect,
  path: `/v1beta/models/${model}:generateContent`,
  answer: (usage, stated, text) => ({
    modelVersion: stated,
    candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: usage,
  }),
  events: (usage, stated, text) => [event(gemini.answer(usage, stated, text))],
}

const count = fc.oneof(fc.constant(0), fc.nat(40), fc.nat(7000), fc.nat(400_000))
const odd = fc.constantFrom<unknown>('12', -1, 0.5, null, 1e300, {}, [3], 'x')
const oddly = fc.oneof({ weight: 20, arbitrary: count as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })
const more = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Json>({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Json>(
      ...[{ ultra_tokens: 5 }, { cost: 0.25 }, { cost: 0 }, { service_tier: 'priority' }, { num_search_queries: 2 }],
      ...[{ server_tool_use: { web_search_requests: 2 } }, { inference_geo: 'us' }, { trafficType: 'ON_DEMAND_FLEX' }],
      { iterations: [{ type: 'message', input_tokens: 5, output_tokens: 3 }] },
    ),
  },
)

const usageOf = (
  names: Readonly<Record<'prompt' | 'completion' | 'total' | 'cached', string>>,
): fc.Arbitrary<unknown> =>
  fc
    .tuple(oddly, oddly, fc.boolean(), fc.constantFrom(0, 0, 9), more)
    .map(([prompt, completion, hasTotal, cached, extra]) => {
      const isSum = hasTotal && typeof prompt === 'number' && typeof completion === 'number'
      const total = isSum ? { [names.total]: prompt + completion } : {}
      const [first, second] = names.cached.split('.')
      const read = second === undefined ? cached : { [second]: cached }
      return { [names.prompt]: prompt, [names.completion]: completion, ...total, [first ?? '']: read, ...extra }
    })

const wires: readonly (readonly [string, Wire, fc.Arbitrary<unknown>])[] = [
  [
    'chat',
    chat,
    usageOf({
      prompt: 'prompt_tokens',
      completion: 'completion_tokens',
      total: 'total_tokens',
      cached: 'prompt_tokens_details.cached_tokens',
    }),
  ],
  [
    'responses',
    responses,
    usageOf({
      prompt: 'input_tokens',
      completion: 'output_tokens',
      total: 'total_tokens',
      cached: 'input_tokens_details.cached_tokens',
    }),
  ],
  [
    'Anthropic',
    claude,
    usageOf({
      prompt: 'input_tokens',
      completion: 'output_tokens',
      total: 'x',
      cached: 'cache_read_input_tokens',
    }),
  ],
  [
    'Gemini',
    gemini,
    usageOf({
      prompt: 'promptTokenCount',
      completion: 'candidatesTokenCount',
      total: 'totalTokenCount',
      cached: 'cachedContentTokenCount',
    }),
  ],
]

const source = 'https://example.com (2026-11)'
const long = { above: 5000, rates: { input: 5, cache_read: 2.5, output: 15 } }
const rows: readonly PriceRow[] = [
  {
    models: ['gpt-4o*'],
    provider: 'openai',
    source,
    rates: { input: 2.5, cache_read: 1.25, output: 10 },
    contexts: [long],
    announced: { from: '2026-01-01', factor: 2 },
    tiers: { place_regional: 1.1 },
  },
  { models: ['gpt-4.1'], provider: 'openai', source, rates: { input: 2, output: 8 } },
]
const list = createListBook([tableSource(rows, 'list')])
const prices: readonly Price[] = [
  priceOf(model),
  priceOf(model, { modelRatio: {}, list }),
  priceOf(model, { modelPrice: { [model]: 0.01 } }),
  priceOf(model, { modelRatio: { [model]: 1.25 }, completionRatio: { [model]: 3 } }),
]
const [first] = prices
const reason = { kind: 'price', place: 'openai', name: 'm', value: 'n' } as const
const allPrices = [...prices, ...(first === undefined ? [] : [{ ...first, provisional: reason }])]

const channels: readonly RelayChannel[] = [
  testChannel({ baseUrl: 'https://api.openai.com' }),
  testChannel({ baseUrl: 'https://us.api.openai.com' }),
  testChannel({ baseUrl: 'https://gateway.example', cost: { factor: 0.5 } as never }),
  testChannel({
    baseUrl: 'https://api.openai.com',
    cost: { discounts: [{ from: '2026-06-01', to: '2026-06-10', factor: 0.5 }] } as never,
  }),
  testChannel({ type: 14, baseUrl: 'https://api.anthropic.com' }),
  testChannel({ baseUrl: 'https://api.openai.com', cost: { models: { [model]: { call: 0.004 } } } as never }),
]

const counter: TokenCounter = {
  prompt: () => Promise.resolve(11),
  text: (_: string, text: string) => Promise.resolve(text.length),
} as unknown as TokenCounter

/** Statements of costs that choices among channels learn from. */
const noted: unknown[] = []
const otherList = createListBook([tableSource(rows.slice(1), 'other')])
const allCosts: readonly ChannelPrices[] = [list, otherList].map((listed) => ({
  ...createChannelPrices({ list: listed, quotaPerUnit: 500_000 }),
  noteStated: (...all) => {
    noted.push(all)
  },
}))

interface Case {
  readonly usage: unknown
  readonly stated: string
  readonly text: string
  readonly stream: boolean
  readonly end: AnswerEnd
  readonly price: Price
  readonly channel: RelayChannel
  readonly body: Json
  readonly headCost: string | undefined
  readonly startedAt: number
  readonly costs: ChannelPrices
  /** The model as the channel maps it. */
  readonly upstreamModel: string
}

const casesOf = (usage: fc.Arbitrary<unknown>): fc.Arbitrary<Case> =>
  fc.record({
    usage,
    stated: fc.constantFrom(...[model, model, 'gpt-4o-2024-08-06', 'gpt-4.1', '']),
    text: fc.constantFrom('Hello', 'Hello', ''),
    stream: fc.boolean(),
    end: fc.constantFrom<AnswerEnd>('done', 'done', 'done', 'client_gone', 'stopped'),
    price: fc.constantFrom(...allPrices),
    channel: fc.constantFrom(...channels),
    body: fc.constantFrom<Json>({}, {}, { max_tokens: 20 }, { n: 2 }, { models: ['gpt-4.1'] }),
    headCost: fc.constantFrom(undefined, undefined, undefined, '0.5'),
    startedAt: fc.constantFrom(
      ...['2025-06-05', '2026-05-31', '2026-06-05', '2026-06-12'].map((day) => Date.parse(day)),
    ),
    costs: fc.constantFrom(...allCosts),
    upstreamModel: fc.constantFrom(model, model, 'gpt-4.1'),
  })

const nothing = (): void => {}
const client = {
  gone: false,
  begun: false,
  head: nothing,
  write: () => true,
  end: nothing,
  abandon: nothing,
  listen: nothing,
}

const answerOf = (
  wire: Wire,
  call: RelayCall,
  { usage, stated, text, stream, channel }: Case,
): ProviderAnswer | undefined => {
  const { provider } = channel
  const request = { model, path: wire.path, query: '', contentType: 'application/json', body: call.raw, provider }
  const exchange = new PassthroughExchange({
    call,
    channel,
    dialect: wire.dialect.passthrough,
    request: { ...request, accept: undefined },
  })
  const head: ResponseHead = {
    status: 200,
    headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
  }
  const forwarder = exchange.openStream(head, {
    client,
    largestEvent: 1e6,
    key: '',
    answerCheck: undefined,
    holdsOpening: false,
    whenFull: nothing,
  })
  if (forwarder === undefined) {
    const reading = exchange.readResponse(head, Buffer.from(JSON.stringify(wire.answer(usage, stated, text))))
    return !(reading instanceof Promise) && reading.kind === 'answer' ? reading : undefined
  }
  for (const each of wire.events(usage, stated, text)) forwarder.push(Buffer.from(each))
  return forwarder.finish() ? forwarder : undefined
}

const billedOf = (wire: Wire, each: Case): BilledAnswer | undefined => {
  const body = { model, messages: [], ...each.body }
  const call = {
    id: 'q',
    startedAt: each.startedAt,
    path: wire.path,
    model,
    stream: each.stream,
    endpoint: 'conversation',
    dialect: wire.dialect,
    query: '',
    raw: Buffer.from(JSON.stringify(body)),
    body,
    passed: {},
  } as unknown as RelayCall
  const answer = answerOf(wire, call, each)
  if (answer === undefined) return undefined
  const stated = each.headCost === undefined ? {} : { stated: { amount: each.headCost, by: 'x-litellm-response-cost' } }
  const outcome = { kind: 'answered', answer, end: each.end, failure: undefined, requestId: '', ...stated } as Answered
  const attemptLog = { ...createAttemptLog(), channel: each.channel, channelId: 1, upstreamModel: each.upstreamModel }
  return { outcome, call, attemptLog, parts: { costs: each.costs, log: nothing }, quotaPerUnit: 500_000 }
}

const generally = async (billed: BilledAnswer, price: Price): Promise<AnswerBill> => {
  const { outcome, call, attemptLog } = billed
  const { channel, upstreamModel } = attemptLog
  const used = freeRefusal(outcome, channel) ?? (await usedBy(outcome, call, upstreamModel, counter, price))
  return answerBill(billed, used, price)
}

it.each(wires)('an answer of %s costs the same in both ways', async (_, wire, usages) => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(casesOf(usages), async (each) => {
      const [one, other] = [billedOf(wire, each), billedOf(wire, each)]
      if (one === undefined || other === undefined) return
      noted.length = 0
      const quick = plainBill(one, each.price)
      if (quick === undefined) return
      plain += 1
      const notedQuickly = noted.splice(0)
      expect(quick).toEqual(await generally(other, each.price))
      expect(notedQuickly).toEqual(noted)
      expect(JSON.stringify(quick.receipt)).toBe(
        JSON.stringify(anyReceipt(quick.usage, each.price, { estimated: false })),
      )
    }),
    { numRuns: 3000 },
  )
  expect(plain).toBeGreaterThan(25)
})
