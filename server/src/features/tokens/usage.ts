import { type TokenUsage, tokenUsageDays } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { bucketsOf, knownZone, pieceSeconds, piecesOf } from '../../reports/usage/usage-buckets.ts'
import { sumPoints } from '../../reports/usage/usage-pieces.ts'

export interface TokenUsageParts {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
}

/** Reads what some keys of a user spent lately, by day of a zone; keys of others never have anything. */
export const tokenUsageReader =
  ({ database, clock }: TokenUsageParts) =>
  async (userId: number, { ids, zone }: { ids: readonly number[]; zone: string }): Promise<TokenUsage> => {
    const now = unixSeconds(clock)
    // A day more than is shown: the oldest one shown begins at its midnight, however long the days were.
    const from = now - (now % pieceSeconds.hour) - tokenUsageDays * pieceSeconds.day
    const to = now + 1
    const buckets = bucketsOf(pieceSeconds.day, knownZone(zone), from, to)
    const days = piecesOf(buckets, from, to).slice(-tokenUsageDays)
    const first = days[0]?.at ?? from
    const points = await sumPoints(
      database,
      { filter: { userId }, spans: [{ table: 'usage_hours', from: first - (first % pieceSeconds.hour), to }] },
      { column: 'token_id', keys: [...new Set(ids)] },
      buckets,
    )
    const byToken = Map.groupBy(points, ({ key }) => Number(key))
    return {
      days: days.map(({ at }) => at),
      tokens: [...byToken].map(([id, used]) => {
        const on = new Map(used.map((point) => [point.local, point]))
        return {
          id,
          quota: days.map(({ local }) => on.get(local)?.quota ?? 0),
          count: days.map(({ local }) => on.get(local)?.count ?? 0),
        }
      }),
    }
  }
