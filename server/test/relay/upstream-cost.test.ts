import { beforeEach, describe, expect, it } from 'vitest'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { testList } from '../support/billing/list.ts'
import { drawingChannel, submit } from '../support/gateway/drawings.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  openStream,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

/** Cost of a call at its provider, on its record: 2.5 dollars in and 10 out for a million tokens of gpt-4o. */
const list = testList({ 'gpt-4o': [2.5, 10], cheap: [0.25, 1], 'text-embedding-3-small': [0.02, 0] })

beforeEach(() => reopenGateway({ costs: createChannelPrices({ list, quotaPerUnit: 500_000 }) }))

const costOf = (): unknown => lastRecord()?.other.admin_info

const callThrough = async (changes: Partial<RelayChannel>, body: Record<string, unknown> = hi): Promise<void> => {
  useChannels(channel(changes))
  upstream.answer = json(completion('hello'))
  await (await ask(body)).text()
}

describe('the record of a call', () => {
  it('has the list price of its model beside the charge', async () => {
    await callThrough({})
    expect(lastRecord()).toMatchObject({ quota: 38, cost: 38 })
    expect(costOf()).toMatchObject({ cost: { quota: 38, version: 'list 1', factor: '1' } })
  })

  it('has the price of the model that the channel asks for', async () => {
    await callThrough({ modelMapping: new Map([['gpt-4o', 'cheap']]), cost: { factor: 0.5 } })
    expect(lastRecord()).toMatchObject({ quota: 38, cost: 2 })
    expect(costOf()).toMatchObject({ cost: { quota: 2, factor: '0.5' } })
  })

  it('has no cost, which is not 0, where nothing is known', async () => {
    await callThrough({ modelMapping: new Map([['gpt-4o', 'unheard-of']]) })
    expect(lastRecord()?.cost).toBeUndefined()
    expect(costOf()).not.toHaveProperty('cost')
  })

  it('has none of a refused call', async () => {
    useChannels(channel())
    upstream.answer = json({ error: { message: 'no' } }, 400)
    await ask(hi)
    expect(lastRecord()).toMatchObject({ kind: 'error' })
    expect(lastRecord()?.cost).toBeUndefined()
    expect(costOf()).not.toHaveProperty('cost')
  })

  it('has the price of the channel that answered, not of one that failed before', async () => {
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    const dear = channel({ id: 1, priority: 1, cost: { factor: 100 } })
    useChannels(dear, channel({ id: 2, cost: { models: { 'gpt-4o': { call: 0.001 } } } }))
    upstream.answer = (call) =>
      (upstream.received.length === 1 ? json({ error: { message: 'no' } }, 500) : json(completion('hi')))(call)
    await ask(hi)
    expect(lastRecord()).toMatchObject({ channelId: 2, cost: 500 })
    expect(costOf()).toMatchObject({ cost: { quota: 500, version: 'channel', factor: '1' } })
  })

  it('has the cost of a stream, and of one that its client left', async () => {
    useChannels(channel())
    upstream.answer = stream(chunk('x'), usageChunk(10, 5), done)
    await (await ask(hiStream)).text()
    expect(lastRecord()).toMatchObject({ isStream: true, quota: 38, cost: 38 })

    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('x'.repeat(100)))
    }
    const left = await openStream()
    left.once('data', () => left.destroy())
    left.on('error', () => {})
    await expect.poll(() => lastRecord()?.other.end).toBe('client_gone')
    expect(lastRecord()?.cost).toBe(lastRecord()?.quota)
  })

  it('has the cost of an embedding', async () => {
    useChannels(channel())
    const usage = { prompt_tokens: 100_000, total_tokens: 100_000 }
    upstream.answer = json({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      model: 'm',
      usage,
    })
    await ask({ model: 'text-embedding-3-small', input: 'x '.repeat(100_000) }, '/v1/embeddings')
    expect(lastRecord()?.cost).toBe(1000)
  })

  it('has the cost of pictures where the channel has a price for them, and else none', async () => {
    upstream.answer = json({ created: 1, data: [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }] })
    const body = { model: 'dall-e-3', prompt: 'x', n: 2, response_format: 'b64_json' }
    useChannels(channel({ cost: { models: { 'dall-e-3': { picture: 40_000 } } } }))
    await ask(body, '/v1/images/generations')
    expect(lastRecord()).toMatchObject({ cost: 40_000 })
    useChannels(channel())
    await ask(body, '/v1/images/generations')
    expect(lastRecord()?.kind).toBe('charge')
    expect(lastRecord()?.cost).toBeUndefined()
  })

  it('has the cost of a task where the channel has a price per call for it', async () => {
    useChannels(drawingChannel({ cost: { models: { mj_imagine: { call: 0.04 } } } }))
    await submit('/mj/submit/imagine', { prompt: 'x', base64Array: [] })
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 50_000, cost: 20_000 })
    expect(costOf()).toMatchObject({ cost: { quota: 20_000, version: 'channel' } })
    useChannels(drawingChannel())
    await submit('/mj/submit/imagine', { prompt: 'x', base64Array: [] })
    expect(lastRecord()?.cost).toBeUndefined()
  })

  it('never reaches the client', async () => {
    useChannels(channel())
    upstream.answer = json(completion('hello'))
    const response = await ask(hi)
    expect(`${JSON.stringify([...response.headers])}${await response.text()}`).not.toMatch(/cost|list 1/)
    expect(JSON.stringify(lastRecord()?.receipt)).not.toMatch(/cost|list 1/)
  })
})
