import type { JournalRecord } from '../../journal/journal-record.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { RefusedRequest, RefusedStore } from './store.ts'

/** Refused records as operators see and retry them. */
export interface Refused {
  /** The oldest first, `most` of them, and how many there are. */
  list(most: number): Promise<{ readonly records: readonly RefusedRequest[]; readonly total: number }>
  find(requestId: string): Promise<RefusedRequest | undefined>
  /**
   * Writes one again and forgets it when the database has all of it. A charge that the ledger has is never made again.
   * Throws AppError: `not_found`, `record_still_refused`.
   */
  retry(requestId: string): Promise<void>
}

interface RefusedParts {
  readonly store: RefusedStore
  readonly applyAgain: (record: JournalRecord) => Promise<void>
  /** Which of these requests the ledger has charged. */
  readonly chargedAmong: (requestIds: readonly string[]) => Promise<ReadonlySet<string>>
}

export const openRefused = ({ store, applyAgain, chargedAmong }: RefusedParts): Refused => {
  /** A crash between a charge and the file leaves the file behind; the ledger is right. */
  const withCharges = async (kept: readonly RefusedRequest[]): Promise<readonly RefusedRequest[]> => {
    const open = kept.filter(({ isCharged }) => !isCharged).map(({ record }) => record.id)
    if (open.length === 0) return kept
    const charged = await chargedAmong(open)
    return kept.map((one) => (charged.has(one.record.id) ? { ...one, isCharged: true } : one))
  }

  const running = new Map<string, Promise<void>>()

  const retry = async (requestId: string): Promise<void> => {
    const refused = await store.find(requestId)
    if (refused === undefined) throw new AppError('not_found', { details: { request_id: requestId } })
    try {
      await applyAgain(refused.record)
    } catch (cause) {
      const reason = shortText(reasonOf(cause), 500)
      await store.keep({ ...refused, retries: refused.retries + 1, reason })
      throw new AppError('record_still_refused', { params: { reason }, cause })
    }
    await store.remove(requestId)
  }

  return {
    async list(most) {
      const ids = await store.ids()
      const found = await Promise.all(ids.slice(0, most).map((id) => store.find(id)))
      return { records: await withCharges(found.filter((one) => one !== undefined)), total: ids.length }
    },
    async find(requestId) {
      const found = await store.find(requestId)
      return found && (await withCharges([found]))[0]
    },
    retry(requestId) {
      const cached = running.get(requestId)
      if (cached !== undefined) return cached
      const started = retry(requestId).finally(() => running.delete(requestId))
      running.set(requestId, started)
      return started
    },
  }
}
