import { familyOf } from '../../dialects/facts/models.ts'

/** What the table of models (`dialects/facts`) says of caching. */

/** The minimum of a model that the table does not name. */
const usual = 1024

/** Tokens of a prompt below which the model's provider does not cache it. */
export const cacheMinimumOf = (model: string): number => familyOf(model)?.cacheMinimum ?? usual

/** True for a model whose provider is known to cache prompts: one that was not cached may be named too short for it. */
export const isKnownToCache = (model: string): boolean => familyOf(model)?.cacheMinimum !== undefined
