import type { ChannelFacet, ValueCounts } from '@tollgate/contract'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { containsText } from '../../../db/dialect.ts'
import { countListValues, countValues, inPart, type RowRange } from '../../../db/facets.ts'
import type { Tables } from '../../../db/schema.ts'
import { listHolds, negating } from '../../../db/search.ts'
import type { ChannelRow } from '../relay-channel.ts'

/** Which channels are meant; empty parts do not filter. */
export interface ChannelFilter extends RowRange {
  /** Matches the id, a part of the name, or the whole key (one of several too) by its hash. */
  /** Without `keyHash`, keys are not searched. */
  readonly keyword: { readonly text: string; readonly keyHash: string | undefined } | undefined
  readonly model: string
  readonly groups: readonly string[]
  readonly status: readonly number[]
  readonly types: readonly number[]
  readonly tags: readonly string[]
  /** Names of filters, as the endpoint calls them, that leave out what they name. */
  readonly not: readonly string[]
}

export const everyChannel: ChannelFilter = {
  keyword: undefined,
  model: '',
  groups: [],
  status: [],
  types: [],
  tags: [],
  not: [],
}

export type ChannelOrder =
  | 'id'
  | 'name'
  | 'type'
  | 'status'
  | 'response_time'
  | 'balance'
  | 'used_quota'
  | 'priority'
  | 'weight'
  | 'created_time'

export interface ChannelSort {
  readonly column: ChannelOrder
  readonly descending: boolean
}

export interface Slice {
  readonly offset: number
  readonly limit: number
}

export interface ChannelLists {
  find(filter: ChannelFilter, sort: ChannelSort, slice?: Slice): Promise<ChannelRow[]>
  count(filter: ChannelFilter): Promise<number>
  /** Distinct tags in order, of the channels that fit. */
  tags(filter: ChannelFilter, slice?: Slice): Promise<string[]>
  /** How many channels have each value of a facet; what the filter says of the facet itself does not count. */
  facet(filter: ChannelFilter, name: ChannelFacet): Promise<ValueCounts>
}

type Where = ExpressionBuilder<Tables, 'channels'>

const keyFits = (eb: Where, keyHash: string) => [
  eb('key_hash', '=', keyHash),
  eb('id', 'in', eb.selectFrom('channel_keys').select('channel_id').where('channel_keys.key_hash', '=', keyHash)),
]

const keywordFits = (eb: Where, { text, keyHash }: NonNullable<ChannelFilter['keyword']>) =>
  eb.or([
    containsText('name', text),
    ...(keyHash === undefined ? [] : keyFits(eb, keyHash)),
    ...(/^\d{1,15}$/.test(text) ? [eb('id', '=', Number(text))] : []),
  ])

const fits = (filter: ChannelFilter) => (eb: Where) => {
  const kept = negating(filter.not)
  const groups = filter.groups.map((group) => listHolds('group', group))
  return eb.and([
    ...inPart('id', filter),
    ...(filter.keyword ? [keywordFits(eb, filter.keyword)] : []),
    ...(filter.model ? [kept('model', containsText('models', filter.model))] : []),
    ...(groups.length > 0 ? [kept('group', eb.or(groups))] : []),
    ...(filter.status.length > 0 ? [kept('status', eb('status', 'in', [...filter.status]))] : []),
    ...(filter.types.length > 0 ? [kept('type', eb('type', 'in', [...filter.types]))] : []),
    ...(filter.tags.length > 0 ? [kept('tag', eb('tag', 'in', [...filter.tags]))] : []),
  ])
}

/** The part of the filter that a facet is. */
const parts = { status: 'status', type: 'types', group: 'groups', tag: 'tags' } as const

const sliced = <O>(
  query: SelectQueryBuilder<Tables, 'channels', O>,
  slice: Slice | undefined,
): SelectQueryBuilder<Tables, 'channels', O> => (slice ? query.limit(slice.limit).offset(slice.offset) : query)

/** Lists of channels. Equal values are ordered by id, newest first, so that pages never overlap. */
export const openChannelLists = (database: Database): ChannelLists => ({
  find: (filter, sort, slice) =>
    sliced(
      database.query
        .selectFrom('channels')
        .selectAll()
        .where(fits(filter))
        .orderBy(sort.column, sort.descending ? 'desc' : 'asc')
        .orderBy('id', 'desc'),
      slice,
    ).execute(),
  count: async (filter) => {
    const row = await database.query
      .selectFrom('channels')
      .select((eb) => eb.fn.countAll().as('rows'))
      .where(fits(filter))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  },
  tags: async (filter, slice) => {
    const query = database.query
      .selectFrom('channels')
      .select('tag')
      .distinct()
      .where(fits(filter))
      .where('tag', 'is not', null)
      .where('tag', '<>', '')
      .orderBy('tag')
    return (await sliced(query, slice).execute()).flatMap(({ tag }) => (tag === null ? [] : [tag]))
  },
  facet: async (filter, name) => {
    const rows = database.query
      .selectFrom('channels')
      .select((eb) => eb.ref(name).as('value'))
      .where(fits({ ...filter, [parts[name]]: [] }))
    const counts = await countValues(database, rows)
    return name === 'group' ? countListValues(counts) : counts
  },
})
