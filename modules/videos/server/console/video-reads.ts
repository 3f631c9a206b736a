import type { browseVideos, ListedVideo, Page, QueryOf, ValueCounts, VideoFacet } from '@tollgate/contract'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { countValues } from '#server/db/facets.ts'
import { keysOfTasks } from '#server/db/made-by.ts'
import { type NameLookups, nameRows, nameValues } from '#server/db/names/row-names.ts'
import { createdWithin, negatingFor, readableRows, readTaskPage, type TaskReader } from '#server/db/task-lists.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import type { VideoRow } from '../video.ts'

type BrowseQuery = QueryOf<typeof browseVideos>
type Filter = Omit<BrowseQuery, 'p' | 'page_size'>

/** Videos as the console reads them. */
export interface VideoReads {
  browse(reader: TaskReader, query: BrowseQuery): Promise<Page<ListedVideo>>
  facet(name: VideoFacet, query: Filter): Promise<ValueCounts>
  /** Undefined for one that does not exist, or that this reader does not read. */
  find(reader: TaskReader, id: number): Promise<VideoRow | undefined>
  /** The API keys that made videos. */
  keysOf(videos: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
}

/** UTF-16 units of a prompt in a list. */
const longestPrompt = 8_000

const shownState = sql<string>`case when state = 'submitting' then 'queued' else state end`

export interface VideoReadParts {
  readonly database: Pick<Database, 'query'>
  readonly names: NameLookups
}

export const createVideoReads = ({ database: { query }, names }: VideoReadParts): VideoReads => {
  const visible = (reader: TaskReader) =>
    query
      .selectFrom('video_jobs')
      .where('is_deleted', '=', 0)
      .where((eb) => eb.and(readableRows(reader)))

  const fitting = (reader: TaskReader, search: Filter) => {
    const isOwn = 'userId' in reader
    const kept = negatingFor(reader, search.not)
    return visible(reader).where((eb) =>
      eb.and([
        ...(isOwn || !search.user_id ? [] : [kept('user_id', eb('user_id', '=', search.user_id))]),
        ...(isOwn || !search.channel_id ? [] : [kept('channel_id', eb('channel_id', '=', search.channel_id))]),
        ...(search.video_id === '' ? [] : [eb('public_id', '=', search.video_id)]),
        ...(search.status.length === 0
          ? []
          : [kept('status', sql<SqlBool>`${shownState} in (${sql.join([...search.status])})`)]),
        ...createdWithin(search),
      ]),
    )
  }

  /** Charges by the id of the video, as the ledger has them. */
  const charges = async (rows: readonly VideoRow[]): Promise<ReadonlyMap<string, number>> => {
    if (rows.length === 0) return new Map()
    const entries = await query
      .selectFrom('ledger_entries')
      .select(['movement', 'amount'])
      .where('account', '=', 'user')
      .where(
        'movement',
        'in',
        rows.map(({ public_id }) => public_id),
      )
      .execute()
    return new Map(entries.map(({ movement, amount }) => [movement, -amount]))
  }

  const listed = async (rows: readonly VideoRow[], reader: TaskReader): Promise<ListedVideo[]> => {
    const charged = await charges(rows)
    return rows.map((row) => ({
      id: row.id,
      video_id: row.public_id,
      model: row.model,
      prompt: shortText(row.prompt, longestPrompt),
      seconds: row.duration_ms / 1000,
      size: row.size,
      state: row.state === 'submitting' ? 'queued' : row.state,
      progress: row.progress,
      quota: charged.get(row.public_id) ?? 0,
      held: row.held,
      error_code: row.error_code,
      error_message: row.error_message,
      created_at: row.created_time,
      completed_at: row.completed_time,
      expires_at: row.expires_time,
      user_id: row.user_id,
      channel_id: 'userId' in reader ? 0 : row.channel_id,
    }))
  }

  return {
    async browse(reader, search) {
      const rows = fitting(reader, search)
      const { found, counts } = await readTaskPage(query, { all: rows.selectAll(), ids: rows.select('id') }, search)
      const items = await listed(found, reader)
      return { items: 'userId' in reader ? items : await nameRows(items, names), ...counts }
    },
    async facet(name, search) {
      const counts = await countValues(
        { query },
        fitting({ all: true }, { ...search, [name]: undefined }).select((eb) => eb.ref(name).as('value')),
      )
      return nameValues(counts, name === 'user_id' ? names.userNames : names.channelNames)
    },
    find: (reader, id) => visible(reader).selectAll().where('id', '=', id).executeTakeFirst(),
    keysOf: (videos) =>
      keysOfTasks(
        query,
        'video_jobs',
        videos.map(({ id }) => id),
      ),
  }
}
