import type { UsageDimension, UsageMetric } from '@tollgate/contract'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { type UsageFilter, type UsageSpan, usageFits } from '../../ledger/usage.ts'
import type { Buckets } from './buckets.ts'

/** What one value of a dimension used. */
export interface Share {
  /** A name, or an id as text. */
  readonly key: string
  /** What a key was called when it was used; empty for other dimensions. */
  readonly label: string
  readonly quota: number
  readonly count: number
  readonly tokens: number
  readonly failures: number
}

export interface Point {
  /** Local second at which the piece begins. */
  readonly local: number
  /** Empty for what is not among the named ones. */
  readonly key: string
  readonly quota: number
  readonly count: number
  readonly tokens: number
}

/** What to sum: some spans of the sums, by a dimension. */
export interface Question {
  readonly filter: UsageFilter
  readonly spans: readonly UsageSpan[]
  readonly by: UsageDimension
}

export interface DashboardStore {
  /** The largest shares. */
  shares(question: Question, metric: UsageMetric, most: number): Promise<Share[]>
  /** What the named keys, and all others together, used in each piece of time. */
  points(question: Question, keys: readonly string[], buckets: Buckets): Promise<Point[]>
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

type Where = ExpressionBuilder<Tables, 'usage_hours'>

/** The sums that the dashboard draws; each question is one query, whatever number of tables it needs. */
export const openDashboardStore = ({ query }: Database): DashboardStore => {
  /** The rows of all spans, with the columns that `select` adds to the figures. */
  const rowsOf = <Added>({ filter, spans }: Question, select: (eb: Where, span: UsageSpan) => Added) => {
    const parts = spans.map((span) =>
      query
        // All tables of sums have the columns that a question names.
        .selectFrom(span.table as 'usage_hours')
        .where(usageFits(filter, span))
        .select(['count', 'quota', 'prompt_tokens', 'completion_tokens', 'failures'])
        .select((eb) => select(eb, span) as never),
    )
    return parts.reduce((all, part) => all.unionAll(part))
  }

  return {
    async shares(question, metric, most) {
      if (question.spans.length === 0) return []
      const column = columns[question.by]
      const rows = rowsOf(question, (eb, span) => [
        eb.ref(column).as('key'),
        question.by === 'token' && span.table !== 'usage_site_days'
          ? eb.ref('token_name').as('label')
          : sql<string>`''`.as('label'),
      ])
      const found = await query
        .selectFrom(rows.as('used'))
        .select(sql<string | number>`used.key`.as('key'))
        .select(sql<string>`max(used.label)`.as('label'))
        .select(({ fn }) => [
          fn.sum('count').as('count'),
          fn.sum('quota').as('quota'),
          sql<number | string>`sum(prompt_tokens + completion_tokens)`.as('tokens'),
          fn.sum('failures').as('failures'),
        ])
        .groupBy(sql`used.key`)
        .orderBy(metric, 'desc')
        .orderBy(sql`used.key`)
        .limit(most)
        .execute()
      return found.map(({ key, label, count, quota, tokens, failures }) => ({
        key: String(key),
        label: label ?? '',
        count: Number(count),
        quota: Number(quota),
        tokens: Number(tokens),
        failures: Number(failures),
      }))
    },

    async points(question, keys, buckets) {
      if (question.spans.length === 0) return []
      const column = sql.ref(columns[question.by])
      const wanted = isNumber(question.by) ? keys.map((key) => whole(Number(key))) : keys.map((key) => sql`${key}`)
      const nobody = isNumber(question.by) ? sql`null` : sql`''`
      const named =
        wanted.length === 0 ? nobody : sql`case when ${column} in (${sql.join(wanted)}) then ${column} else null end`
      const rows = rowsOf(
        question,
        () => [pieceOf(buckets).as('local'), sql<string | number | null>`${named}`.as('key')] as never,
      )
      const found = await query
        .selectFrom(rows.as('used'))
        .select([sql<number>`used.local`.as('local'), sql<string | number | null>`used.key`.as('key')])
        .select(({ fn }) => [
          fn.sum('count').as('count'),
          fn.sum('quota').as('quota'),
          sql<number | string>`sum(prompt_tokens + completion_tokens)`.as('tokens'),
        ])
        .groupBy([sql`used.local`, sql`used.key`])
        .execute()
      return found.map(({ local, key, count, quota, tokens }) => ({
        local: Number(local),
        key: key === null ? '' : String(key),
        count: Number(count),
        quota: Number(quota),
        tokens: Number(tokens),
      }))
    },
  }
}
