import type { PriceKey, Receipt } from '@tollgate/contract'
import type { Declarations } from '#server/billing/declared/declarations.ts'
import type { Database } from '#server/db/database.ts'
import type { Trace } from '#server/db/trace.ts'
import type { JobTimes } from '#server/jobs/runner.ts'
import type { Movements } from '#server/ledger/movements.ts'

/** A logged call as prices need it. */
export interface CorrectableCall {
  readonly id: number
  readonly created_at: number
  readonly request_id: string
  readonly username: string
  readonly token_name: string
  readonly model_name: string
  readonly group: string
  readonly channel_id: number
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly other: string
}

interface PriceChange {
  readonly key: PriceKey
  readonly value: string
}

export interface CorrectionParts extends JobTimes {
  readonly database: Database
  readonly logDatabase: Database
  readonly ledger: Pick<Movements, 'correct'>
  /** Freezes changed price options as text, and computes receipts at them. */
  readonly prices: {
    freeze(changes: readonly PriceChange[]): string
    freezeDeclared(declarations: Declarations): string
    open(
      frozen: string,
    ): (call: CorrectableCall, charged: string, kind: { isTask: boolean }) => Receipt | 'no_receipt' | 'no_price'
  }
  readonly audit: { record(trace: Trace): Promise<void> }
  /** Called with tokens whose state a correction may have changed. */
  tokensChanged(ids: readonly number[]): void
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  unit(): number
  /** Calls of one step. */
  readonly stepCalls?: number
  /** Rests between steps, so that charges come in between; milliseconds. */
  readonly restMs?: number
}
