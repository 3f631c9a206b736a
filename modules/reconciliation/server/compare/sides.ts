import { add, divide, multiply, print, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import type { ListCostOf, PricedAt } from '../list-cost.ts'
import type { OwnUsage } from '../own-usage.ts'
import { type Figures, moneyPlaces, type ReportLine } from '../report.ts'

/** Usage and cost of a model on a day, from the log. */
export interface OwnSide {
  readonly calls: number
  readonly usage: Usage
  /** Cost that was recorded when calls were charged, else at list prices; in dollars, undefined if a part of it has neither. */
  readonly cost: Decimal | undefined
  /** Dollars by which the cost is inexact, since each call was rounded. */
  readonly noise: Decimal
  /** Cost of other usage of this model and day, in the same relation to list prices as the recorded calls. */
  priceOf(usage: Usage): Decimal | undefined
  readonly detailed: boolean
  /** Names by which it was called; the provider's first. */
  readonly models: readonly string[]
}

/** Usage and cost of a model on a day, from a report. */
export interface TheirSide {
  /** Null where no line says. */
  readonly figures: Figures
  readonly lines: number
  /** True where every amount is whole cents. */
  readonly wholeCents: boolean
  readonly models: readonly string[]
}

const sumOf = (left: Usage, right: Usage): Usage => ({
  ...noUsage,
  input: left.input + right.input,
  cacheRead: left.cacheRead + right.cacheRead,
  cacheWrite: left.cacheWrite + right.cacheWrite,
  cacheWrite1h: left.cacheWrite1h + right.cacheWrite1h,
  audioInput: left.audioInput + right.audioInput,
  output: left.output + right.output,
  audioOutput: left.audioOutput + right.audioOutput,
  calls: (left.calls ?? 0) + (right.calls ?? 0),
})

/** Models are often priced under the name that clients use, which may be another one than the provider's. */
const listCost = (
  listCostOf: ListCostOf,
  models: readonly string[],
  usage: Usage,
  when: PricedAt,
): Decimal | undefined => {
  for (const model of models) {
    const cost = listCostOf(model, usage, when)
    if (cost !== undefined) return cost
  }
  return undefined
}

const total = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : add(sum, amount)),
    zero,
  )

/** The service tier of all calls, where they have one in common. */
const commonTier = (parts: readonly OwnUsage[]): { tier?: string } => {
  const tiers = new Set(parts.map(({ usage }) => usage.tier))
  const [tier] = tiers
  return tiers.size === 1 && tier !== undefined ? { tier } : {}
}

/** Half a quota unit is a millionth of a dollar. */
const halfUnitPlaces = 6

/** Sums what the log has. `theirModels` name the model's price where the log has nothing. */
export const ownSide = (
  parts: readonly OwnUsage[],
  theirModels: readonly string[],
  listCostOf: ListCostOf,
  day: number,
): OwnSide => {
  const models = [...new Set([...parts.map((part) => part.upstreamModel), ...parts.map(({ model }) => model)])]
  const costs = parts.map((part) => listCost(listCostOf, [part.upstreamModel, part.model], part.usage, part))
  const [listed, cost] = [total(costs), total(parts.map((part, index) => part.cost ?? costs[index]))]
  const costed = parts.filter((part) => part.cost !== undefined)
  const priced = models.length === 0 ? theirModels : models
  const usage = parts.reduce<Usage>((sum, part) => sumOf(sum, part.usage), noUsage)
  const tier = commonTier(parts)
  const above = Math.min(...parts.map((part) => part.above), parts.length === 0 ? 0 : Number.POSITIVE_INFINITY)
  return {
    calls: usage.calls ?? 0,
    usage,
    cost,
    noise: { digits: BigInt(costed.reduce((sum, part) => sum + (part.usage.calls ?? 0), 0)), scale: halfUnitPlaces },
    priceOf: (other) => {
      const price = listCost(listCostOf, priced, { ...other, ...tier }, { at: day, above })
      if (costed.length === 0 || price === undefined || cost === undefined || !listed?.digits) return price
      return divide(multiply(price, cost), listed, moneyPlaces)
    },
    detailed: parts.every(({ detailed }) => detailed),
    models,
  }
}

const countOf = (left: number | null, right: number | null): number | null =>
  left === null && right === null ? null : (left ?? 0) + (right ?? 0)

const costOf = (left: Decimal | null, right: Decimal | null): Decimal | null =>
  left === null ? right : right === null ? left : add(left, right)

const centPlaces = 2
/** True if an amount has no digits beyond cents. */
export const isWholeCents = ({ cost }: ReportLine): boolean =>
  cost === null || (print(cost).split('.')[1] ?? '').length <= centPlaces

/** Sums the lines of a report. */
export const theirSide = (lines: readonly ReportLine[]): TheirSide => {
  const figures = lines.reduce<Figures>(
    (sum, line) => ({
      calls: countOf(sum.calls, line.calls),
      input: countOf(sum.input, line.input),
      cacheRead: countOf(sum.cacheRead, line.cacheRead),
      cacheWrite: countOf(sum.cacheWrite, line.cacheWrite),
      output: countOf(sum.output, line.output),
      cost: costOf(sum.cost, line.cost),
    }),
    { calls: null, input: null, cacheRead: null, cacheWrite: null, output: null, cost: null },
  )
  return {
    figures,
    lines: lines.length,
    wholeCents: lines.some(({ cost }) => cost !== null) && lines.every(isWholeCents),
    models: [...new Set(lines.map(({ model }) => model))],
  }
}
