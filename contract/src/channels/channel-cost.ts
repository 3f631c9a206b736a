import { z } from 'zod'
import { priceKinds } from '../list-prices.ts'

const longestName = 255
const mostEntries = 1000
const mostDiscounts = 100

/** Dollars per million pieces, or per call. */
const dollars = z.number().min(0).max(1_000_000_000)
/** Factor of a price. */
const factor = z.number().min(0).max(1000)

const kindPrices = z.partialRecord(z.enum(priceKinds), dollars)

const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** A day of the calendar (UTC), `2026-11-30`. */
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .refine(isDay)

/** A model's own price: a factor of its list price, dollars per call, or dollars per million pieces of each kind. */
const ownPrice = z.union([
  z.strictObject({ factor }),
  z.strictObject({ call: dollars }),
  kindPrices.refine((prices) => Object.keys(prices).length > 0),
])

const discount = z
  .strictObject({ from: day.optional(), to: day.optional(), factor })
  .refine(({ from = '', to }) => to === undefined || from <= to)

/**
 * Cost of calls at a channel's provider: the list price of the upstream model × `factor`, unless `models` has a price for it.
 * Discounts apply to both from the beginning of `from` to the end of `to` (UTC); several at once multiply.
 */
export const channelCost = z.strictObject({
  factor: factor.optional(),
  /** By the model that the upstream is asked for, or by the beginning of such names: `gpt-4o*`. */
  models: z
    .record(z.string().min(1).max(longestName), ownPrice)
    .refine((models) => Object.keys(models).length <= mostEntries)
    .optional(),
  discounts: z.array(discount).max(mostDiscounts).optional(),
})
export type ChannelCost = z.output<typeof channelCost>
export type OwnCost = z.output<typeof ownPrice>
