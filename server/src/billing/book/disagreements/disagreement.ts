import { z } from 'zod'
import { figureSchema, sourceSchema } from '../table-schemas.ts'

/** The catalogue's price, then the second source's. */
const pair = z.tuple([figureSchema, figureSchema]).readonly()

/** Dollars per million tokens, by kind. A kind about which they agree is absent. */
const comparedFigures = z.strictObject({
  input: pair.exactOptional(),
  output: pair.exactOptional(),
  cache_read: pair.exactOptional(),
  cache_write: pair.exactOptional(),
})

/** Models about whose prices the catalogue and the second source disagree for the same reason. */
const disagreement = z.strictObject({
  /** Source of the price that applies: the catalogue, the second source, or the provider's page if both are wrong. */
  follow: z.enum(['catalogue', 'second source', 'provider']),
  why: z.string().min(1),
  /** Name in the second source → the prices of both. */
  models: z.record(z.string().min(1), comparedFigures),
})

/** A JSON table of this folder; `source` is the second source. */
export const disagreementTable = z.strictObject({
  about: z.string().min(1),
  source: sourceSchema,
  rows: z.array(disagreement).min(1),
})

export type ComparedFigures = z.output<typeof comparedFigures>
export type ComparedKind = keyof ComparedFigures
export type Disagreement = z.output<typeof disagreement>
