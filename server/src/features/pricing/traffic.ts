import type { ModelTraffic, PriceTraffic } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { createPriceBook } from '../../billing/prices.ts'
import { noUsage } from '../../billing/usage.ts'
import { costAt, type LoggedCall, readCall } from './logged-call.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'
import type { ChargedSum, Cursor, TrafficSpan, TrafficStore } from './traffic-store.ts'

/** How much is read at most, and in which steps: a step keeps the main thread for a few milliseconds. */
export interface TrafficLimits {
  /** Up to so many calls each one is computed anew. */
  readonly exactCalls: number
  readonly pageSize: number
  /** Pages of a sample, spread evenly over the span. */
  readonly samplePages: number
}

const trafficLimits: TrafficLimits = { exactCalls: 200_000, pageSize: 250, samplePages: 200 }
const mostModels = 100

type Costs = Pick<ModelTraffic, 'charged' | 'current' | 'proposed'>

/** Usage of one model in one group, as far as it was computed anew. */
interface Computed extends Costs {
  readonly model: string
  readonly group: string
  readonly calls: number
}

interface Tally {
  readonly pairs: ReadonlyMap<string, Computed>
  readonly receipts: number
  readonly withoutReceipt: number
}

const pairKey = (model: string, group: string): string => `${group}\n${model}`

type PriceOf = (model: string, group: string) => Price | undefined

/** Undefined for a model without a price where such models are refused. */
const priceIn = (options: PriceOptions): PriceOf => {
  const book = createPriceBook(priceSettings(options))
  return (model, group) => book.of(model, group, { acceptsUnpriced: false })
}

interface Prices {
  readonly current: PriceOf
  readonly proposed: PriceOf
}

const openTally = (prices: Prices) => {
  const pairs = new Map<string, Computed & { calls: number }>()
  let receipts = 0
  let withoutReceipt = 0
  const add = (call: LoggedCall): void => {
    const { model_name: model, group, quota } = call.charge
    const key = pairKey(model, group)
    const before = pairs.get(key) ?? { model, group, calls: 0, charged: 0, current: 0, proposed: 0 }
    pairs.set(key, {
      ...before,
      calls: before.calls + 1,
      charged: before.charged + quota,
      current: before.current + costAt(call, prices.current(model, group)),
      proposed: before.proposed + costAt(call, prices.proposed(model, group)),
    })
    if (call.receipt === undefined) withoutReceipt += 1
    else receipts += 1
  }
  return { add, result: (): Tally => ({ pairs, receipts, withoutReceipt }) }
}

/** Every charge of the span, page by page. */
const readAll = async (
  store: TrafficStore,
  span: TrafficSpan,
  prices: Prices,
  { pageSize }: TrafficLimits,
): Promise<Tally> => {
  const tally = openTally(prices)
  let cursor: Cursor = { at: span.from, id: 0 }
  for (;;) {
    const page = await store.after(span, cursor, pageSize)
    for (const charge of page) tally.add(readCall(charge))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return tally.result()
    cursor = { at: last.created_at, id: last.id }
  }
}

/** The first charges of evenly spread stretches of the span. */
const readSample = async (
  store: TrafficStore,
  span: TrafficSpan,
  prices: Prices,
  limits: TrafficLimits,
): Promise<Tally> => {
  const tally = openTally(prices)
  const stretch = (span.to - span.from + 1) / limits.samplePages
  for (let index = 0; index < limits.samplePages; index += 1) {
    const from = span.from + Math.floor(stretch * index)
    const to = span.from + Math.floor(stretch * (index + 1)) - 1
    if (to < from) continue
    for (const charge of await store.after({ from, to }, { at: from, id: 0 }, limits.pageSize))
      tally.add(readCall(charge))
  }
  return tally.result()
}

/** `amount × part / whole`, rounded; exact where part and whole are equal. */
const scaled = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n))

/** The sums as one large call: the share of cached tokens is not known. */
const costOfSum = (sum: ChargedSum, price: Price | undefined): number => {
  if (price === undefined) return sum.quota
  const usage = { ...noUsage, input: sum.promptTokens, output: sum.completionTokens }
  return price.perCall === undefined ? cost(usage, price) : cost({ ...noUsage, input: 1 }, price) * sum.calls
}

/** Costs of all calls of a model in a group, extrapolated from the sample. */
const carriedOver = (sum: ChargedSum, sampled: Computed | undefined, prices: Prices): Costs => {
  if (sampled === undefined) {
    const before = costOfSum(sum, prices.current(sum.model, sum.group))
    const after = costOfSum(sum, prices.proposed(sum.model, sum.group))
    if (before === 0) return { charged: sum.quota, current: sum.quota, proposed: after }
    return { charged: sum.quota, current: sum.quota, proposed: scaled(sum.quota, after, before) }
  }
  const [amount, whole] = sampled.charged > 0 ? [sum.quota, sampled.charged] : [sum.calls, sampled.calls]
  return {
    charged: sum.quota,
    current: scaled(amount, sampled.current, whole),
    proposed: scaled(amount, sampled.proposed, whole),
  }
}

const summed = (rows: readonly (Costs & { calls: number })[]): Costs & { calls: number } => {
  const sums = { calls: 0, charged: 0, current: 0, proposed: 0 }
  for (const row of rows) {
    sums.calls += row.calls
    sums.charged += row.charged
    sums.current += row.current
    sums.proposed += row.proposed
  }
  return sums
}

const byModel = (rows: readonly Computed[]): ModelTraffic[] => {
  const models = Map.groupBy(rows, ({ model }) => model)
  return [...models].map(([model, own]) => ({ model, ...summed(own) }))
}

const changed = (rows: readonly ModelTraffic[]): ModelTraffic[] => {
  const change = (row: ModelTraffic): number => Math.abs(row.proposed - row.current)
  return rows
    .filter((row) => change(row) > 0)
    .sort((a, b) => change(b) - change(a))
    .slice(0, mostModels)
}

/**
 * Cost of a span's calls at the present and at proposed prices, compared with the charges. Exact, receipt by receipt, up to a bound;
 * beyond it an even sample of receipts shows how much each model's exact sum changes.
 */
export const priceTraffic = async (
  store: TrafficStore,
  span: TrafficSpan,
  options: { readonly current: PriceOptions; readonly proposed: PriceOptions },
  limits: TrafficLimits = trafficLimits,
): Promise<PriceTraffic> => {
  const prices: Prices = { current: priceIn(options.current), proposed: priceIn(options.proposed) }
  const sums = await store.sums(span)
  const calls = sums.reduce((total, sum) => total + sum.calls, 0)
  const exact = calls <= limits.exactCalls
  const tally = await (exact ? readAll : readSample)(store, span, prices, limits)
  const rows = exact
    ? [...tally.pairs.values()]
    : sums.map((sum) => ({
        ...sum,
        ...carriedOver(sum, tally.pairs.get(pairKey(sum.model, sum.group)), prices),
      }))
  return {
    basis: calls === 0 ? 'none' : exact ? 'receipts' : 'sample',
    from: span.from,
    to: span.to,
    receipts: tally.receipts,
    without_receipt: tally.withoutReceipt,
    ...summed(rows),
    models: changed(byModel(rows)),
  }
}
