import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { receiptOf, recompute } from '../cost.ts'
import type { Decimal, Price } from '../price.ts'
import { noUsage, type Usage } from '../usage.ts'

/** Properties of a generated video that decide its price. */
export interface VideoMeasure {
  /** Length in milliseconds. */
  readonly ms: number
  /** Names under which a list may have a price of its own, the most specific first: `1792x1024`, `1080p`. */
  readonly variants: readonly string[]
  /** Tokens, of providers that sell videos by them; absent for all others. */
  readonly tokens?: number | undefined
}

/** Rate of a millisecond, with the variant that it belongs to; undefined where the model is not sold by its seconds. */
const secondsRate = (
  { variants }: VideoMeasure,
  { videos = {}, rates }: Price,
): { readonly rate: Decimal; readonly variant?: string } | undefined => {
  for (const variant of variants) {
    const rate = ownMember(videos, variant)
    if (rate !== undefined) return { rate, variant }
  }
  return rates.duration === undefined ? undefined : { rate: rates.duration }
}

const oneVideo: Usage = { ...noUsage, input: 1 }

/** Without what a text would cost: a video is sold by one measure, and perhaps a fee. */
const timedPrice = (price: Price, duration: Decimal | undefined): Price => {
  const { contexts: _, pictures: __, inTiers: ___, ...rest } = price
  const { duration: ____, ...rates } = price.rates
  return { ...rest, rates: { ...rates, ...(duration === undefined ? {} : { duration }) } }
}

/**
 * The receipt of a video: its price per call, else its milliseconds at the price of its size, else its tokens, else the fee of a request.
 * undefined where the model has none of these prices. Throws RangeError when the charge is not a safe integer.
 */
export const videoReceipt = (measure: VideoMeasure, price: Price): Receipt | undefined => {
  if (price.perCall !== undefined) return receiptOf(oneVideo, price, { estimated: false })
  const timed = secondsRate(measure, price)
  if (timed !== undefined) {
    const usage: Usage = { ...noUsage, measures: { duration: measure.ms } }
    const receipt = receiptOf(usage, timedPrice(price, timed.rate), { estimated: false })
    return timed.variant === undefined ? receipt : { ...receipt, versions: [timed.variant] }
  }
  if (measure.tokens !== undefined && price.rates.output.digits !== 0n)
    return receiptOf({ ...noUsage, output: measure.tokens }, timedPrice(price, undefined), { estimated: false })
  if (price.rates.request === undefined) return undefined
  return receiptOf({ ...noUsage, measures: {} }, timedPrice(price, undefined), { estimated: false })
}

/** The same receipt, whose price is frozen, for another length or number of tokens. Throws RangeError like `videoReceipt`. */
export const remeasured = (receipt: Receipt, { ms, tokens }: Pick<VideoMeasure, 'ms' | 'tokens'>): Receipt => {
  const quantities: Readonly<Record<string, number | undefined>> = { duration: ms, output: tokens }
  const lines = receipt.lines.map((line) => ({ ...line, quantity: ownMember(quantities, line.item) ?? line.quantity }))
  const measured = { ...receipt, lines }
  return { ...measured, quota: recompute(measured) }
}
