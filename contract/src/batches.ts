import { z } from 'zod'
import { refusalFields } from './errors/refusal.ts'
import { batchSize } from './sizes.ts'

/** Unlike in an address, a list that cannot be read must not mean "all" where rows are changed. */
export const exactNumbers = z
  .string()
  .regex(/^(-?\d{1,15}(,-?\d{1,15})*)?$/)
  .optional()
  .transform((text) => (text ? text.split(',').map(Number) : []))

/**
 * Which rows: these, or all that fit the filters of the list, the newest first. A call changes a batch and answers `next`,
 * the id before which the next call goes on; so rows that come meanwhile are never among them.
 */
export const batchRows = <Filter extends z.ZodRawShape>(filter: Filter) =>
  z.union([
    z.object({ ids: z.array(z.int().positive()).min(1).max(batchSize) }),
    z.object({ filter: z.strictObject(filter), before: z.int().positive().optional() }),
  ])

/** The result of a batch. */
export const batchResult = z.object({
  done: z.int(),
  failed: z.array(z.object({ id: z.int(), name: z.string(), reason: z.string(), ...refusalFields })),
  /** The rows that were changed, each with what the changed field held before; null for a delete. */
  before: z.array(z.object({ id: z.int(), value: z.union([z.string(), z.number(), z.null()]) })),
  /** The `before` of the call for the remaining rows; null when none remain. */
  next: z.int().nullable(),
})
/** The action that brings back deleted rows, by their ids; it works for `undoSeconds` after the delete. */
export const restoreAct = z.object({ kind: z.literal('restore') })
export type BatchResult = z.output<typeof batchResult>

/** The summary of a list's batch endpoint. */
export const batchSummary = (rows: string): string =>
  `Does the same to many ${rows}, by id or by the filters of the list, a batch at a time`
