import { dropStorageRefund, listStorageRefunds, retryStorageRefund, type StorageRefundRow } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { readError } from '../../lib/json/stored-error.ts'
import type { OpenRefund, StorageRefunds } from './storage-refunds.ts'

export interface StorageRefundRouteParts {
  readonly refunds: Pick<StorageRefunds, 'list' | 'retry' | 'drop'>
  readonly database: Database
  readonly audit: (entry: Trace) => Promise<void>
}

const mostListed = 100

const shownRefund = (row: OpenRefund, username: string): Omit<StorageRefundRow, 'reason'> => ({
  request_id: row.request_id,
  user_id: row.user_id,
  username,
  channel: row.channel_id,
  content_name: row.content_name,
  quota: row.quota,
  created_at: row.created_time,
  next_at: row.next_time,
  attempts: row.attempts,
})

/** Refunds that could not be made yet, for operators to look at, to make now or to give up. */
export const storageRefundRoutes = (on: On, { refunds, database, audit }: StorageRefundRouteParts): void => {
  const usernames = async (rows: readonly OpenRefund[]): Promise<ReadonlyMap<number, string>> => {
    const ids = [...new Set(rows.map(({ user_id }) => user_id))]
    if (ids.length === 0) return new Map()
    const users = await database.query.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
    return new Map(users.map(({ id, username }) => [id, username]))
  }

  on(listStorageRefunds, async ({ language }) => {
    const { refunds: rows, total } = await refunds.list(mostListed)
    const names = await usernames(rows)
    const items = rows.map((row) => {
      const { text: reason, ...fields } = readError(row.last_error, language)
      return { ...shownRefund(row, names.get(row.user_id) ?? ''), reason, ...fields }
    })
    return { data: { items, total } }
  })

  type Change = 'retry' | 'drop'

  /** Makes a change, and leaves a trace of it whether it succeeds or not. */
  const traced = async (
    change: Change,
    { params: { id }, caller, ip }: { params: { id: string }; caller: ConsoleCaller; ip: string },
  ): Promise<Record<string, never>> => {
    const leaveTrace = (after: Readonly<Record<string, unknown>>): Promise<void> =>
      audit({
        actor: { id: caller.id, username: caller.username },
        action: `storage_refund.${change}`,
        object: 'storage_refund',
        objectId: id,
        before: {},
        after,
        ip,
      })
    let given: Readonly<Record<string, unknown>> = {}
    try {
      if (change === 'retry') await refunds.retry(id)
      else {
        const { user_id, quota, content_name } = await refunds.drop(id)
        given = { user_id, quota, content_name }
      }
    } catch (error) {
      await leaveTrace({ outcome: error instanceof AppError ? error.code : 'internal_error' })
      throw error
    }
    await leaveTrace({ outcome: 'done', ...given })
    return {}
  }

  on(retryStorageRefund, (call) => traced('retry', call))
  on(dropStorageRefund, (call) => traced('drop', call))
}
