import { describe, expect, it } from 'vitest'
import { recompute } from '../../src/billing/cost.ts'
import { decimal } from '../../src/billing/decimal.ts'
import { declaredKey } from '../../src/billing/declared/declarations.ts'
import { settledReceipt } from '../../src/billing/declared/settle.ts'
import type { Price } from '../../src/billing/price.ts'
import { priceOf } from '../support/billing/price.ts'
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

/** A task is priced by its action: a version, a speed or the like that it chooses is marked unless it is declared what that costs. */

const base = { ...priceOf('gpt-4o'), perCall: decimal('0.1') }
const services = {
  suno: {
    type: 36,
    path: '/suno/submit/music',
    body: { prompt: 'x' },
    answer: { code: 'success', message: '', data: 's' },
  },
  midjourney: {
    type: 2,
    path: '/mj/submit/imagine',
    body: { prompt: 'x' },
    answer: { code: 1, description: 'ok', result: 'm' },
  },
}
type Platform = keyof typeof services

const submit = async (platform: Platform, more: object, price: Price = base) => {
  const { type, path, body, answer } = services[platform]
  await reopenGateway({ prices: testPrices(price) })
  useChannels(channel({ type }))
  upstream.answer = json(answer)
  expect((await ask({ ...body, ...more }, path)).status).toBe(200)
  const { receipt, quota } = lastRecord() ?? {}
  if (receipt === undefined) throw new Error('not charged')
  return { receipt, quota, hold: gateway.parts.holds.ends[0]?.amount }
}

const chosen: readonly [Platform, object, readonly string[]][] = [
  ['suno', { mv: 'chirp-v5' }, ['chirp-v5']],
  ['suno', { MV: 'chirp-v5', customMode: true, speed: 'turbo' }, ['chirp-v5', 'speed=turbo']],
  ['suno', { audio_quality: 'studio' }, ['audio_quality=studio']],
  ['midjourney', { botType: 'NIJI_JOURNEY' }, ['NIJI_JOURNEY']],
  ['midjourney', { settings: { modes: ['TURBO'] } }, ['modes=["TURBO"]']],
  ['midjourney', { prompt: 'a cat --turbo --q 4 --v 7' }, ['--turbo', '--q 4']],
  ['midjourney', { video_model: 'v9' }, ['video_model=v9']],
]
const usual: readonly [Platform, object][] = [
  ['suno', { mv: 'chirp-v3-0', customMode: true, title: 'model of speed' }],
  ['midjourney', { botType: 'MID_JOURNEY', accountFilter: { modes: ['FAST'] }, prompt: 'a --fast cat --q 1' }],
]

describe('a task', () => {
  it.each(chosen)('of %s with %j is marked, and costs what its action does', async (platform, more, names) => {
    const { receipt, quota, hold } = await submit(platform, more)
    expect(receipt.provisional).toEqual(names.map((name) => ({ kind: 'version', place: platform, name, value: name })))
    expect([quota, hold, recompute(receipt)]).toEqual([50_000, 50_000, 50_000])
  })

  it.each(usual)('of %s with %j is certain', async (platform, more) => {
    const { receipt, quota } = await submit(platform, more)
    expect([receipt.provisional, receipt.versions, quota]).toEqual([undefined, undefined, 50_000])
  })

  it.each(chosen)(
    'of %s with %j costs what is declared of it, and is settled downwards',
    async (platform, more, names) => {
      const keys = names.map((name) => declaredKey({ kind: 'version', place: platform, name }))
      const first = await submit(platform, more)
      for (const factor of [0.5, 2]) {
        const declared = Object.fromEntries(keys.map((key) => [key, { as: 'factor' as const, factor }]))
        const due = 50_000 * factor ** names.length
        const { receipt, quota, hold } = await submit(platform, more, { ...base, declared })
        expect([quota, hold, recompute(receipt), receipt.provisional]).toEqual([due, due, due, undefined])
        const settled = settledReceipt(first.receipt, declared, undefined)
        expect(settled && [recompute(settled), settled.provisional]).toEqual([due, undefined])
      }
      const informative = Object.fromEntries(keys.map((key) => [key, { as: 'informative' as const }]))
      const { receipt, quota } = await submit(platform, more, { ...base, declared: informative })
      expect([quota, receipt.provisional]).toEqual([50_000, undefined])
    },
  )
})
