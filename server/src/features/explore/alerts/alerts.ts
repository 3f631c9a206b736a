import { type AlertChange, type ExploreAlert, mostAlerts, role } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { insertReturningId } from '../../../db/dialect.ts'
import type { Tables } from '../../../db/schema.ts'
import type { Trace } from '../../../db/trace.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import { checkRights, type ExploreScope } from '../scope.ts'
import { type AlertRow, alertOf, columnsOf, unknownState } from './rows.ts'

export interface AlertParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

/** Owner of alerts, and the address of the call. */
export interface AlertOwner {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly ip: string
}

export interface Alerts {
  /** Oldest first. */
  list(userId: number): Promise<ExploreAlert[]>
  /** Throws permission_denied where a user asks for what operators see, and too_many_alerts. */
  create(owner: AlertOwner, change: AlertChange): Promise<ExploreAlert>
  /** Another question, or switching it on, begins anew. Throws alert_not_found as well. */
  update(owner: AlertOwner, id: number, change: AlertChange): Promise<ExploreAlert>
  /** Throws alert_not_found. */
  remove(owner: AlertOwner, id: number): Promise<void>
}

type Columns = ReturnType<typeof columnsOf>

const questionColumns = [
  'metric',
  'filters',
  'own_calls',
  'comparison',
  'threshold',
  'window_hours',
] as const satisfies readonly (keyof Columns)[]

type Facts = Pick<AlertRow, keyof Columns>

const factsOf = ({ name, metric, filters, own_calls, comparison, threshold, window_hours, enabled }: Facts): Facts => ({
  name,
  metric,
  filters,
  own_calls,
  comparison,
  threshold,
  window_hours,
  enabled,
})

/** Scope of an alert's calls: all calls only for operators who want that. */
export const scopeOf = (user: { readonly id: number; readonly role: number }, mine: boolean): ExploreScope =>
  user.role >= role.admin && !mine ? { all: true } : { userId: user.id }

/** Alerts that users have set. */
export const openAlerts = ({ database, audit, clock }: AlertParts): Alerts => {
  const { query } = database

  const own = (on: Pick<Transaction<Tables>, 'selectFrom'>, userId: number, id: number) =>
    on.selectFrom('explore_alerts').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

  const mustBeOwn = async (on: Pick<Transaction<Tables>, 'selectFrom'>, userId: number, id: number) => {
    const row = await own(on, userId, id)
    if (row === undefined) throw new AppError('alert_not_found')
    return row
  }

  /** Stored columns of a change, with the scope that its owner may have. */
  const allowed = (owner: AlertOwner, change: AlertChange): Columns => {
    const scope = scopeOf(owner, change.mine)
    checkRights(scope, change)
    return columnsOf({ ...change, mine: !('all' in scope) })
  }

  const trace = (owner: AlertOwner, verb: string, id: number, facts: Pick<Trace, 'before' | 'after'>): Trace => ({
    actor: { id: owner.id, username: owner.username },
    action: `explore_alert.${verb}`,
    object: 'explore_alert',
    objectId: id,
    ...facts,
    ip: owner.ip,
  })

  const restarts = (row: AlertRow, columns: Columns): boolean =>
    (columns.enabled === 1 && row.enabled === 0) || questionColumns.some((name) => row[name] !== columns[name])

  return {
    async list(userId) {
      const rows = await query
        .selectFrom('explore_alerts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows.map(alertOf)
    },

    async create(owner, change) {
      const columns = allowed(owner, change)
      return database.transaction(async (trx) => {
        const row = { user_id: owner.id, ...columns, ...unknownState, version: 0, changed_time: unixSeconds(clock) }
        const id = await insertReturningId(trx, 'explore_alerts', row)
        const { count } = await trx
          .selectFrom('explore_alerts')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', owner.id)
          .executeTakeFirstOrThrow()
        if (Number(count) > mostAlerts) throw new AppError('too_many_alerts', { params: { max: mostAlerts } })
        await audit.record(trace(owner, 'create', id, { after: { ...factsOf(columns) } }), trx)
        return alertOf({ id, ...row })
      })
    },

    async update(owner, id, change) {
      const columns = allowed(owner, change)
      return database.transaction(async (trx) => {
        const row = await mustBeOwn(trx, owner.id, id)
        await trx
          .updateTable('explore_alerts')
          .set(({ eb }) => ({
            ...columns,
            ...(restarts(row, columns) ? unknownState : {}),
            version: eb('version', '+', 1),
            changed_time: unixSeconds(clock),
          }))
          .where('user_id', '=', owner.id)
          .where('id', '=', id)
          .execute()
        await audit.record(
          trace(owner, 'update', id, { before: { ...factsOf(row) }, after: { ...factsOf(columns) } }),
          trx,
        )
        return alertOf(await mustBeOwn(trx, owner.id, id))
      })
    },

    async remove(owner, id) {
      await database.transaction(async (trx) => {
        const row = await mustBeOwn(trx, owner.id, id)
        await trx.deleteFrom('explore_alerts').where('user_id', '=', owner.id).where('id', '=', id).execute()
        await audit.record(trace(owner, 'delete', id, { before: { ...factsOf(row) } }), trx)
      })
    },
  }
}
