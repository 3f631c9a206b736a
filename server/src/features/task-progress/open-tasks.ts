import { submitCode } from '@tollgate/contract'
import type { Selectable } from 'kysely'
import { keyTextLength } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import { madeBy } from '../../db/made-by.ts'
import type { MidjourneysTable, TasksTable } from '../../db/schema.ts'
import { isStorable } from '../../lib/bounded-text.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { Reader } from '../../relay/reader.ts'

/** A task that is under way, whatever table it stands in. Times in milliseconds. */
export interface OpenTask {
  readonly platform: TaskPlatform
  readonly id: number
  /** The upstream's; empty for rows that never got one. */
  readonly taskId: string
  readonly userId: number
  readonly channel_id: number
  readonly key_hash: string | null
  readonly quota: number
  readonly submittedAt: number
  readonly requestId: string | null
  /** The row's columns as they are. */
  readonly columns: Readonly<Record<string, string | number | null>>
}

export interface OpenTasks {
  /** Tasks that are under way, in the order of their rows, after one. */
  page(platform: TaskPlatform, afterId: number, limit: number): Promise<OpenTask[]>
  /** One task if it is under way and the key reads it. */
  own(platform: TaskPlatform, reader: Reader, taskId: string): Promise<{ exists: boolean; open: readonly OpenTask[] }>
  /** The task that a request began; `isOver` where it is not under way any more. */
  begunBy(platform: TaskPlatform, requestId: string): Promise<(OpenTask & { readonly isOver: boolean }) | undefined>
  /** Which of these channels exist at all, on or off. */
  channelsAmong(ids: readonly number[]): Promise<ReadonlySet<number>>
}

export const finishedProgress = '100%'

const takenCodes: readonly number[] = [submitCode.submitted, submitCode.waiting, submitCode.duplicate]

/** The reference notes a price also where the service refused and nothing was charged; such rows have no id. */
const paidFor = ({ request_id, mj_id, code, quota }: Selectable<MidjourneysTable>): number =>
  request_id === null && mj_id === '' && !takenCodes.includes(code) ? 0 : quota

const drawingTask = (row: Selectable<MidjourneysTable>): OpenTask => ({
  platform: 'midjourney',
  id: row.id,
  taskId: row.mj_id,
  userId: row.user_id,
  channel_id: row.channel_id,
  key_hash: row.key_hash,
  quota: paidFor(row),
  submittedAt: row.submit_time,
  requestId: row.request_id,
  columns: { ...row },
})

const songTask = (row: Selectable<TasksTable>): OpenTask => ({
  platform: 'suno',
  id: row.id,
  taskId: row.task_id,
  userId: row.user_id,
  channel_id: row.channel_id,
  key_hash: row.key_hash,
  quota: row.quota,
  submittedAt: row.submit_time * 1000,
  requestId: row.request_id,
  columns: { ...row },
})

/** Tasks whose progress is not 100 %. */
export const openOpenTasks = ({ query }: Database): OpenTasks => {
  const drawings = () => query.selectFrom('midjourneys').selectAll()
  const songs = () => query.selectFrom('tasks').selectAll()

  /** Tables that were seen to have a row. Most sites have none, whose empty tables are not worth a search. */
  const used = new Set<TaskPlatform>()
  const isUsed = async (platform: TaskPlatform): Promise<boolean> => {
    if (used.has(platform)) return true
    const table = platform === 'midjourney' ? 'midjourneys' : 'tasks'
    if ((await query.selectFrom(table).select('id').limit(1).execute()).length > 0) used.add(platform)
    return used.has(platform)
  }

  return {
    async page(platform, afterId, limit) {
      if (!(await isUsed(platform))) return []
      if (platform === 'midjourney') {
        const rows = drawings().where('progress', '<>', finishedProgress).where('id', '>', afterId)
        return (await rows.orderBy('id').limit(limit).execute()).map(drawingTask)
      }
      const rows = songs().where('progress', '<>', finishedProgress).where('id', '>', afterId)
      return (await rows.orderBy('id').limit(limit).execute()).map(songTask)
    },
    async own(platform, reader, taskId) {
      if (!isStorable(taskId, keyTextLength)) return { exists: false, open: [] }
      const rows =
        platform === 'midjourney'
          ? (await drawings().where('mj_id', '=', taskId).where(madeBy(reader)).execute()).map(drawingTask)
          : (await songs().where('task_id', '=', taskId).where(madeBy(reader)).execute()).map(songTask)
      const open = rows.filter(({ columns }) => columns.progress !== finishedProgress)
      return { exists: rows.length > 0, open }
    },
    async begunBy(platform, requestId) {
      const row =
        platform === 'midjourney'
          ? (await drawings().where('request_id', '=', requestId).execute()).map(drawingTask)[0]
          : (await songs().where('request_id', '=', requestId).execute()).map(songTask)[0]
      return row && { ...row, isOver: row.columns.progress === finishedProgress }
    },
    async channelsAmong(ids) {
      if (ids.length === 0) return new Set()
      const found = query
        .selectFrom('channels')
        .select('id')
        .where('id', 'in', [...ids])
      return new Set((await found.execute()).map(({ id }) => id))
    },
  }
}
