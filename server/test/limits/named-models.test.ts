import { beforeEach, describe, expect, it } from 'vitest'
import { keepOtherPrices } from '../../src/billing/named-models/other-prices.ts'
import type { Limiter } from '../../src/limits/limiter.ts'
import { priceOf } from '../support/billing/price.ts'
import { testToken } from '../support/gateway/listener.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { testPrices } from '../support/relay/ports.ts'

/** Limits of a model, and calls that name it beside the model that they ask for. */

useScene()

const ratios = { haiku: 0.5, 'claude-opus-5': 2.5, 'openai/gpt-5.4-nano': 0.1, 'openai/gpt-6-astra': 5 }
const named = { 'gpt-5.5': 2.5, 'gpt-image-1.5': 2.5 }
const models = { ...ratios, ...named, 'claude-haiku-5-5': 0.5 }
const priced = new Map(
  Object.entries(models).map(([model, ratio]) => [model, priceOf(model, { modelRatio: { [model]: ratio } })]),
)
const others = {
  toolsOf: () => undefined,
  priceOf: (model: string) => priced.get(model.replace(/-\d{8}$/, '')),
  ofMaker: () => [],
}
for (const price of priced.values()) keepOtherPrices(price, others)
const noPrice = () => {
  throw new Error('a model without a price')
}
const found = (model: string) => priced.get(model) ?? noPrice()

type Rule = Parameters<typeof openTestLimiter>[0][number]
let limiter: Limiter

const limitBy = async (type: number, ...rules: readonly Rule[]) => {
  limiter = openTestLimiter(rules, { clock: () => Date.parse('2026-11-24T12:00:00Z') })
  await reopenGateway({
    callLimits: limiter,
    prices: { ...testPrices(), of: (model: string) => priced.get(model) },
  })
  useChannels(channel({ type, models: new Set(Object.keys(models)) }))
  gateway.tokens.set('good', testToken)
}

/** A limit of one model; the most is far away unless it is stated. */
const ofModel = (value: string, rule: Partial<Rule> = {}): Rule => ({
  amount: 1_000_000,
  window: 'day',
  ...rule,
  subjects: [{ kind: 'model', value }],
})

const usedOf = async (id: number): Promise<number> =>
  (await limiter.countersOfLimit(id)).reduce((sum, counter) => sum + counter.usedByAll, 0)

const advisor = (model: string) => ({ type: 'advisor_20260301', name: 'advisor', model })
const claude = { model: 'claude-haiku-5-5', max_tokens: 100, messages: hi.messages }
const advised = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5',
  content: [{ type: 'text', text: 'x' }],
  stop_reason: 'end_turn',
  usage: {
    input_tokens: 412,
    output_tokens: 531,
    iterations: [
      { type: 'message', input_tokens: 412, output_tokens: 89 },
      { type: 'advisor_message', model: 'claude-opus-5-20260901', input_tokens: 823, output_tokens: 1612 },
      { type: 'message', input_tokens: 1348, cache_read_input_tokens: 412, output_tokens: 442 },
    ],
  },
}

describe('a limit of a model that a request names beside its own', () => {
  const astra = 'openai/gpt-6-astra'
  const nano = { ...hi, model: 'openai/gpt-5.4-nano' }

  it.each([
    ['models', 20, { ...nano, models: [astra] }, '/v1/chat/completions'],
    ['fallbacks', 20, { ...nano, fallbacks: [{ model: astra }] }, '/v1/chat/completions'],
    ['an advisor', 14, { ...claude, tools: [advisor('claude-opus-5')] }, '/v1/messages'],
    ['fallbacks of Anthropic', 14, { ...claude, fallbacks: [{ model: 'claude-opus-5' }] }, '/v1/messages'],
    [
      'a tool that draws',
      1,
      { model: 'gpt-5.5', input: 'x', tools: [{ type: 'image_generation', model: 'gpt-image-1.5' }] },
      '/v1/responses',
    ],
  ])('refuses the call: %s', async (_, type, body, path) => {
    await limitBy(
      type,
      ...[astra, 'claude-opus-5', 'gpt-image-1.5'].map((model) =>
        ofModel(model, { amount: 10, measure: 'tokens', action: 'fallback', fallback_model: 'haiku' }),
      ),
      { amount: 1_000_000, measure: 'tokens', window: 'day', subjects: [{ kind: 'key' }] },
    )
    for (const stream of [false, true]) {
      const refused = await ask({ ...body, stream }, path)
      expect(refused.status).toBe(429)
      expect(upstream.received).toEqual([])
      expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    }
  })

  it('lets the call go on where the model is not at its end, and counts one request for it', async () => {
    await limitBy(14, ofModel('claude-opus-5', { amount: 2 }), ofModel('claude-haiku-5-5', { amount: 5 }))
    upstream.answer = json(advised)
    const body = { ...claude, tools: [advisor('claude-opus-5')] }
    const statuses = []
    for (let call = 0; call < 3; call += 1) statuses.push((await ask(body, '/v1/messages')).status)
    expect(statuses).toEqual([200, 200, 429])
    upstream.answer = json({ ...advised, usage: { input_tokens: 10, output_tokens: 5 } })
    expect((await ask(claude, '/v1/messages')).status).toBe(200)
    expect([await usedOf(1), await usedOf(2)]).toEqual([2, 3])
  })

  it('frees what it reserved where the model did not work on the answer', async () => {
    await limitBy(20, ofModel(astra, { measure: 'tokens' }), ofModel(astra, { measure: 'money' }))
    upstream.answer = json({ ...completion('openai/gpt-5.4-nano'), id: 'x' })
    expect((await ask({ ...nano, models: [astra] })).status).toBe(200)
    expect([await usedOf(1), await usedOf(2)]).toEqual([0, 0])
  })
})

const completion = (model: string) => ({
  id: 'c',
  object: 'chat.completion',
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10_000, completion_tokens: 1000 },
})

describe('what is billed as a model counts for its windows', () => {
  const measures = ['tokens', 'input_tokens', 'output_tokens', 'money'] as const
  const usedOfAll = async (from: number) =>
    Object.fromEntries(
      await Promise.all(measures.map(async (measure, index) => [measure, await usedOf(from + index)] as const)),
    )

  it('of an advisor, whose answer names it with a date', async () => {
    await limitBy(
      14,
      ...measures.map((measure) => ofModel('claude-opus-5', { measure })),
      ...measures.map((measure) => ofModel('claude-haiku-5-5', { measure })),
      ...measures.map((measure): Rule => ({ measure, amount: 1e9, window: 'day', subjects: [{ kind: 'user' }] })),
    )
    upstream.answer = json(advised)
    expect((await ask({ ...claude, tools: [advisor('claude-opus-5')] }, '/v1/messages')).status).toBe(200)
    const quota = lastRecord()?.quota ?? 0
    const opus = found('claude-opus-5')
    expect(opus.rates.input.digits).toBeGreaterThan(0n)
    const [ofOpus, ofHaiku, ofUser] = [await usedOfAll(1), await usedOfAll(5), await usedOfAll(9)]
    expect(ofOpus).toMatchObject({ tokens: 823 + 1612, input_tokens: 823, output_tokens: 1612 })
    expect(ofHaiku).toMatchObject({ tokens: 412 + 89 + 1348 + 412 + 442, output_tokens: 531 })
    expect(ofUser).toMatchObject({ tokens: 823 + 1612 + 412 + 89 + 1348 + 412 + 442, money: quota })
    expect(Number(ofOpus.money) + Number(ofHaiku.money)).toBe(quota)
    expect(Number(ofOpus.money)).toBeGreaterThan(Number(ofHaiku.money))
  })

  it.each([
    ['named in models', 'openai/gpt-5.4-nano', { models: ['openai/gpt-6-astra'] }],
    ['chosen by a router', 'openrouter/auto', {}],
  ])('of the model that answered: %s', async (_, model, more) => {
    priced.set('openrouter/auto', found('openai/gpt-5.4-nano'))
    await limitBy(
      20,
      ...measures.map((measure) => ofModel('openai/gpt-6-astra', { measure })),
      ...measures.map((measure) => ofModel(model, { measure })),
      ...measures.map((measure): Rule => ({ measure, amount: 1e9, window: 'day', subjects: [{ kind: 'model' }] })),
    )
    useChannels(channel({ type: 20, models: new Set([...Object.keys(models), 'openrouter/auto']) }))
    upstream.answer = json(completion('openai/gpt-6-astra'))
    expect((await ask({ ...hi, model, ...more })).status).toBe(200)
    const money = lastRecord()?.quota ?? 0
    expect(money).toBe(55_000)
    const all = { tokens: 11_000, input_tokens: 10_000, output_tokens: 1000, money }
    expect(await usedOfAll(1)).toEqual(all)
    expect(await usedOfAll(5)).toEqual({ tokens: 0, input_tokens: 0, output_tokens: 0, money: 0 })
    expect(await usedOfAll(9)).toEqual(all)
  })

  it('of the model that a tool draws with, named or not', async () => {
    for (const tool of [{ model: 'gpt-image-1.5' }, {}]) {
      const drawn = tool.model ?? 'gpt-image-1'
      priced.set('gpt-image-1', found('gpt-image-1.5'))
      await limitBy(1, ofModel(drawn, { measure: 'output_tokens' }), ofModel('gpt-5.5', { measure: 'output_tokens' }))
      upstream.answer = json({
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model: 'gpt-5.5',
        output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: '' }],
        usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
        tool_usage: {
          image_gen: {
            input_tokens: 500,
            input_tokens_details: { text_tokens: 500, image_tokens: 0 },
            output_tokens: 4160,
            output_tokens_details: { image_tokens: 4160, text_tokens: 0 },
          },
        },
      })
      const body = { model: 'gpt-5.5', input: 'x', tools: [{ type: 'image_generation', ...tool }] }
      expect((await ask(body, '/v1/responses')).status).toBe(200)
      expect([await usedOf(1), await usedOf(2)]).toEqual([4160, 100])
    }
  })
})

describe('a limit of a channel and a model', () => {
  beforeEach(() => limitBy(14))

  it('counts attempts that name the model', async () => {
    await limitBy(14, {
      amount: 1,
      window: 'day',
      subjects: [{ kind: 'channel' }, { kind: 'model', value: 'claude-opus-5' }],
    })
    upstream.answer = json(advised)
    const body = { ...claude, tools: [advisor('claude-opus-5')] }
    expect((await ask(body, '/v1/messages')).status).toBe(200)
    const refused = await ask(body, '/v1/messages')
    expect([refused.status, (await ask(claude, '/v1/messages')).status]).toEqual([429, 200])
    expect(upstream.received).toHaveLength(2)
  })
})
