import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { StorageRefundsTable, Tables } from '../../db/schema.ts'
import { pauseAfter } from '../../jobs/job-policy.ts'
import { openRowClaims } from '../../jobs/row-claims.ts'
import { openJobRunner } from '../../jobs/runner.ts'
import { effectiveCharges } from '../../ledger/corrections/effective.ts'
import { writeRefundRow } from '../../ledger/logs/refund-row.ts'
import type { Movements } from '../../ledger/movements.ts'
import { cacheRefund } from '../../ledger/refund.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { printedError } from '../../lib/json/stored-error.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { StorageRefund } from '../../relay/cached-contents/payments.ts'
import { presentQuota } from './present-quota.ts'

export interface StorageRefundParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly movements: Pick<Movements, 'refund'>
  /** Resolves when the charges of this node are in the database, or after so many milliseconds. */
  flush(mostMs: number): Promise<void>
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  readonly unit: () => number
  /** Called when a token's balance grew, so that cached copies are read again. */
  readonly tokenChanged: (tokenId: number) => void
  readonly clock: Clock
  /** Milliseconds between looks for refunds that are due; absent where only calls look. */
  readonly lookEveryMs?: number
  readonly warn: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export type OpenRefund = Readonly<StorageRefundsTable>

/** Refunds for cached contents that were deleted early. Each is a row until it is made, so it outlives a crash. */
export interface StorageRefunds {
  /** Gives a part of a charge back, once; in the background. Resolves when a crash cannot lose it any more. */
  giveBack(refund: StorageRefund): Promise<void>
  /** Those that failed at least once, the oldest first, `most` of them, and how many there are. */
  list(most: number): Promise<{ readonly refunds: readonly OpenRefund[]; readonly total: number }>
  /** Tries one now. Throws AppError: `not_found`, `refund_without_charge`, `refund_not_made`. */
  retry(requestId: string): Promise<void>
  /** Gives one up and answers what it was. Throws AppError `not_found`. */
  drop(requestId: string): Promise<OpenRefund>
  /** Tries those that are due. */
  look(): Promise<void>
  close(): Promise<void>
}

/** After each failed attempt, in seconds. */
const pauses = [5, 30, 300, 1800, 3600]
/** Longer than a refund takes; that of a process that ended in the middle waits so long. */
const leaseSeconds = 60
/** The charge may still be on its way at another node: the first failures are no news. */
const quietAttempts = 2
const flushMs = 5000
const longestName = 190

export const openStorageRefunds = (parts: StorageRefundParts): StorageRefunds => {
  const { database, movements, clock } = parts
  /** Rows that the database did not take yet. */
  const unsaved = new Map<string, OpenRefund>()

  const save = (rows: readonly OpenRefund[]): Promise<void> =>
    database.insertMany(
      'storage_refunds',
      rows.map((row) => ({ ...row })),
      { skipExisting: true },
    )

  const saveUnsaved = async (): Promise<void> => {
    const rows = [...unsaved.values()]
    if (rows.length === 0) return
    await save(rows)
    for (const { request_id } of rows) unsaved.delete(request_id)
  }

  const remove = async (on: Pick<Transaction<Tables>, 'deleteFrom'>, requestId: string): Promise<boolean> => {
    const { numDeletedRows } = await on
      .deleteFrom('storage_refunds')
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  const find = async (requestId: string): Promise<OpenRefund> => {
    const row = await database.query
      .selectFrom('storage_refunds')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found', { details: { request_id: requestId } })
    return row
  }

  const logRefund = (trx: Transaction<Tables>, refund: OpenRefund, quota: number): Promise<void> =>
    writeRefundRow(parts, trx, {
      userId: refund.user_id,
      channelId: refund.channel_id,
      quota,
      movement: cacheRefund(refund.request_id),
      text: { code: 'cache_refunded', params: { name: refund.content_name, amount: quota } },
      other: { request_id: refund.request_id },
    })

  /** Throws AppError `refund_without_charge` when the charge is not in the database, and what the database says. */
  const make = async (refund: OpenRefund): Promise<void> => {
    const { request_id: requestId, user_id: userId, quota, content_name: name } = refund
    let token: number | undefined
    let isCharged = true
    const isPaidBack = await movements.refund({
      movement: cacheRefund(requestId),
      requestId,
      paid: { userId, quota },
      most: (trx, charge) => presentQuota(trx, refund, charge),
      channelId: refund.channel_id,
      detail: { request_id: requestId, cached_content: name },
      async due(trx) {
        isCharged = (await effectiveCharges(trx, [requestId])).has(requestId)
        return isCharged && (await remove(trx, requestId))
      },
      recorded: async (trx, back) => {
        token = back.tokenId
        if (back.quota > 0) await logRefund(trx, refund, back.quota)
      },
    })
    if (!isCharged) throw new AppError('refund_without_charge')
    // It was given back before, or a correction took the whole charge back.
    if (!isPaidBack) await remove(database.query, requestId)
    if (isPaidBack && token !== undefined) parts.tokenChanged(token)
  }

  const noteFailure = async (refund: OpenRefund, error: unknown): Promise<void> => {
    const { request_id: requestId, user_id: user, quota } = refund
    const attempts = refund.attempts + 1
    if (attempts > quietAttempts) parts.warn('storage_not_refunded', { request_id: requestId, user, quota, error })
    await database.query
      .updateTable('storage_refunds')
      .set({
        attempts,
        next_time: unixSeconds(clock) + pauseAfter(pauses, attempts),
        last_error: printedError(error, 500),
      })
      .where('request_id', '=', requestId)
      .where('attempts', '=', refund.attempts)
      .execute()
  }

  const failed = (error: unknown): void => parts.warn('storage_refunds_late', { error })

  const claims = openRowClaims({
    database,
    table: 'storage_refunds',
    key: 'request_id',
    time: 'next_time',
    leaseSeconds,
    clock,
  })

  const due: typeof claims.due = async (most) => {
    await saveUnsaved()
    const refunds = await claims.due(most)
    if (refunds.length > 0) await parts.flush(flushMs)
    return refunds
  }

  const runner = openJobRunner({
    store: { ...claims, due },
    work: (refund) => make(refund).catch((error: unknown) => noteFailure(refund, error)),
    everyMs: parts.lookEveryMs,
    failed,
    clock,
  })

  return {
    look: runner.work,
    async giveBack({ caller, channelId, name, requestId, quota }) {
      const now = unixSeconds(clock)
      const row = {
        request_id: requestId,
        user_id: caller.userId,
        channel_id: channelId,
        quota,
        content_name: shortText(name, longestName),
        created_time: now,
        next_time: now,
        attempts: 0,
        last_error: '',
      }
      try {
        await save([row])
      } catch (error) {
        unsaved.set(requestId, row)
        failed(error)
      }
      runner.wake()
    },
    async list(most) {
      const failures = database.query.selectFrom('storage_refunds').where('attempts', '>', 0)
      const [refunds, all] = await Promise.all([
        failures.selectAll().orderBy('created_time').orderBy('request_id').limit(most).execute(),
        failures.select((on) => on.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      ])
      return { refunds, total: Number(all.count) }
    },
    async retry(requestId) {
      const refund = await find(requestId)
      await parts.flush(flushMs)
      try {
        await make(refund)
      } catch (cause) {
        await noteFailure(refund, cause)
        if (cause instanceof AppError) throw cause
        throw new AppError('refund_not_made', { params: { reason: shortText(reasonOf(cause), 500) }, cause })
      }
    },
    async drop(requestId) {
      const refund = await find(requestId)
      if (!(await remove(database.query, requestId))) {
        throw new AppError('not_found', { details: { request_id: requestId } })
      }
      return refund
    },
    async close() {
      await runner.idle()
      await runner.stop()
      await saveUnsaved().catch((error: unknown) => {
        for (const { request_id, user_id: user, quota } of unsaved.values()) {
          parts.warn('storage_not_refunded', { request_id, user, quota, error })
        }
      })
    },
  }
}
