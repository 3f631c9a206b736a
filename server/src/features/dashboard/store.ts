import type { UsageDimension, UsageMetric } from '@tollgate/contract'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables, UsageHoursTable } from '../../db/schema.ts'
import { type UsageFilter, type UsageSpan, type UsageTotal, usageFits } from '../../ledger/usage.ts'
import type { Buckets } from './buckets.ts'

/** What one value of a dimension used. */
export interface Share extends UsageTotal {
  /** A name, or an id as text. */
  readonly key: string
  /** What a key was called when it was used; empty for other dimensions. */
  readonly label: string
  /** The one user who used a key: the playground's has no single one. */
  readonly userId?: number
}

/** What was used in a piece of time. */
export interface Piece extends UsageTotal {
  /** Local second at which it begins. */
  readonly local: number
}

export interface Point extends Piece {
  readonly key: string
}

/** What to sum: some spans of the sums. */
export interface Sums {
  readonly filter: UsageFilter
  readonly spans: readonly UsageSpan[]
}

/** The same by a dimension. */
export interface Question extends Sums {
  readonly by: UsageDimension
}

export interface DashboardStore {
  /** The largest shares. */
  shares(question: Question, metric: UsageMetric, most: number): Promise<Share[]>
  /** What each of some shares used in each piece of time. */
  points(question: Question, of: readonly Share[], buckets: Buckets): Promise<Point[]>
  /** What everybody used together in each piece of time. */
  pieces(sums: Sums, buckets: Buckets): Promise<Piece[]>
}

const columns = {
  model: 'model_name',
  group: 'group',
  token: 'token_id',
  user: 'user_id',
  channel: 'channel_id',
} as const satisfies Record<UsageDimension, string>

const isNumber = (by: UsageDimension): boolean => by === 'token' || by === 'user' || by === 'channel'

/** Whole numbers stand in the text itself: as parameters, servers would not know that two of them are the same. */
const whole = (value: number) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe whole number: ${value}`)
  return sql.raw<number>(String(value))
}

/** The local second at which the piece of a row begins. */
const pieceOf = ({ offsets, size, anchor }: Buckets): RawBuilder<number> => {
  const at = sql.ref<number>('created_at')
  const [first, ...changes] = offsets
  const offset = changes.reduceRight<RawBuilder<number> | undefined>(
    (later, change, index) =>
      sql<number>`case when ${at} < ${whole(change.from)} then ${whole(offsets[index]?.seconds ?? 0)} else ${
        later ?? whole(change.seconds)
      } end`,
    undefined,
  )
  const local = sql<number>`(${at} + ${offset ?? whole(first?.seconds ?? 0)})`
  return sql<number>`${local} - (${local} - ${whole(anchor)}) % ${whole(size)}`
}

type FigureColumns = Pick<UsageHoursTable, 'count' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'failures'>
type Part = SelectQueryBuilder<Tables, 'usage_hours', FigureColumns>

const figures = [
  sql<number | string>`sum(${sql.ref('count')})`.as('count'),
  sql<number | string>`sum(quota)`.as('quota'),
  sql<number | string>`sum(prompt_tokens)`.as('promptTokens'),
  sql<number | string>`sum(completion_tokens)`.as('completionTokens'),
  sql<number | string>`sum(failures)`.as('failures'),
] as const

const numbers = ({
  count,
  quota,
  promptTokens,
  completionTokens,
  failures,
}: Record<keyof UsageTotal, number | string>): UsageTotal => ({
  count: Number(count),
  quota: Number(quota),
  promptTokens: Number(promptTokens),
  completionTokens: Number(completionTokens),
  failures: Number(failures),
})

/** The sums that the dashboard draws; each question is one query, whatever number of tables it needs. */
export const openDashboardStore = ({ query }: Database): DashboardStore => {
  /** The rows of all spans, with the columns that `add` adds to the figures. */
  const rowsOf = <Added>(
    filter: UsageFilter,
    spans: readonly UsageSpan[],
    add: (part: Part, span: UsageSpan) => Added,
  ) =>
    spans
      .map((span) => {
        // All tables of sums have the columns that a question names.
        const part = query.selectFrom(span.table as 'usage_hours').where(usageFits(filter, span))
        return add(part.select(['count', 'quota', 'prompt_tokens', 'completion_tokens', 'failures']), span) as Part
      })
      .reduce((all, part) => all.unionAll(part))

  return {
    async shares({ filter, spans, by }, metric, most) {
      if (spans.length === 0) return []
      const rows = rowsOf(filter, spans, (part) =>
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
        .select(figures)
        .groupBy(sql`used.key`)
        .orderBy(metric === 'tokens' ? sql`sum(prompt_tokens + completion_tokens)` : metric, 'desc')
        .orderBy(sql`used.key`)
        .limit(most)
        .execute()
      return found.map(({ key, label, user, lastUser, ...sums }) => ({
        ...{ key: String(key), label: label ?? '', ...numbers(sums) },
        ...(by === 'token' && user === lastUser ? { userId: Number(user) } : {}),
      }))
    },

    async points({ filter, spans, by }, of, buckets) {
      if (spans.length === 0 || of.length === 0) return []
      const column = columns[by]
      const keys = of.map(({ key }) => (isNumber(by) ? whole(Number(key)) : sql`${key}`))
      // The sums have an index over users; keys are found through who has them.
      const users = of.flatMap(({ userId }) => (userId === undefined ? [] : [userId]))
      const rows = rowsOf(filter, spans, (part) => {
        const named = part
          .select((eb) => [pieceOf(buckets).as('local'), eb.ref(column).as('key')])
          .where(sql<SqlBool>`${sql.ref(column)} in (${sql.join(keys)})`)
        return users.length === of.length ? named.where('user_id', 'in', users) : named
      })
      const found = await query
        .selectFrom(rows.as('used'))
        .select([sql<number>`used.local`.as('local'), sql<string | number>`used.key`.as('key')])
        .select(figures)
        .groupBy([sql`used.local`, sql`used.key`])
        .execute()
      return found.map(({ local, key, ...sums }) => ({ local: Number(local), key: String(key), ...numbers(sums) }))
    },

    async pieces({ filter, spans }, buckets) {
      if (spans.length === 0) return []
      const rows = rowsOf(filter, spans, (part) => part.select(pieceOf(buckets).as('local')))
      const found = await query
        .selectFrom(rows.as('used'))
        .select(sql<number>`used.local`.as('local'))
        .select(figures)
        .groupBy(sql`used.local`)
        .execute()
      return found.map(({ local, ...sums }) => ({ local: Number(local), ...numbers(sums) }))
    },
  }
}
