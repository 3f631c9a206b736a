import { isObject } from '@tollgate/contract/json'
import { readObject } from '../json-text.ts'

/** The ways to price a model: dollars per million pieces of each kind, per call, or a factor of its list price. */
export const pricings = ['tokens', 'call', 'factor'] as const
export type PricedBy = (typeof pricings)[number]

/** A model's own price; figures as they are typed. */
export interface OwnPriceRow {
  readonly id: number
  readonly model: string
  readonly pricing: PricedBy
  /** By kind of price; `call` or `factor` alone for the other two ways. */
  readonly figures: Readonly<Record<string, string>>
}

/** A discount on the days from `from` to `to`, of which either may be open. */
export interface DiscountRow {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly factor: string
}

export interface CostRows {
  readonly prices: readonly OwnPriceRow[]
  readonly discounts: readonly DiscountRow[]
}

/** Kinds that every price by tokens offers; others are shown where a price has them. */
export const usualKinds: readonly string[] = ['input', 'output', 'cache_read', 'cache_write']

const known: ReadonlySet<string> = new Set(['models', 'discounts'])

let lastId = 0
const nextId = (): number => {
  lastId += 1
  return lastId
}

export const newPrice = (): OwnPriceRow => ({ id: nextId(), model: '', pricing: 'tokens', figures: {} })
export const newDiscount = (): DiscountRow => ({ id: nextId(), from: '', to: '', factor: '' })

const isFigure = (value: unknown): value is string | number => typeof value === 'number' || typeof value === 'string'
const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

const pricingOf = (price: Readonly<Record<string, unknown>>): PricedBy =>
  'call' in price ? 'call' : 'factor' in price ? 'factor' : 'tokens'

const priceRow = ([model, price]: [string, unknown]): OwnPriceRow | undefined => {
  if (!isObject(price) || !Object.values(price).every(isFigure)) return undefined
  const figures = Object.fromEntries(Object.entries(price).map(([kind, figure]) => [kind, String(figure)]))
  return { id: nextId(), model, pricing: pricingOf(price), figures }
}

const discountRow = (value: unknown): DiscountRow | undefined => {
  if (!isObject(value)) return undefined
  const { from, to, factor, ...others } = value
  const fits = isText(from) && isText(to) && (factor === undefined || isFigure(factor))
  if (!fits || Object.keys(others).length > 0) return undefined
  return { id: nextId(), from: from ?? '', to: to ?? '', factor: factor === undefined ? '' : String(factor) }
}

const allOf = <Row>(rows: readonly (Row | undefined)[]): readonly Row[] | undefined => {
  const there = rows.filter((row) => row !== undefined)
  return there.length === rows.length ? there : undefined
}

/** The rows of a channel's own prices and discounts; undefined for JSON that rows cannot show. */
export const readCostRows = (text: string): CostRows | undefined => {
  const cost = readObject(text)
  if (!cost || Object.keys(cost).some((name) => !known.has(name))) return undefined
  const { models = {}, discounts = [] } = cost
  if (!isObject(models) || !Array.isArray(discounts)) return undefined
  const [prices, periods] = [allOf(Object.entries(models).map(priceRow)), allOf(discounts.map(discountRow))]
  return prices && periods && { prices, discounts: periods }
}

/** A number where the text is one; any other text stays, so that it is refused where it was typed. */
const figureIn = (text: string): number | string => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text)

const pricedKinds = ({ pricing, figures }: OwnPriceRow): Record<string, number | string> => {
  const kept = Object.entries(figures).filter(
    ([kind, text]) =>
      text.trim() !== '' && (pricing === 'tokens' ? kind !== 'call' && kind !== 'factor' : kind === pricing),
  )
  return Object.fromEntries(kept.map(([kind, text]) => [kind, figureIn(text)]))
}

const discountOf = ({ from, to, factor }: DiscountRow) => ({
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
  factor: figureIn(factor),
})

/** The JSON of the rows; empty where there are none. Incomplete rows are written as they are, and refused by the check. */
export const writeCostRows = ({ prices, discounts }: CostRows): string => {
  const models = Object.fromEntries(prices.map((row) => [row.model.trim(), pricedKinds(row)]))
  const cost = {
    ...(prices.length === 0 ? {} : { models }),
    ...(discounts.length === 0 ? {} : { discounts: discounts.map(discountOf) }),
  }
  return Object.keys(cost).length === 0 ? '' : JSON.stringify(cost, null, 2)
}
