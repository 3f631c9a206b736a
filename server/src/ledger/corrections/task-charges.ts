import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { cacheRefund } from '../refund.ts'

const platforms = { midjourneys: 'midjourney', tasks: 'suno' } as const
type TaskTable = keyof typeof platforms
const tables: readonly TaskTable[] = ['midjourneys', 'tasks']

/** Names the one refund that a task can have. */
export const taskRefund = (platform: (typeof platforms)[TaskTable], id: number): string => `refund:${platform}:${id}`

/** Requests that began an async task. */
export interface TaskCharges {
  readonly tasks: ReadonlySet<string>
  /**
   * Requests whose charge was given back: tasks that failed, which cost nothing whatever their price is, and contents that were deleted
   * early, whose refund is a part of the charge as it was.
   */
  readonly paidBack: ReadonlySet<string>
}

const startedBy = async (on: Kysely<Tables>, table: TaskTable, requestIds: readonly string[]) => {
  const rows = on
    .selectFrom(table)
    .select(['id', 'request_id'])
    .where('request_id', 'in', [...requestIds])
  return (await rows.execute()).flatMap(({ id, request_id }) => (request_id === null ? [] : [{ id, request_id }]))
}

/** Some hundred requests at most. */
export const taskCharges = async (on: Kysely<Tables>, requestIds: readonly string[]): Promise<TaskCharges> => {
  const byRefund = new Map<string, string>()
  if (requestIds.length === 0) return { tasks: new Set(), paidBack: new Set() }
  for (const table of tables) {
    for (const { id, request_id } of await startedBy(on, table, requestIds)) {
      byRefund.set(taskRefund(platforms[table], id), request_id)
    }
  }
  const tasks = new Set(byRefund.values())
  for (const id of requestIds) byRefund.set(cacheRefund(id), id)
  const names = [...byRefund.keys()]
  const refunds = await on.selectFrom('ledger_entries').select('movement').where('movement', 'in', names).execute()
  return { tasks, paidBack: new Set(refunds.flatMap(({ movement }) => byRefund.get(movement) ?? [])) }
}

/** Prevents refunds of charges until `trx` ends: a refund first changes the row of its task, or deletes its own. */
export const lockRefunds = async (trx: Transaction<Tables>, requestIds: readonly string[]): Promise<void> => {
  for (const table of tables) {
    const ids = (await startedBy(trx, table, requestIds)).map(({ id }) => id).toSorted((a, b) => a - b)
    if (ids.length === 0) continue
    await trx.updateTable(table).set({ progress: sql<string>`progress` }).where('id', 'in', ids).execute()
  }
  await trx
    .updateTable('storage_refunds')
    .set({ attempts: sql<number>`attempts` })
    .where('request_id', 'in', [...requestIds])
    .execute()
}
