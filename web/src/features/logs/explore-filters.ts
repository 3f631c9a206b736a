import type { ExploreFilter } from '../../lib/api/contract.ts'
import { logType } from '../../lib/api/contract.ts'
import type { ExploreLink } from '../../lib/url/explore-link.ts'
import type { LogFilterName } from './filters.ts'
import { defaultRange } from './range.ts'

type Filters = Readonly<Partial<Record<LogFilterName, string>>>

/** Names of the log's filters in Explore, which identifies keys and users by id instead of parts of their names. */
const dimensions = {
  model_name: 'model',
  channel: 'channel',
  group: 'group',
  token_name: 'key',
  username: 'user',
  organisation_id: 'organisation',
  project_id: 'project',
  tag: 'tag',
  end_user: 'end_user',
} as const

type Shared = keyof typeof dimensions
const shared = Object.keys(dimensions) as readonly Shared[]

/** Filters whose value is a number of something, or the whole of a name. */
const asWhole: ReadonlySet<Shared> = new Set(['channel', 'group', 'organisation_id', 'project_id', 'end_user'])

const filterOf = (name: Shared, value: string, isNot: boolean): ExploreFilter | undefined => {
  const dimension = dimensions[name]
  const quoted = /^"(.+)"$/.exec(value)?.[1]
  const isWhole = quoted !== undefined || asWhole.has(name) || (name === 'tag' && value.includes('='))
  if (isWhole) return { dimension, is: isNot ? 'not' : 'is', values: [quoted ?? value] }
  // A pattern, or everything but a part of a name, cannot be asked for.
  return isNot || value.includes('%') ? undefined : { dimension, is: 'contains', values: [value] }
}

/** Explore with the question of the log: its time, and its filters as far as Explore knows them. */
export const exploreOf = (filters: Filters, not: readonly LogFilterName[]): ExploreLink => {
  const range = filters.range ?? defaultRange
  return {
    metric: filters.type === String(logType.error) ? 'errors' : 'spend',
    by: filters.model_name === undefined ? 'model' : 'key',
    range: range === 'all' ? 'year' : range,
    filters: shared.flatMap((name) => {
      const value = filters[name]
      const filter = value ? filterOf(name, value, not.includes(name)) : undefined
      return filter === undefined ? [] : [filter]
    }),
  }
}
