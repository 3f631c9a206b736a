import { logType, writeLogText } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { taskRefund } from '../../ledger/corrections/task-charges.ts'
import type { Movements } from '../../ledger/movements.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { finishedProgress, type OpenTask } from './open-tasks.ts'
import type { Progress } from './progress.ts'

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

type Columns = Extract<Progress, { kind: 'moved' }>['columns']

const tables = { midjourney: 'midjourneys', suno: 'tasks' } as const

const refundCodes = { midjourney: 'drawing_refunded', suno: 'task_refunded' } as const

/**
 * Writes what became of tasks. A task that is finished never changes again, so of several who write its end at once, on one
 * node or on several, the first one wins and only a failure that won is paid back: the row, the refund and its log row are
 * written in one transaction (the log row before it is committed where logs have a database of their own).
 */
export const createSettling = ({ database, logDatabase, movements, unit, tokenChanged, clock }: SettleParts) => {
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

  const logRefund = async (trx: Transaction<Tables>, task: OpenTask, quota: number): Promise<void> => {
    const text = { code: refundCodes[task.platform], params: { task: task.taskId, amount: quota }, unit: unit() }
    const user = await trx.selectFrom('users').select('username').where('id', '=', task.userId).executeTakeFirst()
    const row = {
      user_id: task.userId,
      created_at: unixSeconds(clock),
      type: logType.system,
      content: writeLogText(text, 'zh') ?? '',
      username: user?.username ?? '',
      token_name: '',
      token_id: 0,
      model_name: '',
      quota,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time: 0,
      is_stream: 0,
      channel_id: task.channel_id,
      group: '',
      // The movement's name, so that a refund that is tried again is not logged twice.
      request_id: taskRefund(task.platform, task.id),
      ip: '',
      other: JSON.stringify({ task_id: task.taskId, request_id: task.requestId ?? '', text }),
    }
    const together = logDatabase === database
    await logDatabase.insertMany('logs', [row], { skipExisting: true, ...(together ? { trx } : {}) })
  }

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
    async settle(task: OpenTask, progress: Progress): Promise<void> {
      if (progress.kind === 'unchanged') return
      if (progress.kind === 'failed') await payBack(task, progress.columns)
      else await write(database.query, task, progress.columns)
    },
  }
}

export type Settling = ReturnType<typeof createSettling>
