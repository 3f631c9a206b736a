import { parseJson } from '@tollgate/contract/json'
import type { Selectable } from 'kysely'
import { keyTextLength } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import { madeBy } from '../../db/made-by.ts'
import type { TasksTable } from '../../db/schema.ts'
import { isStorable } from '../../lib/bounded-text.ts'
import type { Reader } from '../../relay/reader.ts'
import type { SongTask, TaskBooks } from '../../relay/tasks/ports.ts'
import { openTaskCosts } from './task-costs.ts'

const jsonOf = (text: string): unknown => parseJson(text) ?? null

const songTask = (row: Selectable<TasksTable>): SongTask => ({
  ...row,
  properties: jsonOf(row.properties),
  data: jsonOf(row.data),
})

/** Of several rows that share an id (a drawing and its MODAL) the newest. */
const newest = <T>(rows: readonly T[], idOf: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [idOf(row), row])).values(),
]

/** Ids that a row can have; others would only make a statement that the database refuses. */
const storableIds = (ids: readonly string[]): string[] => ids.filter((id) => id !== '' && isStorable(id, keyTextLength))

/** The tasks that keys read, for the relay. */
export const openTaskBooks = ({ query }: Database): TaskBooks => {
  const drawings = async (reader: Reader, ids: readonly string[]) => {
    const mjIds = storableIds(ids)
    if (mjIds.length === 0) return []
    const rows = query.selectFrom('midjourneys').selectAll().where(madeBy(reader))
    return newest(await rows.where('mj_id', 'in', mjIds).orderBy('id').execute(), ({ mj_id }) => mj_id)
  }
  const songs = async (reader: Reader, ids: readonly string[]) => {
    const taskIds = storableIds(ids)
    if (taskIds.length === 0) return []
    const rows = query.selectFrom('tasks').selectAll().where(madeBy(reader)).where('platform', '=', 'suno')
    return newest(await rows.where('task_id', 'in', taskIds).orderBy('id').execute(), ({ task_id }) => task_id).map(
      songTask,
    )
  }
  return {
    drawings,
    drawing: async (reader, mjId) => (await drawings(reader, [mjId]))[0],
    songs,
    costs: openTaskCosts({ query }),
    song: async (reader, taskId) => (await songs(reader, [taskId]))[0],
  }
}
