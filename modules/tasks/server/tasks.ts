import {
  type browseTasks,
  type countTasks,
  type ListedTask,
  type listTasks,
  type Page,
  type QueryOf,
  type Task,
  task,
  type ValueCounts,
} from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { Selectable } from 'kysely'
import { cappedTotal, mostCounted } from '#server/db/capped-total.ts'
import type { Database } from '#server/db/database.ts'
import { countValues } from '#server/db/facets.ts'
import { keysOfTasks, ofKeys } from '#server/db/made-by.ts'
import { type NameLookups, nameRows, nameValues } from '#server/db/names/row-names.ts'
import type { TasksTable } from '#server/db/schema.ts'
import { negating } from '#server/db/search.ts'
import { listedColumns } from '#server/db/short-text.ts'

type ListQuery = QueryOf<typeof listTasks>
type BrowseQuery = QueryOf<typeof browseTasks>

/** Scope of tasks: all users, one user, or some keys of a wallet. */
type Reader = { readonly all: true } | { readonly userId: number; readonly tokenIds?: readonly number[] }

export interface Tasks {
  list(reader: Reader, query: ListQuery): Promise<Task[]>
  browse(reader: Reader, query: BrowseQuery): Promise<Page<ListedTask>>
  facet(reader: Reader, query: QueryOf<typeof countTasks>): Promise<ValueCounts>
  /** The API keys that began tasks. */
  keysOf(tasks: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
}

const rowsPerPage = 10

/** The fields of a row that the API shows. */
const columns = Object.keys(task.shape) as (keyof Task)[]

const listed = listedColumns(columns, {
  long: ['fail_reason'],
  json: ['properties', 'data'],
})

/** A search without what it says of one column. */
const unfiltered = {
  status: { status: [] },
  action: { action: [] },
  channel_id: { channel_id: undefined },
  user_id: { user_id: undefined },
} satisfies Readonly<Record<QueryOf<typeof countTasks>['facet'], Partial<BrowseQuery>>>

/** Async tasks. */
export const createTasks = ({ query }: Database, names: NameLookups): Tasks => {
  const fitting = (reader: Reader, search: ListQuery & Partial<BrowseQuery>) => {
    const userId = 'userId' in reader ? reader.userId : search.user_id
    const channel = 'userId' in reader ? undefined : search.channel_id
    // The reader's scope is no filter: it is never negated.
    const kept = negating(
      'userId' in reader ? (search.not ?? []).filter((name) => name !== 'user_id') : (search.not ?? []),
    )
    return query
      .selectFrom('tasks')
      .where((eb) =>
        eb.and([
          ...(userId === undefined ? [] : [kept('user_id', eb('user_id', '=', userId))]),
          ...('userId' in reader && reader.tokenIds ? [ofKeys(reader.tokenIds)] : []),
          ...(channel ? [kept('channel_id', eb('channel_id', '=', channel))] : []),
          ...(search.platform ? [eb('platform', '=', search.platform)] : []),
          ...(search.task_id ? [eb('task_id', '=', search.task_id)] : []),
          ...(search.start_timestamp ? [eb('submit_time', '>=', search.start_timestamp)] : []),
          ...(search.end_timestamp ? [eb('submit_time', '<=', search.end_timestamp)] : []),
          ...(search.status.length > 0 ? [kept('status', eb('status', 'in', search.status))] : []),
          ...(search.action.length > 0 ? [kept('action', eb('action', 'in', search.action))] : []),
        ]),
      )
  }

  const pageOf = async (reader: Reader, search: ListQuery, slice: { offset: number; limit: number }): Promise<Task[]> =>
    (
      await fitting(reader, search)
        .select(listed)
        .orderBy('id', 'desc')
        .limit(slice.limit)
        .offset(slice.offset)
        .execute()
    ).map(shown(reader))

  const count = async (reader: Reader, search: BrowseQuery): Promise<number> => {
    const counted = query
      .selectFrom(
        fitting(reader, search)
          .select('id')
          .limit(mostCounted + 1)
          .as('counted'),
      )
      .select(({ fn }) => fn.countAll().as('rows'))
    return Number((await counted.executeTakeFirstOrThrow()).rows)
  }

  return {
    list: (reader, search) => pageOf(reader, search, { offset: search.p * rowsPerPage, limit: rowsPerPage }),
    async facet(reader, { facet, ...search }) {
      const rows = fitting(reader, { p: 0, ...search, ...unfiltered[facet] })
      const counts = await countValues(
        { query },
        rows.select((eb) => eb.ref(facet).as('value')),
      )
      if (facet === 'channel_id') return nameValues(counts, names.channelNames)
      return facet === 'user_id' ? nameValues(counts, names.userNames) : counts
    },
    keysOf: (tasks) =>
      keysOfTasks(
        query,
        'tasks',
        tasks.map(({ id }) => id),
      ),
    async browse(reader, search) {
      const slice = { offset: (search.p - 1) * search.page_size, limit: search.page_size }
      const [items, counted] = await Promise.all([pageOf(reader, search, slice), count(reader, search)])
      return {
        items: 'userId' in reader ? items : await nameRows(items, names),
        ...cappedTotal(counted),
        page: search.p,
        page_size: search.page_size,
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

/** Parsed JSON; other text stays as it is. */
const jsonOf = (text: string): unknown => {
  if (text === '') return null
  const value = parseJson(text)
  return value === undefined ? text : value
}
