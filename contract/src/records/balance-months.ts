import { z } from 'zod'
import { ledgerReasons } from '../accounts/user-page.ts'

const sums = {
  /** Calls that were charged. */
  count: z.int(),
  /** Quota units that they cost. */
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
}

/** Charged calls, summed. */
export const chargeSums = z.object(sums)

/** Movements of one reason, summed. */
export const movementSum = z.object({
  reason: z.enum(ledgerReasons),
  count: z.int(),
  /** Signed quota units. */
  amount: z.int(),
})

/**
 * A month of a balance, every figure a sum of ledger entries: opening + movements − charges = closing, and the closing balance
 * of a month is the opening one of the next. The months of a zone begin to the minute.
 */
export const balanceMonth = z.object({
  /** For example `2026-10`. */
  month: z.string(),
  zone: z.string(),
  /** Unix seconds; `from` is included, `to` is not. */
  from: z.int(),
  to: z.int(),
  /** False while the month lasts: the closing balance is the one of this moment. */
  complete: z.boolean(),
  /** Quota units. */
  opening: z.int(),
  closing: z.int(),
  /** Everything but charges. */
  movements: z.array(movementSum),
  charges: chargeSums,
  /** Charges by model, dearest first. An empty name stands for charges from before models were summed. */
  models: z.array(z.object({ model: z.string(), ...sums })),
  /** Quota units that make one unit of currency. */
  quota_per_unit: z.number(),
})

/** `2026-10`; the present month when absent. */
export const monthQuery = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
  .optional()
