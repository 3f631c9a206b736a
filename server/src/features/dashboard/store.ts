import type { UsageDimension, UsageMetric } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { UsageTotal } from '../../ledger/usage/usage.ts'
import type { Buckets } from '../../ledger/usage/usage-buckets.ts'
import {
  type Point,
  summed,
  sumPieces,
  sumPoints,
  totalOf,
  type UsagePiece,
  type UsageSpans,
  usageRows,
} from '../../ledger/usage/usage-pieces.ts'

/** Usage of one value of a dimension. */
export interface Share extends UsageTotal {
  /** A name, or an id as text. */
  readonly key: string
  /** Name of a key when it was used; empty for other dimensions. */
  readonly label: string
  /** The one user who used a key: the playground's has no single one. */
  readonly userId?: number
}

/** Sums to read, by a dimension. */
interface Question extends UsageSpans {
  readonly by: UsageDimension
}

export interface DashboardStore {
  /** The largest shares. */
  shares(question: Question, metric: UsageMetric, most: number): Promise<Share[]>
  /** Usage of each of some shares in each piece of time. */
  points(question: Question, of: readonly Share[], buckets: Buckets): Promise<Point[]>
  /** Usage of all together in each piece of time. */
  pieces(sums: UsageSpans, buckets: Buckets): Promise<UsagePiece[]>
}

const columns = {
  model: 'model_name',
  group: 'group',
  token: 'token_id',
  user: 'user_id',
  channel: 'channel_id',
} as const satisfies Record<UsageDimension, string>

const orders = {
  quota: sql`sum(quota)`,
  count: sql`sum(${sql.ref('count')})`,
  tokens: sql`sum(prompt_tokens + completion_tokens)`,
  cost: sql`sum(cost)`,
  // The largest losses are as much worth seeing as the largest margins.
  margin: sql`abs(sum(costed_quota - cost))`,
} as const satisfies Record<UsageMetric, unknown>

const isNumber = (by: UsageDimension): boolean => by === 'token' || by === 'user' || by === 'channel'

/** The sums that the dashboard draws; each question is one query, whatever number of tables it needs. */
export const openDashboardStore = (database: Database): DashboardStore => {
  const { query } = database
  return {
    async shares({ filter, spans, by }, metric, most) {
      if (spans.length === 0) return []
      const rows = usageRows(database, { filter, spans }, (part) =>
        part.select((eb) => [
          eb.ref(columns[by]).as('key'),
          by === 'token' ? eb.ref('token_name').as('label') : sql<string>`''`.as('label'),
          by === 'token' ? eb.ref('user_id').as('user_id') : sql<number>`0`.as('user_id'),
        ]),
      )
      const found = await query
        .selectFrom(rows.as('used'))
        .select([sql<string | number>`used.key`.as('key'), sql<string>`max(used.label)`.as('label')])
        .select([sql<number>`min(used.user_id)`.as('user'), sql<number>`max(used.user_id)`.as('lastUser')])
        .select(summed)
        .groupBy(sql`used.key`)
        .orderBy(orders[metric], 'desc')
        .orderBy(sql`used.key`)
        .limit(most)
        .execute()
      return found.map(({ key, label, user, lastUser, ...sums }) => ({
        key: String(key),
        label: label ?? '',
        ...totalOf(sums),
        ...(by === 'token' && user === lastUser ? { userId: Number(user) } : {}),
      }))
    },

    points({ filter, spans, by }, of, buckets) {
      const keys = of.map(({ key }) => (isNumber(by) ? Number(key) : key))
      const users = of.flatMap(({ userId }) => (userId === undefined ? [] : [userId]))
      const values = { column: columns[by], keys, ...(users.length === of.length ? { users } : {}) }
      return sumPoints(database, { filter, spans }, values, buckets)
    },

    pieces: (sums, buckets) => sumPieces(database, sums, buckets),
  }
}
