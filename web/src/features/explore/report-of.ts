import { calls } from '../../lib/api/contract.ts'

/** The report about own calls, or everybody's. Both answers have the same shape; only who may ask differs. */
export const reportOf = (mine: boolean): typeof calls.explore =>
  (mine ? calls.exploreOwn : calls.explore) as typeof calls.explore
