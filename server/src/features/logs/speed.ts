import type { LogVolume } from '@tollgate/contract'
import { logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { FigureFilter } from '../../reports/figures/dimensions.ts'
import { cacheShare, firstWithin } from '../../reports/figures/figures.ts'
import { readFigures } from '../../reports/figures/read-figures.ts'
import { usageFits } from '../../reports/usage/usage.ts'
import { isOfSums, type LogSpan, usageFilter } from './days.ts'
import type { LogFilter } from './filter.ts'

type LogSpeed = Pick<LogVolume, 'first_p95' | 'cache_share'>

const hour = 3_600
const day = 86_400
const unknown: LogSpeed = { first_p95: null, cache_share: null }

/** A key's name may belong to several people; more keys than this are not looked up. */
const mostKeys = 200

/** Model names as the figures ask for them; undefined for patterns, which they do not know. */
const modelFilter = (model: string, isNot: boolean): FigureFilter | undefined => {
  const quoted = /^"(.+)"$/.exec(model)?.[1]
  if (quoted !== undefined) return { dimension: 'model', is: isNot ? 'not' : 'is', values: [quoted] }
  return isNot || model.includes('%') ? undefined : { dimension: 'model', is: 'contains', values: [model] }
}

/** The keys with the name that a filter asks for, as they were called when they were used. */
const keysNamed = async ({ query }: Database, filter: LogFilter, { from, to }: LogSpan): Promise<readonly string[]> => {
  const { tokenName, userId } = filter
  const named = usageFilter({ ...filter, tokenName, userId, model: '', channel: undefined, group: '', not: [] })
  const rows = await query
    .selectFrom('usage_days' as 'usage_hours')
    .where(usageFits(named, { from: from - (from % day), to: to + 1 }))
    .select('token_id')
    .distinct()
    .limit(mostKeys)
    .execute()
  return rows.map(({ token_id }) => String(token_id))
}

const figureFilters = async (
  database: Database,
  filter: LogFilter,
  span: LogSpan,
): Promise<readonly FigureFilter[] | undefined> => {
  const how = (part: NonNullable<LogFilter['not']>[number]) => (filter.not?.includes(part) ? 'not' : 'is')
  const found: FigureFilter[] = []
  if (filter.model) {
    const model = modelFilter(filter.model, how('model_name') === 'not')
    if (model === undefined) return undefined
    found.push(model)
  }
  if (filter.userId !== undefined)
    found.push({ dimension: 'user', is: how('username'), values: [String(filter.userId)] })
  if (filter.tokenIds !== undefined) {
    const keys = filter.tokenIds.length === 0 ? [-1] : filter.tokenIds
    found.push({ dimension: 'key', is: 'is', values: keys.map(String) })
  }
  if (filter.tokenId !== undefined) found.push({ dimension: 'key', is: 'is', values: [String(filter.tokenId)] })
  if (filter.tokenName) {
    const own = how('username') === 'not' ? { ...filter, userId: undefined } : filter
    const keys = await keysNamed(database, own, span)
    found.push({ dimension: 'key', is: how('token_name'), values: keys.length === 0 ? ['-1'] : keys })
  }
  if (filter.channel) found.push({ dimension: 'channel', is: how('channel'), values: [String(filter.channel)] })
  if (filter.group) found.push({ dimension: 'group', is: how('group'), values: [filter.group] })
  return found
}

/**
 * The 95th percentile of the time to the first token, in milliseconds, and the share of the input that was read from a cache,
 * in the hours that a span touches. null where nothing was measured, or the figures by hour do not know what the filter asks.
 */
export const readLogSpeed = async (database: Database, filter: LogFilter, { from, to }: LogSpan): Promise<LogSpeed> => {
  if (!isOfSums(filter) || filter.type === logType.error) return unknown
  const span = { from: from - (from % hour), to }
  const filters = await figureFilters(database, filter, span)
  if (filters === undefined) return unknown
  const end = to - (to % hour) + hour
  const [figures] = await readFigures(database, { from: span.from, to: end, by: [], filters, speed: true })
  if (figures === undefined) return unknown
  return { first_p95: firstWithin(figures, 0.95) ?? null, cache_share: cacheShare(figures) ?? null }
}
