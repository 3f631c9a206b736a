import { z } from 'zod'
import { contextsSchema, ratesSchema, sourceSchema } from '../table-schemas.ts'
import bedrock from './bedrock.json' with { type: 'json' }
import google from './google.json' with { type: 'json' }
import hosts from './hosts.json' with { type: 'json' }
import openai from './openai.json' with { type: 'json' }

/**
 * Columns of prices that the catalogue does not have: writes to a cache for the longer lifetime, and prices of service tiers that no factor
 * makes.
 */
const columns = z.strictObject({
  provider: z.string().min(1),
  /** Ids in the lists. */
  models: z.array(z.string().min(1)).min(1),
  /** The usual price of input that they were read with, in dollars per million tokens: at another price they do not count. */
  usual: z.number().positive(),
  /** By the number of prompt tokens above which it holds; 0 for every prompt. */
  longWrites: z.record(z.string().regex(/^\d+$/), z.number().positive()).exactOptional(),
  /** Kinds that a tier does not name cost its factor of the usual price. */
  tiers: z
    .array(
      z.strictObject({
        names: z.array(z.string().min(1)).min(1),
        rates: ratesSchema,
        contexts: contextsSchema.exactOptional(),
      }),
    )
    .exactOptional(),
})

const table = z.strictObject({ about: z.string().min(1), source: sourceSchema, rows: z.array(columns).min(1) })

export type PriceColumns = z.output<typeof columns>
export type ColumnFigures = z.output<typeof ratesSchema>

/** The rows of the JSON tables of this folder. */
export const priceColumns: readonly PriceColumns[] = [openai, google, bedrock, hosts].flatMap(
  (json) => table.parse(json).rows,
)

/** Parts the name of a tier from a key of the catalogue, `flex/cache_read_mtok`; versions that do not know tiers pass such keys over. */
export const tierMark = '/'
