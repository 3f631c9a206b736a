import { type LogFacet, logType, type ValueCounts } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { groupedAnew } from '../../db/dialect.ts'
import { mostFaceted, mostFrequent } from '../../db/facets.ts'
import { nameValues } from '../../db/names/row-names.ts'
import { dayTableOf, splitForPeople, splitRange, sumUsage, usageBegins, usageFits } from '../../ledger/usage/usage.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { isOfSums, type LogSpan, usageFilter } from './days.ts'
import type { LogFilter } from './filter.ts'
import type { LogStore, LogValue } from './store.ts'

const hour = 3_600
const day = 24 * hour
/** Shorter ranges are counted row by row: hours would be too coarse. */
const shortestSummed = 7 * hour
/**
 * Daily sums of people that one count reads: those of a group lie anywhere in the table, and each of them is looked up. A site with a
 * hundred people who call in a group has them of a year.
 */
const mostPeople = 50_000

const anyProgram = '*'

const columns: Readonly<Record<LogFacet, LogValue>> = {
  type: 'type',
  model_name: 'model_name',
  token_name: 'token_name',
  group: 'group',
  channel: 'channel_id',
  username: 'user_id',
  client: 'client',
}

/** Filter without the counted part, whose value does not matter. */
const without = (filter: LogFilter, facet: LogFacet): LogFilter => {
  switch (facet) {
    case 'type':
      return { ...filter, type: undefined }
    case 'model_name':
      return { ...filter, model: '' }
    case 'token_name':
      return { ...filter, tokenName: '' }
    case 'group':
      return { ...filter, group: '' }
    case 'channel':
      return { ...filter, channel: undefined }
    case 'username':
      return { ...filter, userId: undefined }
    case 'client':
      return { ...filter, client: '' }
  }
}

export interface LogFacetParts {
  readonly store: Pick<LogStore, 'values' | 'count' | 'reach'>
  /** The main database, which has the usage sums. */
  readonly database: Database
  readonly clock: Clock
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Names of the channels that still exist. */
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Daily sums that one count of people in a group reads at most. */
  readonly mostPeople?: number
}

/**
 * How many entries each value of a filter has, most frequent first. Ranges from seven hours on come from the sums that are
 * written with the charges, by whole hours; others, and what the sums do not know, from the newest entries themselves. People of a group
 * with very many sums are counted in the newest of these, and the counts say that they are not all.
 */
export const createLogFacets = (parts: LogFacetParts) => {
  const { store, database, clock, userNames, channelNames } = parts
  const most = parts.mostPeople ?? mostPeople

  const spansOf = (filter: LogFilter, facet: LogFacet, { from, to }: LogSpan) => {
    const hours = { from: from - (from % hour), to: to - (to % hour) + hour - 1 }
    const asked = usageFilter(filter)
    const byPeople = facet === 'token_name' || facet === 'username'
    return byPeople ? splitForPeople(hours, asked) : splitRange(hours, dayTableOf(asked)).spans
  }

  /** Sums by value, span by span: in a single query, MySQL and MariaDB first copy all rows of all spans. */
  const sums = async (filter: LogFilter, facet: LogFacet, span: LogSpan) => {
    const key = groupedAnew<string | number>(database.engine, columns[facet])
    const parts = await Promise.all(
      spansOf(filter, facet, span).map((part) =>
        database.query
          // All tables of sums that may be asked have the columns that a filter and a value name.
          .selectFrom(part.table as 'usage_hours')
          .where(usageFits(usageFilter(filter), part))
          .select(({ fn }) => [key.as('key'), fn.sum('count').as('done'), fn.sum('failures').as('failed')])
          .groupBy(key)
          .execute(),
      ),
    )
    const found = new Map<string, { done: number; failed: number }>()
    for (const { key, done, failed } of parts.flat()) {
      const sum = found.get(String(key)) ?? { done: 0, failed: 0 }
      found.set(String(key), { done: sum.done + Number(done), failed: sum.failed + Number(failed) })
    }
    return [...found].map(([value, sum]) => ({ value, ...sum }))
  }

  const typesOf = async (filter: LogFilter, span: LogSpan): Promise<ValueCounts> => {
    // Types are columns of the sums, not values in them.
    const requests = await sumUsage(database, usageFilter(filter), spansOf(filter, 'type', span))
    const others = await Promise.all(
      [logType.topUp, logType.manage, logType.system].map(async (type) => ({
        value: String(type),
        count: await store.count((await store.reach({ ...filter, ...span, type })).filter, mostFaceted + 1),
      })),
    )
    const values = [
      { value: String(logType.consume), count: requests.count },
      { value: String(logType.error), count: requests.failures },
      ...others.map(({ value, count }) => ({ value, count: Math.min(count, mostFaceted) })),
    ]
    // Entries that are no requests are counted one by one.
    return { values: mostFrequent(values), capped: others.some(({ count }) => count > mostFaceted) }
  }

  /** The span, or its end that holds as many daily sums of people as are read; the index of groups alone is looked at. */
  const readableSpan = async (filter: LogFilter, facet: LogFacet, span: LogSpan): Promise<LogSpan> => {
    const { group, userId, tokenId, tokenIds, tokenName, not = [] } = filter
    const isOfPeople = facet === 'username' || facet === 'token_name'
    const isNarrow = userId !== undefined || tokenId !== undefined || tokenIds !== undefined || Boolean(tokenName)
    if (!isOfPeople || !group || isNarrow) return span
    const rows = database.query.selectFrom('usage_days').select('created_at').where('created_at', '<=', span.to)
    const own = not.includes('group') ? rows : rows.where('group', '=', group)
    const beyond = await own.orderBy('created_at', 'desc').limit(1).offset(most).executeTakeFirst()
    if (beyond === undefined) return span
    // A day is read whole or not at all, and the last one in any case.
    const from = Math.min(beyond.created_at + day, span.to - (span.to % day))
    return { from: Math.max(from, span.from), to: span.to }
  }

  const fromSums = async (filter: LogFilter, facet: LogFacet, whole: LogSpan): Promise<ValueCounts> => {
    if (facet === 'type') return typesOf(filter, whole)
    const span = await readableSpan(filter, facet, whole)
    const ofType = ({ done, failed }: { done: number; failed: number }): number => {
      if (filter.type === logType.consume) return done
      return filter.type === logType.error ? failed : done + failed
    }
    const found = await sums(filter, facet, span)
    return {
      values: mostFrequent(found.map((sum) => ({ value: sum.value, count: ofType(sum) }))),
      capped: span.from > whole.from,
    }
  }

  const count = async (filter: LogFilter, facet: LogFacet): Promise<ValueCounts> => {
    const to = Math.min(filter.to || Number.POSITIVE_INFINITY, unixSeconds(clock))
    const from = Math.max(0, filter.from ?? 0)
    const begins = isOfSums(filter) ? await usageBegins(database) : undefined
    if (begins === undefined || to - Math.max(from, begins) < shortestSummed) {
      const seen = await store.reach(filter)
      const counts = await store.values(seen.filter, columns[facet])
      return { ...counts, capped: counts.capped || seen.from !== undefined }
    }
    return fromSums(filter, facet, { from: Math.max(from, begins), to })
  }

  /** The sums do not know programs, so the rows are read that a list of one program's calls looks through. */
  const programs = async (filter: LogFilter): Promise<ValueCounts> => {
    const { from } = await store.reach({ ...filter, client: anyProgram })
    const counts = await store.values(from === undefined ? filter : { ...filter, from }, 'client')
    return { ...counts, capped: counts.capped || from !== undefined }
  }

  return async (filter: LogFilter, facet: LogFacet): Promise<ValueCounts> => {
    if (facet === 'client') return programs(without(filter, facet))
    const counts = await count(without(filter, facet), facet)
    if (facet === 'channel') return nameValues(counts, channelNames)
    if (facet !== 'username') return counts
    const { values, capped } = await nameValues(counts, userNames)
    // The log is searched by name, so a user who is gone cannot be asked for.
    return {
      values: values.flatMap(({ name, count: rows }) => (name === undefined ? [] : [{ value: name, count: rows }])),
      capped,
    }
  }
}
