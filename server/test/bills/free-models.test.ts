import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import { ask, gateway, hi, hiStream, lastRecord, reopenGateway, upstream, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { openTestHolds, testOptions, testPrices } from '../support/relay/ports.ts'

useScene()

const free = testPrices(priceOf('gpt-4o', { modelRatio: { 'gpt-4o': 0 } }))
const settings = { ...testOptions, freeWithoutBalance: true }

describe('a user without a balance', () => {
  it.each([0, -50])('of %i calls a free model where the operator says so', async (balance) => {
    await reopenGateway({ settings, holds: openTestHolds(balance), prices: free })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(200)
    upstream.answer = stream(chunk('hello'), usageChunk(20, 5), done)
    expect(await (await ask(hiStream)).text()).toContain('hello')
    upstream.answer = json(completion('hello'))
    const long = { ...hi, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }
    expect((await ask(long)).status).toBe(200)
    expect(gateway.parts.recorder.records.map(({ kind, quota }) => [kind, quota])).toEqual([
      ['charge', 0],
      ['charge', 0],
      ['charge', 0],
    ])
  })

  it('calls no model that costs anything', async () => {
    await reopenGateway({ settings, holds: openTestHolds(0), prices: testPrices() })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(403)
    expect(upstream.received).toHaveLength(0)
  })

  it('calls no free model where nobody says so', async () => {
    await reopenGateway({ holds: openTestHolds(0), prices: free })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(403)
    expect(lastRecord()).toMatchObject({ quota: 0 })
  })
})
