import type {
  BodyOf,
  batchChannels,
  browseChannels,
  Channel,
  countChannels,
  listChannels,
  Page,
  QueryOf,
  searchChannels,
  ValueCounts,
} from '@tollgate/contract'
import { type Batch, batchOf, batchSlice } from '../../../lib/batch.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import type { Attention } from '../attention.ts'
import type { KeyStore } from '../keys/key-store.ts'
import type { ChannelRow } from '../relay-channel.ts'
import { toChannel } from '../service.ts'
import { type ChannelFilter, type ChannelLists, type ChannelSort, everyChannel } from './list-store.ts'

/** The search of clients of the reference knows no pages; the console groups by tag what it finds. */
const mostFound = { offset: 0, limit: 10_000 }

export interface SearchedBy {
  /** True where a channel is found by one of its keys. Whoever only reads could try guesses at keys so. */
  readonly byKey: boolean
}

export interface ChannelListing {
  list(query: QueryOf<typeof listChannels>): Promise<Channel[]>
  search(query: QueryOf<typeof searchChannels>, by: SearchedBy): Promise<Channel[]>
  browse(query: QueryOf<typeof browseChannels>, by: SearchedBy): Promise<Page<Channel>>
  facet(query: QueryOf<typeof countChannels>, by: SearchedBy): Promise<ValueCounts>
  /** The channels that one call of a batch is about. */
  batch(which: BodyOf<typeof batchChannels>['which']): Promise<Batch<ChannelRow>>
}

type Asked = Omit<QueryOf<typeof countChannels>, 'facet'>

/** The console's lists. In tag mode a page is a page of tags, and the answer holds all channels of those tags. */
export const createChannelListing = (
  lists: ChannelLists,
  keys: Pick<KeyStore, 'counts'>,
  secrets: Pick<Secrets, 'digest'>,
  attention: Attention,
): ChannelListing => {
  const shown = async (rows: readonly ChannelRow[]): Promise<Channel[]> => {
    const counts = await keys.counts(rows.map(({ id }) => id))
    return rows.map((row) => toChannel(row, counts.get(row.id)))
  }

  const keywordOf = (keyword: string, { byKey }: SearchedBy): ChannelFilter['keyword'] => {
    const text = keyword.trim()
    if (text === '') return undefined
    return { text, keyHash: byKey ? secrets.digest('channel_key', text) : undefined }
  }

  const filterOf = async (query: Asked, by: SearchedBy): Promise<ChannelFilter> => ({
    ...(query.attention === '1' ? { ids: [...(await attention()).keys()] } : {}),
    keyword: keywordOf(query.keyword, by),
    model: query.model.trim(),
    groups: query.group,
    status: query.status,
    types: query.type,
    tags: query.tag,
    not: query.not,
  })

  const ofTags = async (tags: readonly string[], sort: ChannelSort): Promise<Channel[]> =>
    tags.length === 0 ? [] : shown(await lists.find({ ...everyChannel, tags }, sort, mostFound))

  return {
    list: async ({ p, page_size, id_sort, tag_mode }) => {
      const slice = { offset: p * page_size, limit: page_size }
      if (tag_mode) return ofTags(await lists.tags(everyChannel, slice), order(id_sort))
      return shown(await lists.find(everyChannel, order(id_sort), slice))
    },
    search: async ({ keyword, group, model, id_sort, tag_mode }, by) => {
      // Consoles of the reference send the text "null" for no group.
      const groups = group === '' || group === 'null' ? [] : [group]
      const filter = { ...everyChannel, keyword: keywordOf(keyword, by), model: model.trim(), groups }
      if (tag_mode) return ofTags(await lists.tags(filter, mostFound), order(id_sort))
      return shown(await lists.find(filter, order(id_sort), mostFound))
    },
    browse: async (query, by) => {
      const filter = await filterOf(query, by)
      const slice = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
      const [rows, total] = await Promise.all([
        lists.find(filter, query.sort ?? byPriority, slice),
        lists.count(filter),
      ])
      return { items: await shown(rows), total, page: query.p, page_size: query.page_size }
    },
    facet: async ({ facet, ...query }, by) => lists.facet(await filterOf(query, by), facet),
    batch: async (which) => {
      const filter =
        'ids' in which
          ? { ...everyChannel, ids: which.ids }
          : { ...(await filterOf(which.filter, { byKey: true })), before: which.before }
      return batchOf(which, await lists.find(filter, order(true), batchSlice))
    },
  }
}

const byPriority: ChannelSort = { column: 'priority', descending: true }

const order = (byId: boolean): ChannelSort => (byId ? { column: 'id', descending: true } : byPriority)
