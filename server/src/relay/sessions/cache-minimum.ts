import { familyOf } from '../../dialects/facts/models.ts'

/** Prompt caching by the table of models (`dialects/facts`). */

/** The minimum of a model that the table does not name. */
const usual = 1024

/** Tokens of a prompt below which the model's provider does not cache it. */
export const cacheMinimumOf = (model: string): number => familyOf(model)?.cacheMinimum ?? usual

/** True for a model whose provider is known to cache prompts, so that an uncached prompt may be too short. */
export const isKnownToCache = (model: string): boolean => familyOf(model)?.cacheMinimum !== undefined
