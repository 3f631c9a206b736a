import { type Drawing, type DrawingFacet, drawing, type ValueCounts } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { countValues } from '#server/db/facets.ts'
import { keysOfTasks, ofKeys } from '#server/db/made-by.ts'
import { negating } from '#server/db/search.ts'
import { listedColumns } from '#server/db/short-text.ts'

/** Which drawings are meant; empty and absent parts do not filter. Times in milliseconds. */
export interface DrawingFilter {
  readonly userId?: number | undefined
  readonly tokenIds?: readonly number[] | undefined
  readonly channel?: number | undefined
  readonly mjId: string
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly statuses: readonly string[]
  readonly actions: readonly string[]
  /** Names of filters, as the endpoint calls them, that leave out what they name. */
  readonly not: readonly string[]
}

export interface DrawingStore {
  /** Newest first. */
  find(filter: DrawingFilter, slice: { offset: number; limit: number }): Promise<Drawing[]>
  /** Counts at most `cap` rows. */
  count(filter: DrawingFilter, cap: number): Promise<number>
  /** How many drawings have each value of a facet, whatever the filter says of it. */
  facet(filter: DrawingFilter, name: DrawingFacet): Promise<ValueCounts>
  /** The API keys that began drawings. */
  keysOf(ids: readonly number[]): Promise<ReadonlyMap<number, number>>
  get(id: number): Promise<Drawing | undefined>
}

/** The columns of a row that the API shows. */
const columns = Object.keys(drawing.shape) as (keyof Drawing)[]

const listed = listedColumns(columns, {
  long: ['prompt', 'prompt_en', 'description', 'state', 'image_url', 'fail_reason'],
  json: ['buttons', 'properties'],
})

/** A filter without what it says of one column. */
const unfiltered = {
  status: { statuses: [] },
  action: { actions: [] },
  channel_id: { channel: undefined },
  user_id: { userId: undefined },
} satisfies Readonly<Record<DrawingFacet, Partial<DrawingFilter>>>

/** The drawing tasks. */
export const openDrawingStore = ({ query }: Database): DrawingStore => {
  const rows = () => query.selectFrom('midjourneys').select(columns)

  const fitting = (filter: DrawingFilter) => {
    const kept = negating(filter.not)
    return query
      .selectFrom('midjourneys')
      .where((eb) =>
        eb.and([
          ...(filter.userId === undefined ? [] : [kept('user_id', eb('user_id', '=', filter.userId))]),
          ...(filter.tokenIds ? [ofKeys(filter.tokenIds)] : []),
          ...(filter.channel ? [kept('channel_id', eb('channel_id', '=', filter.channel))] : []),
          ...(filter.mjId ? [eb('mj_id', '=', filter.mjId)] : []),
          ...(filter.from ? [eb('submit_time', '>=', filter.from)] : []),
          ...(filter.to ? [eb('submit_time', '<=', filter.to)] : []),
          ...(filter.statuses.length > 0 ? [kept('status', eb('status', 'in', [...filter.statuses]))] : []),
          ...(filter.actions.length > 0 ? [kept('action', eb('action', 'in', [...filter.actions]))] : []),
        ]),
      )
  }

  return {
    find: (filter, { offset, limit }) =>
      fitting(filter).select(listed).orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    facet: (filter, name) =>
      countValues(
        { query },
        fitting({ ...filter, ...unfiltered[name] }).select((eb) => eb.ref(name).as('value')),
      ),
    async count(filter, cap) {
      const counted = query
        .selectFrom(fitting(filter).select('id').limit(cap).as('counted'))
        .select(({ fn }) => fn.countAll().as('rows'))
      return Number((await counted.executeTakeFirstOrThrow()).rows)
    },
    keysOf: (ids) => keysOfTasks(query, 'midjourneys', ids),
    get: (id) => rows().where('id', '=', id).executeTakeFirst(),
  }
}
