import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** So many notices of a kind in so many seconds. */
export interface NoticeLimit {
  readonly count: number
  readonly seconds: number
}

const oldSeconds = 7 * 86_400

/**
 * Takes one notice of this kind from what the user may get, or answers false. All nodes count together: conditional
 * updates decide, so of several at the same moment only as many win as the limit has left. Counts with the transaction.
 */
export const takeMark = async (
  database: Database,
  trx: Transaction<Tables>,
  notice: { readonly userId: number; readonly kind: string; readonly now: number; readonly limit: NoticeLimit },
): Promise<boolean> => {
  const { userId, kind, now, limit } = notice
  const unused = { user_id: userId, kind, sent_time: 0, sent_count: 0 }
  await database.insertMany('notice_marks', [unused], { trx, skipExisting: true })
  const mark = () => trx.updateTable('notice_marks').where('user_id', '=', userId).where('kind', '=', kind)
  const begun = await mark()
    .set({ sent_time: now, sent_count: 1 })
    .where('sent_time', '<=', now - limit.seconds)
    .executeTakeFirst()
  if (begun.numUpdatedRows > 0n) return true
  const counted = await mark()
    .set(({ eb }) => ({ sent_count: eb('sent_count', '+', 1) }))
    .where('sent_count', '<', limit.count)
    .executeTakeFirst()
  return counted.numUpdatedRows > 0n
}

/** Removes marks that no limit looks at any more. */
export const purgeMarks = async ({ query }: Database, now: number): Promise<void> => {
  await query
    .deleteFrom('notice_marks')
    .where('sent_time', '<', now - oldSeconds)
    .execute()
}
