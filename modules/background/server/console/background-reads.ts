import type { browseBackground, ListedBackground, Page, QueryOf, ValueCounts } from '@tollgate/contract'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { countValues } from '#server/db/facets.ts'
import { keysOfTasks } from '#server/db/made-by.ts'
import { type NameLookups, nameValues } from '#server/db/names/row-names.ts'
import { createdWithin, negatingFor, readableRows, readTaskPage, type TaskReader } from '#server/db/task-lists.ts'
import { textIn } from '#server/dialects/conversation/json.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import type { BackgroundRequest, BackgroundRow, BackgroundStore } from '../store.ts'

type BrowseQuery = QueryOf<typeof browseBackground>
type Filter = Omit<BrowseQuery, 'p' | 'page_size'>

/** Responses that have not ended, as the console reads them. */
export interface BackgroundReads {
  browse(reader: TaskReader, query: BrowseQuery): Promise<Page<ListedBackground>>
  /** Numbers by user. */
  counts(query: Filter): Promise<ValueCounts>
  /** Undefined for one that has ended, or that this reader does not read. */
  find(reader: TaskReader, id: number): Promise<BackgroundRow | undefined>
  /** The API keys that asked for responses. */
  keysOf(rows: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
}

/** UTF-16 units of the name of a model, and of an error. */
const [longestModel, longestError] = [200, 500]

/** Metrics have the same words for those that are not cancelled. */
const shownState = sql<ListedBackground['state']>`case when state = 'cancelled' then 'cancelling'
  when attempts = 0 then 'queued' else 'in_progress' end`

const stateOf = ({ state, attempts }: BackgroundRow): ListedBackground['state'] => {
  if (state === 'cancelled') return 'cancelling'
  return attempts === 0 ? 'queued' : 'in_progress'
}

export interface BackgroundReadParts {
  readonly database: Pick<Database, 'query'>
  readonly store: Pick<BackgroundStore, 'requestOf'>
  readonly names: NameLookups
}

export const createBackgroundReads = (parts: BackgroundReadParts): BackgroundReads => {
  const { store, names } = parts
  const { query } = parts.database

  const visible = (reader: TaskReader) =>
    query.selectFrom('background_answers').where((eb) => eb.and(readableRows(reader)))

  const fitting = (reader: TaskReader, search: Filter) => {
    const kept = negatingFor(reader, search.not)
    return visible(reader).where((eb) =>
      eb.and([
        ...('userId' in reader || !search.user_id ? [] : [kept('user_id', eb('user_id', '=', search.user_id))]),
        ...(search.response_id === '' ? [] : [eb('response_id', '=', search.response_id)]),
        ...(search.state.length === 0
          ? []
          : [kept('state', sql<SqlBool>`${shownState} in (${sql.join([...search.state])})`)]),
        ...createdWithin(search),
      ]),
    )
  }

  /** Undefined, too, under a secret that is gone: such a row is still listed, and can be cancelled. */
  const requestOf = (row: BackgroundRow): BackgroundRequest | undefined => {
    try {
      return store.requestOf(row)
    } catch {
      return undefined
    }
  }

  const shown = (row: BackgroundRow): ListedBackground => {
    const request = requestOf(row)
    return {
      id: row.id,
      response_id: row.response_id,
      request_id: request?.requestId ?? '',
      model: shortText(textIn(request?.body.model) ?? '', longestModel),
      state: stateOf(row),
      attempts: row.attempts,
      streamed: request?.body.stream === true,
      created_at: row.created_time,
      deadline_at: Math.floor((request?.timed?.deadline ?? 0) / 1000),
      user_id: row.user_id,
    }
  }

  const listed = async (rows: readonly BackgroundRow[], reader: TaskReader): Promise<ListedBackground[]> => {
    if ('userId' in reader) return rows.map(shown)
    const users = await names.userNames([...new Set(rows.map(({ user_id }) => user_id))])
    return rows.map((row) => ({
      ...shown(row),
      username: users.get(row.user_id) ?? '',
      error: shortText(row.error ?? '', longestError),
    }))
  }

  return {
    async browse(reader, search) {
      const rows = fitting(reader, search)
      const { found, counts } = await readTaskPage(query, { all: rows.selectAll(), ids: rows.select('id') }, search)
      return { items: await listed(found, reader), ...counts }
    },
    async counts(search) {
      const rows = fitting({ all: true }, { ...search, user_id: undefined }).select('user_id as value')
      return nameValues(await countValues({ query }, rows), names.userNames)
    },
    find: (reader, id) => visible(reader).selectAll().where('id', '=', id).executeTakeFirst(),
    keysOf: (rows) =>
      keysOfTasks(
        query,
        'background_answers',
        rows.map(({ id }) => id),
      ),
  }
}
