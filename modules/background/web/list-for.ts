import { calls } from '#web/lib/api/contract.ts'

/** The list of a reader. Both have the same shape; only who may call them differs. */
export const listFor = (isOperator: boolean) =>
  (isOperator ? calls.browseBackground : calls.browseOwnBackground) as typeof calls.browseBackground
