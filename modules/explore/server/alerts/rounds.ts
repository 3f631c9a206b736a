import { type AlertQuestion, isOperatorDimension, isOperatorMetric, role, userStatus } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import { quickQuestion } from '#server/db/sqlite/quick-reads.ts'
import { filtersOf } from '#server/features/figures/scope.ts'
import { roleIn } from '#server/http/access.ts'
import { permissionsOf } from '#server/http/permissions.ts'
import type { NamedJob, NamedJobs } from '#server/jobs/named-jobs.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '#server/jobs/runner.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { PassedAlert } from './alert-text.ts'
import { scopeOf } from './alerts.ts'
import { type AlertRow, questionOf } from './rows.ts'
import { windowValue } from './value.ts'

export interface RoundParts extends JobTimes {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly jobs: Pick<NamedJobs, 'store'>
  /** Option DataExportEnabled. */
  enabled(): boolean
  /**
   * Function that queues a notice to the owner, in the transaction of the new state; answers whether the limit of notices allowed it.
   * Undefined if the owner cannot be reached.
   */
  noticeOf(userId: number, alert: PassedAlert): Promise<((trx: Transaction<Tables>) => Promise<boolean>) | undefined>
}

const job = { id: 'explore_alerts', everySeconds: 300 }
const rowsPerQuery = 50

interface OwnedRow extends AlertRow {
  /** Role of the owner, which decides whether all calls may be counted. */
  readonly role: number
}

const isOver = ({ comparison, threshold }: AlertQuestion, value: number): boolean =>
  comparison === 'above' ? value > threshold : value < threshold

/** An owner who is no operator any more asks for nothing that only operators see. */
const mayAsk = (row: OwnedRow, { metric, filters }: AlertQuestion): boolean =>
  row.role >= role.admin ||
  !(isOperatorMetric(metric) || filters.some(({ dimension }) => isOperatorDimension(dimension)))

/** A question whose answer has gone over its threshold, or come back. `now` in seconds since 1970. */
interface Passed {
  readonly value: number
  readonly over: boolean
  readonly now: number
}

/**
 * Rounds: when five minutes have passed, one node reads the values of all enabled alerts. An owner gets a notice
 * when a value goes over the threshold and one when it is back. The state and the notice are written together and only over
 * the state that was read, so neither a restart nor another node repeats a notice. Where nothing was measured the state stays.
 */
export const openAlertRounds = (parts: RoundParts): JobRunner<NamedJob> => {
  const { database, clock } = parts
  const { query } = database

  const after = async (id: number): Promise<OwnedRow[]> => {
    const rows = await query
      .selectFrom('explore_alerts')
      .innerJoin('users', 'users.id', 'explore_alerts.user_id')
      .selectAll('explore_alerts')
      .select(['users.role', 'users.staff_permissions'])
      .where('explore_alerts.id', '>', id)
      .where('explore_alerts.enabled', '=', 1)
      .where('users.status', '=', userStatus.enabled)
      .where('users.deleted_at', 'is', null)
      .orderBy('explore_alerts.id')
      .limit(rowsPerQuery)
      .modifyEnd(quickQuestion)
      .execute()
    return rows.map(({ staff_permissions, ...row }) => {
      const owner = { role: row.role, permissions: permissionsOf({ role: row.role, staff_permissions }) }
      return { ...row, role: roleIn(owner, 'logs') }
    })
  }

  const write = async (
    on: Pick<Transaction<Tables>, 'updateTable'>,
    { id, version, over_since }: AlertRow,
    change: Partial<Pick<AlertRow, 'over_since' | 'last_value' | 'checked_time'>>,
  ): Promise<boolean> => {
    const { numUpdatedRows } = await on
      .updateTable('explore_alerts')
      .set(change)
      .where('id', '=', id)
      .where('version', '=', version)
      .where('over_since', '=', over_since)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const pass = async (row: OwnedRow, question: AlertQuestion, { value, over, now }: Passed) => {
    const add = await parts.noticeOf(row.user_id, { ...question, name: row.name, value, over })
    await database.transaction(async (trx) => {
      const change = { over_since: over ? now : 0, last_value: value, checked_time: now }
      if (!(await write(trx, row, change)) || !(await add?.(trx))) return
      await trx.updateTable('explore_alerts').set({ noticed_time: now }).where('id', '=', row.id).execute()
    })
  }

  const look = async (row: OwnedRow): Promise<void> => {
    const question = questionOf(row)
    if (!mayAsk(row, question)) return
    const now = unixSeconds(clock)
    const { metric, window_hours: hours } = question
    const filters = filtersOf(scopeOf({ id: row.user_id, role: row.role }, question.mine), question.filters)
    const value = await windowValue(database, { metric, filters, hours }, now)
    if (value !== undefined && isOver(question, value) !== row.over_since > 0)
      return pass(row, question, { value, over: row.over_since === 0, now })
    await write(query, row, { last_value: value ?? null, checked_time: now })
  }

  return openJobRunner({
    store: parts.jobs.store([job], parts.enabled),
    async work(_, { claim, signal }) {
      let done = 0
      const errors: unknown[] = []
      for (let rows = await after(0); rows.length > 0; rows = await after(rows.at(-1)?.id ?? 0)) {
        for (const row of rows) await look(row).catch((error: unknown) => errors.push(error))
        done += rows.length
        if (signal.aborted || !(await claim.progress(done, done, {}))) break
      }
      if (errors.length > 0) parts.failed(errors[0])
    },
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
  })
}
