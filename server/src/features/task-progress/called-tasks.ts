import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { TaskCallsTable } from '../../db/schema/tasks.ts'
import type { StoredJob } from '../../jobs/job-store.ts'
import { askedLook, noLaterThan, unlessNudged } from '../../jobs/nudges.ts'
import { openRowClaims } from '../../jobs/row-claims.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'

/** A task that its service has called about. */
export type CalledTask = Selectable<TaskCallsTable> & StoredJob

/** Names of tasks in the addresses at which their services call. */
export const taskHookKinds = { midjourney: 'drawing', suno: 'song' } as const

/** Seconds that a look is with the process that does it. */
const leaseSeconds = 60

/** Calls of services about tasks, in the database, for all nodes. A call may come before the task's own row. */
export const openCalledTasks = ({ query }: Pick<Database, 'query'>, clock: Clock) => {
  const now = (): number => unixSeconds(clock)
  const rowOf = (requestId: string) =>
    query.selectFrom('task_calls').selectAll().where('request_id', '=', requestId).executeTakeFirst()

  /** False where another call was quicker. */
  const begin = async (platform: TaskPlatform, request_id: string): Promise<boolean> => {
    const times = { created_time: now(), nudged_time: now(), look_time: now() }
    try {
      await query
        .insertInto('task_calls')
        .values({ platform, request_id, ...times })
        .execute()
      return true
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      return false
    }
  }

  return {
    jobs: openRowClaims({
      database: { query },
      table: 'task_calls',
      key: 'request_id',
      time: 'look_time',
      leaseSeconds,
      clock,
    }),
    /** Asks for a look at the task that a request began; true where it is due now. */
    async nudge(platform: TaskPlatform, requestId: string): Promise<boolean> {
      const row = await rowOf(requestId)
      if (row === undefined) return begin(platform, requestId)
      const at = askedLook(row.nudged_time, now())
      if (at === undefined) return false
      const { numUpdatedRows } = await query
        .updateTable('task_calls')
        .set({ nudged_time: at, look_time: noLaterThan('look_time', at) })
        .where('request_id', '=', requestId)
        .where('nudged_time', '=', row.nudged_time)
        .executeTakeFirst()
      return numUpdatedRows > 0n && at <= now()
    },
    /** The next look after one; a call that came meanwhile has asked for an earlier one. */
    async later({ request_id, nudged_time: nudged }: CalledTask, seconds: number): Promise<void> {
      const at = now() + seconds
      await query
        .updateTable('task_calls')
        .set({ look_time: unlessNudged(nudged, at) })
        .where('request_id', '=', request_id)
        .execute()
    },
    /** The task has ended. */
    async drop({ request_id }: CalledTask): Promise<void> {
      await query.deleteFrom('task_calls').where('request_id', '=', request_id).execute()
    },
  }
}

export type CalledTasks = ReturnType<typeof openCalledTasks>
