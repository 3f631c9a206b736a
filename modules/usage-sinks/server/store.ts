import { logType } from '@tollgate/contract'
import type { Selectable } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { isUniqueViolation } from '#server/db/dialect.ts'
import type { UsageSinksTable } from './tables.ts'
import { type UsageRow, usageColumns } from './usage-record.ts'

export type SinkRow = Selectable<UsageSinksTable>

/** How far sinks are, and what is left for them in the log. */
export interface UsageSinkStore {
  /** How far a sink is; a new one begins behind the newest row. */
  state(name: string): Promise<SinkRow>
  /** Rows of calls behind one row and up to another, in order. */
  rows(after: number, upTo: number, limit: number): Promise<readonly UsageRow[]>
  newest(): Promise<number>
  waiting(after: number, most: number): Promise<number>
  /** The batch was taken. False where another node has gone on meanwhile. */
  delivered(state: SinkRow, cursor: number, count: number, now: number): Promise<boolean>
  failed(state: SinkRow, error: string, retryTime: number): Promise<void>
}

const kinds: readonly number[] = [logType.consume, logType.error]

export const openUsageSinkStore = ({
  database,
  logDatabase,
}: {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
}): UsageSinkStore => {
  const logs = logDatabase.query
  const { query } = database

  const find = (name: string) => query.selectFrom('usage_sinks').selectAll().where('name', '=', name).executeTakeFirst()

  const newest = async (): Promise<number> => {
    const row = await logs
      .selectFrom('logs')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    return Number(row?.id ?? 0)
  }

  return {
    newest,

    async state(name) {
      const known = await find(name)
      if (known !== undefined) return known
      const fresh = { name, cursor_id: await newest(), sent: 0, sent_time: 0, failures: 0, error: '', retry_time: 0 }
      await query
        .insertInto('usage_sinks')
        .values(fresh)
        .execute()
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
        })
      return (await find(name)) ?? fresh
    },

    rows: (after, upTo, limit) =>
      logs
        .selectFrom('logs')
        .select(usageColumns)
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .where('type', 'in', kinds)
        .orderBy('id')
        .limit(limit)
        .execute(),

    async waiting(after, most) {
      const row = await logs
        .selectFrom((nested) =>
          nested
            .selectFrom('logs')
            .select('id')
            .where('id', '>', after)
            .where('type', 'in', kinds)
            .orderBy('id')
            .limit(most)
            .as('waiting'),
        )
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    async delivered({ name, cursor_id }, cursor, count, now) {
      const { numUpdatedRows } = await query
        .updateTable('usage_sinks')
        .set(({ eb }) => ({
          cursor_id: cursor,
          sent: eb('sent', '+', count),
          sent_time: now,
          failures: 0,
          error: '',
          retry_time: 0,
        }))
        .where('name', '=', name)
        .where('cursor_id', '=', cursor_id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async failed({ name }, error, retryTime) {
      await query
        .updateTable('usage_sinks')
        .set(({ eb }) => ({ failures: eb('failures', '+', 1), error, retry_time: retryTime }))
        .where('name', '=', name)
        .execute()
    },
  }
}
