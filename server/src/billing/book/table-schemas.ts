import { priceKinds } from '@tollgate/contract/list-prices'
import { z } from 'zod'

/* Parts that the JSON tables of prices have in common. */

/** A price, or a factor of prices. */
export const figureSchema = z.number().min(0)

/** Dollars per million pieces of a kind. */
export const ratesSchema = z.partialRecord(z.enum(priceKinds), figureSchema)

/** Other rates for prompts of more than `above` tokens. */
export const contextsSchema = z.array(z.strictObject({ above: z.int().positive(), rates: ratesSchema })).min(1)

/** The page that states a price, and the month of that statement: `https://… (2026-11)`. */
export const sourceSchema = z.string().regex(/^https:\/\/\S+ \(20\d\d-(?:0[1-9]|1[0-2])\)$/)
