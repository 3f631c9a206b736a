import { defaultTierRatios } from '@tollgate/contract/prices'
import { keyedFigures } from './keyed-figures.ts'

/** The built-in factors of service tiers for a model; undefined for one that has none. */
export const usualTiers = keyedFigures(defaultTierRatios)
