import { describe, expect, it } from 'vitest'
import { openShippedBook } from '../book/shipped-book.ts'
import { recompute } from '../cost.ts'
import { decimal } from '../decimal.ts'
import type { PriceSettings } from '../price-settings.ts'
import { createPriceBook } from '../prices.ts'
import { remeasured, type VideoMeasure, videoReceipt } from './video-receipt.ts'

const settings: PriceSettings = {
  modelPrice: { 'by-call': 0.3 },
  modelRatio: { 'by-tokens': 2 },
  groupRatio: { default: 1, half: 0.5 },
  completionRatio: { 'by-tokens': 3 },
  quotaPerUnit: 500_000,
  selfUse: false,
} as unknown as PriceSettings

const bookOf = (more: Partial<PriceSettings> = {}) => createPriceBook({ ...settings, ...more })
const measure: VideoMeasure = { ms: 8_000, variants: ['1280x720', '720p'] }

const priced = (model: string, more: Partial<PriceSettings> = {}, group = 'default') => {
  const price = bookOf(more).of(model, group, { acceptsUnpriced: false })
  if (price === undefined) throw new Error(`${model} has no price`)
  return price
}

describe('the receipt of a video', () => {
  it('is its seconds at the operator’s price of a minute, exactly', () => {
    const price = priced('by-minute', { measurePrices: { 'minute:by-minute': 6 } })
    const receipt = videoReceipt(measure, price)
    expect(receipt).toMatchObject({ quota: 400_000, lines: [{ item: 'duration', quantity: 8_000, price: '100' }] })
    expect(receipt && recompute(receipt)).toBe(400_000)
  })

  it('is rounded once, from the exact milliseconds', () => {
    const price = priced('thirds', { measurePrices: { 'minute:thirds': 1 } })
    expect(videoReceipt({ ...measure, ms: 1 }, price)?.quota).toBe(8)
    expect(videoReceipt({ ...measure, ms: 60_000 }, price)?.quota).toBe(500_000)
  })

  it('has the price of its resolution where a list has one, and the group’s factor', async () => {
    const list = await openShippedBook()
    const at = (model: string, variants: readonly string[], group = 'default') =>
      videoReceipt({ ms: 4_000, variants }, priced(model, { list }, group))
    expect(at('sora-2-pro', ['1280x720', '720p'])?.quota).toBe(600_000)
    expect(at('sora-2-pro', ['1792x1024'])).toMatchObject({ quota: 1_000_000, versions: ['1792x1024'] })
    expect(at('sora-2-pro', ['1792x1024'], 'half')?.quota).toBe(500_000)
    expect(at('grok-imagine-video', ['1280x720', '720p'])?.quota).toBe(140_000)
    expect(at('veo-3.1-generate-preview', ['4k'])?.quota).toBe(1_200_000)
    expect(at('veo-3.1-lite-generate-001', ['1080p'])?.quota).toBe(160_000)
    expect(at('gen4.5', ['720p'])?.quota).toBe(240_000)
    expect(at('veo3.1', ['720p-silent', '720p', 'silent'])).toMatchObject({ quota: 400_000, versions: ['silent'] })
  })

  it('is one price where the operator set one per call, else the tokens or the fee', () => {
    expect(videoReceipt(measure, priced('by-call'))).toMatchObject({ mode: 'call', quota: 150_000 })
    expect(videoReceipt({ ...measure, tokens: 1000 }, priced('by-tokens'))?.quota).toBe(6_000)
    const fee = priced('by-fee', { measurePrices: { 'request:by-fee': 0.2 } })
    expect(videoReceipt(measure, fee)?.quota).toBe(100_000)
  })

  it('is none where the model is sold by tokens and the provider states none', () => {
    expect(videoReceipt(measure, priced('by-tokens'))).toBeUndefined()
  })

  it('keeps its price for another length', () => {
    const price = priced('by-minute', { measurePrices: { 'minute:by-minute': 6 } })
    const receipt = videoReceipt(measure, price)
    if (receipt === undefined) throw new Error('no receipt')
    expect(remeasured(receipt, { ms: 5_000 })).toMatchObject({ quota: 250_000, lines: [{ quantity: 5_000 }] })
    const call = videoReceipt(measure, { ...price, perCall: decimal(1) })
    expect(call && remeasured(call, { ms: 1 }).quota).toBe(500_000)
  })
})
