import { isDataError } from '../../db/data-error.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import { reducedRecords } from './reduced-record.ts'
import type { RefusedStore } from './store.ts'

export interface RefusalParts {
  readonly store: RefusedStore
  /** Books a charge, or writes a log row; throws errors of the database. */
  readonly write: { charge(record: JournalRecord): Promise<void>; log(record: JournalRecord): Promise<void> }
  /** Lets go of a record that cannot be written in any form. */
  readonly giveUp: { charge(record: JournalRecord): Promise<void>; log(record: JournalRecord): Promise<void> }
  readonly now: () => number
  readonly error: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** Called for each refused record. Must return at once. */
  readonly onRefused: RefusedListener
}

export type RefusedListener = (refused: { readonly requestId: string; readonly reason: string }) => void

type Step = 'charge' | 'log'

/** Number of failures, each about its own data, after which a record is refused. */
const failuresUntilRefused = 3
/** Money that cannot be booked even without a text is tried longer before it waits for a person. */
const failuresUntilUncharged = 8

const shortReason = (error: unknown): string => shortText(reasonOf(error), 500)

/**
 * Takes records out of the line that the database refuses alone. A record is refused when its failures are about its data and
 * the same request with fewer texts is taken: that proves that the database works. The whole record is on the disk before
 * anything else happens, so that a crash in between loses nothing; applying it again changes nothing.
 */
export const createRefusals = ({ store, write, giveUp, now, error: report, onRefused }: RefusalParts) => {
  const keep = (record: JournalRecord, step: Step, isCharged: boolean, error: unknown): Promise<void> =>
    store.keep({ record, refusedAt: now(), step, isCharged, reason: shortReason(error), retries: 0 })

  /** False where the database takes none of the reduced forms; throws where it does not answer. */
  const writeReduced = async (record: JournalRecord, step: Step): Promise<boolean> => {
    for (const reduced of reducedRecords(record)) {
      try {
        await write[step](reduced)
        return true
      } catch (error) {
        if (!isDataError(error)) throw error
      }
    }
    return false
  }

  const tryRefuse = async (record: JournalRecord, step: Step, error: unknown, failures: number): Promise<boolean> => {
    const existing = await store.find(record.id)
    const isCharged = record.kind === 'error' || (step === 'log' && existing?.isCharged !== false)
    await keep(record, step, isCharged, error)
    const isWritten = await writeReduced(record, step)
    if (!isWritten && failures < failuresUntilUncharged) {
      if (existing === undefined) await store.remove(record.id)
      return false
    }
    if (isWritten) await keep(record, step, true, error)
    else await giveUp[step](record)
    report('record_refused', {
      request_id: record.id,
      step,
      user_id: record.userId,
      quota: record.quota,
      charged: isWritten || isCharged,
      reason: shortReason(error),
    })
    onRefused({ requestId: record.id, reason: shortReason(error) })
    return true
  }

  return {
    /** True when the record need not be tried again. Never rejects. */
    async refuse(record: JournalRecord, step: Step, error: unknown, failures: number): Promise<boolean> {
      if (failures < failuresUntilRefused || !isDataError(error)) return false
      try {
        return await tryRefuse(record, step, error, failures)
      } catch (failed) {
        report('refused_record_not_kept', { request_id: record.id, error: failed })
        return false
      }
    },
  }
}
