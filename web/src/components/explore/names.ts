import { callStatuses } from '@tollgate/contract/records/explore'
import type { ExploreDimension } from '../../lib/api/contract.ts'
import type { SayExplore } from './messages.ts'

interface Named {
  readonly key: string
  readonly name: string
  readonly owner?: string | undefined
  readonly rest?: boolean
}

const isPlace = (dimension: ExploreDimension): dimension is 'organisation' | 'team' | 'project' | 'member' =>
  dimension === 'organisation' || dimension === 'team' || dimension === 'project' || dimension === 'member'

/** True if calls may have no value of it, which are in the rest then. */
const mayBeNone = (dimension: ExploreDimension): boolean => dimension === 'session' || dimension === 'end_user'

/** Display name of a value of a dimension. */
export const nameOf = (dimension: ExploreDimension, { key, name, owner, rest }: Named, say: SayExplore): string => {
  if (rest) return say(mayBeNone(dimension) ? 'otherSessions' : 'other')
  // As lists of sessions show them.
  if (dimension === 'session') return key.slice(0, 8)
  if (dimension === 'status') {
    const status = callStatuses.find((one) => one === key)
    return status === undefined ? key : say(`status_${status}`)
  }
  if (dimension === 'key' && key === '0') return say('playground')
  if (dimension === 'channel' && key === '0') return say('noChannel')
  if (key === '0' && isPlace(dimension)) return say(`no_${dimension}`)
  if (name !== '') return owner ? `${name} · ${owner}` : name
  return /^\d+$/.test(key) ? say('unknownId', { id: key }) : say('unnamed')
}

/** "Other, 16": how many values it stands for. */
export const restName = (
  by: ExploreDimension,
  report: { rest_values: number; more: boolean },
  say: SayExplore,
): string => {
  const isSession = mayBeNone(by)
  if (report.rest_values === 0) return say(isSession ? 'otherSessions' : 'other')
  if (isSession) return say('otherSessionsCount', { count: report.rest_values })
  return say(report.more ? 'otherMore' : 'otherCount', { count: report.rest_values })
}
