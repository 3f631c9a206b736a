import {
  type browseTasks,
  type countTasks,
  type listTasks,
  type Page,
  type QueryOf,
  type Task,
  task,
  type ValueCounts,
} from '@tollgate/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { countValues } from '../../db/facets.ts'
import type { TasksTable } from '../../db/schema.ts'
import { negating } from '../../db/search.ts'
import { beginningOf, longestListedJson, longestListedText, unlessLonger } from '../../db/short-text.ts'

type ListQuery = QueryOf<typeof listTasks>
type BrowseQuery = QueryOf<typeof browseTasks>

/** Whose tasks are read: everybody's, or one user's. */
export type Reader = { readonly all: true } | { readonly userId: number }

export interface Tasks {
  list(reader: Reader, query: ListQuery): Promise<Task[]>
  browse(reader: Reader, query: BrowseQuery): Promise<Page<Task>>
  facet(reader: Reader, query: QueryOf<typeof countTasks>): Promise<ValueCounts>
}

const rowsPerPage = 10
const mostCounted = 10_000

/** What people get to see of a row. */
const columns = Object.keys(task.shape) as (keyof Task)[]

const long = ['fail_reason'] as const
const json = ['properties', 'data'] as const
const isLong = (column: string): boolean => [...long, ...json].some((name) => name === column)

const listedColumns = [
  ...columns.filter((column): column is Exclude<typeof column, (typeof long | typeof json)[number]> => !isLong(column)),
  ...long.map((column) => beginningOf(column, longestListedText).as(column)),
  ...json.map((column) => unlessLonger(column, longestListedJson).as(column)),
]

/** Async tasks. */
export const createTasks = ({ query }: Database): Tasks => {
  const fitting = (reader: Reader, asked: ListQuery & Partial<BrowseQuery>) => {
    const userId = 'userId' in reader ? reader.userId : asked.user_id
    const channel = 'userId' in reader ? undefined : asked.channel_id
    // Whose tasks one may see is no filter: it is never turned round.
    const kept = negating(
      'userId' in reader ? (asked.not ?? []).filter((name) => name !== 'user_id') : (asked.not ?? []),
    )
    return query
      .selectFrom('tasks')
      .where((eb) =>
        eb.and([
          ...(userId === undefined ? [] : [kept('user_id', eb('user_id', '=', userId))]),
          ...(channel ? [kept('channel_id', eb('channel_id', '=', channel))] : []),
          ...(asked.platform ? [eb('platform', '=', asked.platform)] : []),
          ...(asked.task_id ? [eb('task_id', '=', asked.task_id)] : []),
          ...(asked.start_timestamp ? [eb('submit_time', '>=', asked.start_timestamp)] : []),
          ...(asked.end_timestamp ? [eb('submit_time', '<=', asked.end_timestamp)] : []),
          ...(asked.status.length > 0 ? [kept('status', eb('status', 'in', asked.status))] : []),
          ...(asked.action.length > 0 ? [kept('action', eb('action', 'in', asked.action))] : []),
        ]),
      )
  }

  const pageOf = async (reader: Reader, asked: ListQuery, slice: { offset: number; limit: number }): Promise<Task[]> =>
    (
      await fitting(reader, asked)
        .select(listedColumns)
        .orderBy('id', 'desc')
        .limit(slice.limit)
        .offset(slice.offset)
        .execute()
    ).map(shown(reader))

  const count = async (reader: Reader, asked: BrowseQuery): Promise<number> => {
    const counted = query
      .selectFrom(
        fitting(reader, asked)
          .select('id')
          .limit(mostCounted + 1)
          .as('counted'),
      )
      .select(({ fn }) => fn.countAll().as('rows'))
    return Number((await counted.executeTakeFirstOrThrow()).rows)
  }

  return {
    list: (reader, asked) => pageOf(reader, asked, { offset: asked.p * rowsPerPage, limit: rowsPerPage }),
    facet: (reader, { facet, ...asked }) =>
      countValues(
        { query },
        fitting(reader, { p: 0, ...asked, [facet]: [] }).select((eb) => eb.ref(facet).as('value')),
      ),
    async browse(reader, asked) {
      const slice = { offset: (asked.p - 1) * asked.page_size, limit: asked.page_size }
      const [items, counted] = await Promise.all([pageOf(reader, asked, slice), count(reader, asked)])
      return {
        items,
        total: Math.min(counted, mostCounted),
        page: asked.p,
        page_size: asked.page_size,
        ...(counted > mostCounted ? { total_capped: true } : {}),
      }
    },
  }
}

const shown =
  (reader: Reader) =>
  (row: Pick<Selectable<TasksTable>, keyof Task>): Task => ({
    ...row,
    channel_id: 'userId' in reader ? 0 : row.channel_id,
    properties: jsonOf(row.properties),
    data: jsonOf(row.data),
  })

/** What is no JSON is shown as it is. */
const jsonOf = (text: string): unknown => {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
