import { defaultTierRatios } from '@tollgate/contract/prices'
import { beforeEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { noUsage } from '../../src/billing/usage.ts'
import { providerOf } from '../../src/providers/index.ts'
import { callCost } from '../../src/relay/call-cost.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { createAttemptLog } from '../../src/relay/records/attempt-log.ts'
import { testList } from '../support/billing/list.ts'
import { priceOf } from '../support/billing/price.ts'
import { message, named } from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testPrices } from '../support/relay/ports.ts'

useScene()

/** The place where a call runs is a factor of what it costs: it is held for, charged, and part of the cost at hosts of one region. */

const model = 'claude-opus-5-5'
const typed = (type: number, changes: Partial<RelayChannel> = {}): RelayChannel => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no type ${type}`)
  return channel({ type, provider, ...changes } as Partial<RelayChannel>)
}

const answering = (geo: string | undefined): void => {
  const usage = { input_tokens: 1000, output_tokens: 500, ...(geo === undefined ? {} : { inference_geo: geo }) }
  const whole = { ...message, model, usage }
  upstream.answer = (call) => {
    if (JSON.parse(call.body.toString()).stream !== true) {
      json(whole)(call)
      return
    }
    const events = [
      named('message_start', { message: { ...whole, content: [], usage: { ...usage, output_tokens: 1 } } }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 500 } }),
      named('message_stop', {}),
    ]
    call.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
  }
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('a call, %s', (_, stream) => {
  beforeEach(async () => {
    const price = priceOf(model, { modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
    await reopenGateway({ prices: testPrices(price) })
    useChannels(typed(14))
  })

  const held = async (more: object = {}): Promise<number> => {
    const messages = [{ role: 'user', content: 'hi' }]
    const body = { model, max_tokens: 100_000, messages, stream }
    // The same number of bytes, so that the prompt counts as the same.
    const padded = { ...body, metadata: { user_id: 'x'.repeat(40 - JSON.stringify(more).length) }, ...more }
    await (await ask(padded, '/v1/messages')).text()
    return gateway.parts.holds.ends.at(-1)?.amount ?? 0
  }
  const near = (ratio: number, plain: number, amount: number): void => expect(amount / plain).toBeCloseTo(ratio, 3)

  it('holds what the place that it asks for may cost', async () => {
    answering(undefined)
    const plain = await held()
    near(1.1, plain, await held({ inference_geo: 'us' }))
    near(1, plain, await held({ inference_geo: 'global' }))
    // No table knows it: a tenth more is the dearest that makers ask.
    near(1.1, plain, await held({ inference_geo: 'moon' }))
  })

  it('holds for a place that is the default of its workspace, as answers state it', async () => {
    answering(undefined)
    const plain = await held()
    answering('us')
    await held()
    const charged = lastRecord()?.receipt
    expect(charged?.place).toEqual({ name: 'us', ratio: '1.1' })
    near(1.1, plain, await held())
    near(1, plain, await held({ inference_geo: 'global' }))
    answering('global')
    await held()
    near(1, plain, await held())
    answering('moon')
    await held()
    near(1.1, plain, await held())
  })
})

describe('at a host of one region', () => {
  const list = testList({ 'gpt-6-astra': [10, 60], 'gpt-5': [1.25, 10], 'grok-4.6': [2, 6] })
  const costs = createChannelPrices({ list, quotaPerUnit: 500_000 })
  const usage = { ...noUsage, input: 100_000, output: 10_000 }
  const facts = (asked: string) => ({ model: asked, startedAt: Date.UTC(2026, 10, 29) })

  it.each([
    ['gpt-6-astra', 1, 'https://api.openai.com', 1],
    ['gpt-6-astra', 1, 'https://eu.api.openai.com', 1.1],
    ['gpt-6-astra', 1, 'https://us.api.openai.com/v1', 1.1],
    ['gpt-6-astra', 1, 'https://au.api.openai.com', 1.1],
    ['gpt-6-astra', 1, 'https://eu.api.openai.com.example', 1],
    ['gpt-5', 1, 'https://eu.api.openai.com', 1],
    ['grok-4.6', 48, 'https://api.x.ai', 1],
    ['grok-4.6', 48, 'https://us.api.x.ai', 1.1],
  ])('%s of type %i at %s costs its list price × %f', (asked, type, baseUrl, factor) => {
    const through = typed(type, { baseUrl })
    const plain = callCost(usage, facts(asked), { ...createAttemptLog(), channel: typed(type) }, costs)?.quota ?? 0
    const log = { ...createAttemptLog(), channel: through }
    expect(callCost(usage, facts(asked), log, costs)?.quota).toBe(Math.round(plain * factor))
    // Choices among channels go by the same.
    const { startedAt } = facts(asked)
    const price = costs.expected(through, asked, startedAt)
    const ratio = price === undefined ? 0 : Number(price.groupRatio.digits) / 10 ** price.groupRatio.scale
    expect(ratio).toBe(factor)
    expect(costs.expected(through, asked, startedAt)).toBe(price)
  })
})
