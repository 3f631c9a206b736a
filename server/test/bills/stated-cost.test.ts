import { beforeEach, describe, expect, it } from 'vitest'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { createLossWatch, type Loss } from '../../src/features/channels/loss-watch.ts'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { createBelowCost } from '../../src/relay/routing/below-cost.ts'
import { testList } from '../support/billing/list.ts'
import { priceOf } from '../support/billing/price.ts'
import { message, named, response } from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../support/gateway/upstream.ts'
import { testOptions, testPrices } from '../support/relay/ports.ts'

useScene()

/** 0.004 dollars for 800 tokens in and 200 out of this price: 2,000 quota units. */
const list = testList({ 'openai/gpt-5.4': [2.5, 10], 'gpt-4o': [2.5, 10] })
const model = 'openai/gpt-5.4'
const tokens = { prompt_tokens: 800, completion_tokens: 200, total_tokens: 1000 }

beforeEach(() => reopenGateway({ costs: createChannelPrices({ list, quotaPerUnit: 500_000 }) }))

interface Cost {
  readonly quota: number
  readonly version: string
  readonly stated_gap?: number
  readonly stated?: {
    readonly amount: string
    readonly by: string
    readonly provider: string
    readonly computed?: number
  }
}

const costOf = (): Cost | undefined => (lastRecord()?.other.admin_info as { cost?: Cost } | undefined)?.cost

const clients: readonly (readonly [name: string, call: (stream: boolean) => readonly [object, string]])[] = [
  ['chat', (stream) => [{ model, messages: hi.messages, stream }, '/v1/chat/completions']],
  ['responses', (stream) => [{ model, input: 'hi', stream }, '/v1/responses']],
  ['messages', (stream) => [{ model, max_tokens: 300, messages: hi.messages, stream }, '/v1/messages']],
  [
    'gemini',
    (stream) => [
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    ],
  ],
]

const usageEvent = (usage: object): string =>
  `data: ${JSON.stringify({ id: 'gen-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage })}\n\n`

/** Answers of both of OpenAI's dialects, whole and streamed, as the call asks for. */
const answering = (cost: object, headers: Record<string, string> = {}): void => {
  upstream.answer = (call) => {
    const isStream = JSON.parse(call.body.toString()).stream === true
    const isResponses = call.path.startsWith('/v1/responses') || call.path.endsWith('/responses')
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = tokens
    const whole = { ...response, model, usage: { input_tokens, output_tokens, total_tokens, ...cost } }
    if (!isStream) {
      const chat = { ...completion('hello'), model, usage: { ...tokens, ...cost } }
      json(isResponses ? whole : chat, 200, headers)(call)
      return
    }
    const events = isResponses
      ? [
          named('response.created', { response: { ...whole, output: [], usage: null } }),
          named('response.output_text.delta', { output_index: 0, delta: 'Hello' }),
          named('response.completed', { response: whole }),
        ]
      : [chunk('hello'), usageEvent({ ...tokens, ...cost }), done]
    call.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(events.join(''))
  }
}

const typed = (type: number, changes: Partial<RelayChannel> = {}): RelayChannel => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no type ${type}`)
  return channel({ type, provider, ...changes } as Partial<RelayChannel>)
}

const call = async (cost: object, through: RelayChannel, headers: Record<string, string> = {}): Promise<void> => {
  useChannels(through)
  answering(cost, headers)
  await (await ask({ model, messages: hi.messages })).text()
}

describe.each(clients)('a call of a client of %s', (_, bodyOf) => {
  it.each([
    ['whole', false],
    ['streamed', true],
  ])('costs what OpenRouter states, %s', async (_name, isStream) => {
    useChannels(typed(20))
    answering({ cost: 0.5, is_byok: false, cost_details: { upstream_inference_cost: 0.5 } })
    const [body, path] = bodyOf(isStream)
    await (await ask(body as Record<string, unknown>, path)).text()
    expect(lastRecord()).toMatchObject({ kind: 'charge', cost: 250_000 })
    expect(costOf()).toEqual({
      quota: 250_000,
      version: 'stated',
      factor: '1',
      stated: { amount: '0.5', by: 'cost', provider: 'openrouter', model, computed: 2000 },
      stated_gap: 248_000,
    })
    // The user pays the operator's price, whatever it cost.
    expect(lastRecord()?.receipt?.provisional).toBeUndefined()
    expect(JSON.stringify(lastRecord()?.receipt)).not.toContain('stated')
  })
})

describe('the statement', () => {
  it.each<[string, number, object, number]>([
    [
      'OpenRouter with a key of one’s own',
      20,
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      10_500,
    ],
    ['OpenRouter’s answers of 2025', 20, { cost: 0.95, cost_details: { upstream_inference_cost: 19 } }, 9_975_000],
    ['OpenRouter’s free models', 20, { cost: 0, is_byok: false }, 0],
    ['xAI', 48, { cost_in_usd_ticks: 200_000_000 }, 10_000],
    [
      'Perplexity',
      27,
      { cost: { input_tokens_cost: 0.00007, output_tokens_cost: 0.00003, request_cost: 0.005, total_cost: 0.0051 } },
      2550,
    ],
    ['DeepInfra', 1, { estimated_cost: 0.0268 }, 13_400],
    ['LLM Gateway', 1, { cost_usd_total: 0.000125, cost_usd_input: 0.000025 }, 63],
    ['a gateway, as text', 8, { cost: '0.00000400' }, 2],
    ['a gateway, with an exponent', 1, { cost: 3e-7 }, 0],
  ])('of %s is read in its unit', async (_name, type, usage, quota) => {
    await call(usage, typed(type))
    expect(costOf()).toMatchObject({ quota, version: 'stated' })
    expect(lastRecord()?.receipt?.provisional).toBeUndefined()
  })

  it('stands in the head of LiteLLM’s answers', async () => {
    await call({}, typed(1), { 'x-litellm-response-cost': '3.45e-02' })
    expect(costOf()).toMatchObject({ quota: 17_250, stated: { amount: '0.0345', by: 'x-litellm-response-cost' } })
  })

  it.each<[string, object, Record<string, string>]>([
    ['what is below nothing', { cost: -1 }, {}],
    ['no number', { cost: 'free' }, {}],
    ['a text without an end', { cost: '1'.repeat(65) }, {}],
    ['what cannot be counted', { cost: 1e300 }, {}],
    ['less than any unit', { cost: 1e-300 }, {}],
    ['a key of one’s own whose cost is not stated', { cost: 0.001, is_byok: true }, {}],
    ['0 of a gateway that does not know', { cost: 0 }, {}],
    ['0 ticks', { cost_in_usd_ticks: 0 }, {}],
    ['a head before the cost is known', {}, { 'x-litellm-response-cost': '0.0' }],
    ['a head without a cost', {}, { 'x-litellm-response-cost': 'None' }],
  ])('is not believed: %s', async (_name, usage, headers) => {
    await call(usage, typed(1), headers)
    expect(costOf()).toEqual({ quota: 2000, version: 'list 1', factor: '1' })
  })

  it('is the cost also where no list has a price', async () => {
    useChannels(typed(20, { modelMapping: new Map([['gpt-4o', 'unheard-of']]) } as Partial<RelayChannel>))
    answering({ cost: 0.02 })
    await (await ask(hi)).text()
    expect(costOf()).toMatchObject({ quota: 10_000, version: 'stated' })
    expect(costOf()?.stated_gap).toBeUndefined()
  })

  it('is no finding where it differs by rounding alone', async () => {
    await call({ cost: 0.004002 }, typed(20))
    expect(costOf()).toMatchObject({ quota: 2001 })
    expect(costOf()?.stated_gap).toBeUndefined()
  })

  it('of a message through a gateway counts in that dialect, too', async () => {
    useChannels(typed(14))
    const usage = {
      input_tokens: 800,
      output_tokens: 200,
      cost: 0.03,
      is_byok: false,
      cost_details: { upstream_inference_cost: null },
    }
    const claude = { ...message, model, usage }
    upstream.answer = json(claude)
    const body = { model, max_tokens: 300, messages: hi.messages }
    await (await ask(body, '/v1/messages')).text()
    expect(costOf()).toMatchObject({ quota: 15_000, version: 'stated' })
    expect(lastRecord()?.receipt?.provisional).toBeUndefined()

    upstream.answer = stream(
      named('message_start', { message: { ...claude, content: [], usage: { input_tokens: 800, output_tokens: 1 } } }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 200, cost: 0.03 } }),
      named('message_stop', {}),
    )
    await (await ask({ ...body, stream: true }, '/v1/messages')).text()
    expect(costOf()).toMatchObject({ quota: 15_000, version: 'stated' })
  })

  it('of an answer that broke off is not the cost of it', async () => {
    useChannels(typed(27))
    upstream.answer = ({ response: answer }) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.write(chunk('hello') + usageEvent({ ...tokens, cost: { total_cost: 0.00001 } }))
      setImmediate(() => answer.destroy())
    }
    await (await ask({ model, messages: hi.messages, stream: true })).text()
    expect(lastRecord()?.other.end).toBe('upstream_broke')
    expect(costOf()?.version).toBe('list 1')
  })

  it('of pictures, sound and vectors counts where they state nothing else', async () => {
    useChannels(typed(48))
    upstream.answer = json({ data: [{ url: 'https://x/1.jpg' }], usage: { cost_in_usd_ticks: 200_000_000 } })
    await (await ask({ model: 'grok-2-image', prompt: 'x' }, '/v1/images/generations')).text()
    expect(costOf()).toMatchObject({ quota: 10_000, version: 'stated' })

    useChannels(typed(20))
    upstream.answer = json({
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      usage: { prompt_tokens: 3, total_tokens: 3, cost: 0.00006, cost_details: { upstream_inference_cost: 0.00006 } },
    })
    await (await ask({ model, input: 'x' }, '/v1/embeddings')).text()
    expect(costOf()).toMatchObject({ quota: 30, version: 'stated' })
  })
})

describe('what goes by cost', () => {
  it('warns of a loss by what was stated', async () => {
    const losses: Loss[] = []
    const watch = createLossWatch({ enabled: () => true, warn: (loss) => void losses.push(loss), clock: Date.now })
    await reopenGateway({ costs: createChannelPrices({ list, quotaPerUnit: 500_000 }), onCharged: watch.charged })
    await call({ cost: 0.5 }, typed(20, { id: 2 }))
    expect(losses).toMatchObject([{ channelId: 2, cost: 250_000 }])
  })

  it('routes around a channel whose calls were stated to cost more than they are sold for', async () => {
    const prices = testPrices(priceOf('gpt-4o'))
    const costs = createChannelPrices({ list, quotaPerUnit: 500_000 })
    await reopenGateway({
      costs,
      prices,
      belowCost: createBelowCost({ prices, costs }),
      settings: { ...testOptions, avoidsLosses: true },
    })
    useChannels(typed(20, { id: 1, priority: 9 }), typed(20, { id: 2 }))
    answering({ cost: 0.008 })
    await (await ask(hi)).text()
    expect(lastRecord()?.channelId).toBe(1)
    await (await ask(hi)).text()
    expect(lastRecord()?.channelId).toBe(2)
  })

  it('goes back to a channel after an hour, and follows what is stated then', () => {
    const costs = createChannelPrices({ list, quotaPerUnit: 500_000 })
    const through = typed(20)
    const at = Date.UTC(2026, 10, 29)
    const listed = costs.of(through, 'gpt-4o', at)
    costs.noteStated(through, 'gpt-4o', { stated: 3000, computed: 2000, at })
    const dearer = costs.expected(through, 'gpt-4o', at + 1)
    expect(dearer?.groupRatio).toEqual({ digits: 15n, scale: 1 })
    expect(costs.expected(through, 'gpt-4o', at + 2)).toBe(dearer)
    expect(costs.of(through, 'gpt-4o', at + 2)).toBe(listed)
    expect(costs.expected(through, 'gpt-4o', at + 3_600_002)).toBe(listed)
  })
})

it('is asked of nobody at a maker’s own address', async () => {
  const { statedSource } = await import('../../src/billing/stated/stated-costs.ts')
  const openai = providerOf(1)
  if (openai === undefined) throw new Error('no OpenAI')
  expect(statedSource({ baseUrl: openai.baseUrl, provider: openai })).toBeUndefined()
  expect(statedSource({ baseUrl: 'https://ai-gateway.vercel.sh', provider: openai })?.name).toBe('ai-gateway.vercel.sh')
})
