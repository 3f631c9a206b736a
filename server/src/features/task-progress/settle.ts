import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { taskRefund } from '../../ledger/corrections/task-charges.ts'
import { writeRefundRow } from '../../ledger/logs/refund-row.ts'
import type { Movements } from '../../ledger/movements.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { finishedProgress, type OpenTask } from './open-tasks.ts'
import type { TaskProgress } from './progress.ts'

export interface SettleParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly movements: Pick<Movements, 'refund'>
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  readonly unit: () => number
  /** Called when a token's balance grew, so that cached copies are read again. */
  readonly tokenChanged: (tokenId: number) => void
  readonly clock: Clock
}

type Columns = Extract<TaskProgress, { kind: 'moved' }>['columns']

const tables = { midjourney: 'midjourneys', suno: 'tasks' } as const

const refundCodes = { midjourney: 'drawing_refunded', suno: 'task_refunded' } as const

/**
 * Writes what became of tasks. A task that is finished never changes again, so of several who write its end at once, on one
 * node or on several, the first one wins and only a failure that won is paid back: the row, the refund and its log row are
 * written in one transaction (the log row before it is committed where logs have a database of their own).
 */
export const createSettling = (parts: SettleParts) => {
  const { database, movements, tokenChanged, clock } = parts

  /** True when the row was still under way. */
  const write = async (on: Pick<Transaction<Tables>, 'updateTable'>, task: OpenTask, columns: Columns) => {
    const table = tables[task.platform]
    const set = table === 'tasks' ? { ...columns, updated_at: unixSeconds(clock) } : columns
    const result = await on
      .updateTable(table)
      .set(set)
      .where('id', '=', task.id)
      .where('progress', '<>', finishedProgress)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  const logRefund = (trx: Transaction<Tables>, task: OpenTask, quota: number): Promise<void> =>
    writeRefundRow(parts, trx, {
      userId: task.userId,
      channelId: task.channel_id,
      quota,
      movement: taskRefund(task.platform, task.id),
      text: { code: refundCodes[task.platform], params: { task: task.taskId, amount: quota } },
      other: { task_id: task.taskId, request_id: task.requestId ?? '' },
    })

  const payBack = async (task: OpenTask, columns: Columns): Promise<void> => {
    let token: number | undefined
    const paidBack = await movements.refund({
      movement: taskRefund(task.platform, task.id),
      requestId: task.requestId,
      paid: { userId: task.userId, quota: task.quota },
      channelId: task.channel_id,
      detail: { task_id: task.taskId, platform: task.platform, request_id: task.requestId ?? '' },
      due: (trx) => write(trx, task, columns),
      recorded: async (trx, { quota, tokenId }) => {
        token = tokenId
        if (quota > 0) await logRefund(trx, task, quota)
      },
    })
    if (paidBack && token !== undefined) tokenChanged(token)
  }

  return {
    async settle(task: OpenTask, progress: TaskProgress): Promise<void> {
      if (progress.kind === 'unchanged') return
      if (progress.kind === 'failed') await payBack(task, progress.columns)
      else await write(database.query, task, progress.columns)
    },
  }
}

export type Settling = ReturnType<typeof createSettling>
