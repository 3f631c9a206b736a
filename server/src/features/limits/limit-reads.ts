import type { LimitStanding, LimitState } from '@tollgate/contract'
import type { LimitRouteParts } from './routes.ts'
import { limitStandings } from './standing.ts'
import { callOfKey, callOfUser, limitStatesOf } from './states.ts'

/** States of limits for readers other than the screen of limits. */
export interface LimitReads {
  /** Limits of the site with the subjects that are closest to their end. */
  site(): Promise<LimitStanding[]>
  /** Limits that count a user's calls without a key or with one of these keys, each counter once. */
  ofUser(userId: number, keyIds: readonly number[]): Promise<LimitState[]>
}

const siteOwner = 0

const counterOf = ({ id, subjects }: LimitState): string =>
  JSON.stringify([id, ...subjects.map(({ kind, value }) => [kind, value])])

/** Opens the reads. */
export const openLimitReads = ({ limits, limiter, database, channels, clock }: LimitRouteParts): LimitReads => ({
  async site() {
    const all = await limits.list(siteOwner)
    const enabled = all.filter((limit) => limit.enabled)
    return limitStandings({ limiter, sources: { query: database.query, channels } }, enabled, clock())
  },
  async ofUser(userId, keyIds) {
    const calls = await Promise.all([
      callOfUser(database, userId),
      ...keyIds.map((id) => callOfKey(database, id, userId)),
    ])
    const known = calls.filter((call) => call !== undefined)
    const states = await Promise.all(known.map((call) => limitStatesOf(limiter, call, clock())))
    return [...new Map(states.flat().map((state) => [counterOf(state), state])).values()]
  },
})
