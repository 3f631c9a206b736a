import { defaultTierRatios } from '@tollgate/contract/prices'
import { beforeEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { keepOtherPrices } from '../../src/billing/named-models/other-prices.ts'
import type { Price } from '../../src/billing/price.ts'
import { priceOf } from '../support/billing/price.ts'
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
import { testPrices } from '../support/relay/ports.ts'

/** Gateways to Claude that speak OpenAI's dialect and pass on what Anthropic states of a call under its own names. */

useScene()

const model = 'claude-opus-5'
const priced = new Map<string, Price>()

beforeEach(async () => {
  const list = await openShippedBook()
  for (const name of [model, 'claude-fable-5-1'])
    priced.set(name, priceOf(name, { modelRatio: {}, list, tierRatios: defaultTierRatios }))
  const others = { toolsOf: () => undefined, priceOf: (name: string) => priced.get(name), ofMaker: () => [] }
  for (const price of priced.values()) keepOtherPrices(price, others)
  await reopenGateway({ prices: { ...testPrices(), of: (name: string) => priced.get(name) } })
  useChannels(channel({ type: 20, models: new Set([model]) }))
})

const plain = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
const compacted = [
  { type: 'compaction', input_tokens: 5000, output_tokens: 50 },
  { type: 'message', input_tokens: 1000, output_tokens: 100 },
]
const advised = [
  { type: 'message', input_tokens: 1000, output_tokens: 100 },
  { type: 'advisor_message', model: 'claude-fable-5-1', input_tokens: 2000, output_tokens: 300 },
]

const compactionAlone = compacted.slice(0, 1)

const quotaOf = (input: number, output: number) => input * 2.5 + output * 12.5
const cases: readonly (readonly [string, object, number])[] = [
  ['nothing of the kind', {}, quotaOf(1000, 100)],
  ['a compaction', { iterations: compacted }, quotaOf(6000, 150)],
  ['a compaction that is listed alone', { iterations: compactionAlone }, quotaOf(6000, 150)],
  ['an advisor', { iterations: advised }, quotaOf(1000, 100) + 2000 * 5 + 300 * 25],
  ['the place', { inference_geo: 'us' }, Math.round(quotaOf(1000, 100) * 1.1)],
  ['no place', { inference_geo: 'global' }, quotaOf(1000, 100)],
]

describe.each([
  ['whole', false],
  ['streamed', true],
])('%s', (_, isStream) => {
  it.each(cases)('bills %s', async (_name, more, quota) => {
    const usage = { ...plain, ...more }
    const last = { id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [], usage }
    upstream.answer = isStream
      ? stream(chunk('hello'), `data: ${JSON.stringify(last)}\n\n`, done)
      : json({ ...completion('hello'), model, usage })
    const response = await ask({ ...hi, model, stream: isStream })
    await response.text()
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota })
    expect(lastRecord()?.receipt?.provisional).toBeUndefined()
  })
})

it('bills them in responses, too', async () => {
  const usage = {
    input_tokens: 1000,
    output_tokens: 100,
    total_tokens: 1100,
    iterations: compacted,
    inference_geo: 'us',
  }
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }]
  upstream.answer = json({ id: 'resp_1', object: 'response', status: 'completed', model, output, usage })
  useChannels(channel({ type: 1, models: new Set([model]) }))
  expect((await ask({ model, input: 'hi' }, '/v1/responses')).status).toBe(200)
  expect(lastRecord()).toMatchObject({ kind: 'charge', quota: Math.round(quotaOf(6000, 150) * 1.1) })
})
