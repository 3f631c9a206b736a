import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables, UsageHoursTable } from '../../db/schema.ts'
import { type UsageFilter, type UsageSpan, type UsageTotal, usageFits } from './usage.ts'
import type { Buckets } from './usage-buckets.ts'

/** What was used in a piece of time. */
export interface Piece extends UsageTotal {
  /** Local second at which it begins. */
  readonly local: number
}

/** The same of one value of a column, as text. */
export interface Point extends Piece {
  readonly key: string
}

/** What to sum: some spans of the sums. */
export interface Sums {
  readonly filter: UsageFilter
  readonly spans: readonly UsageSpan[]
}

/** Values of one column, each of which is summed for itself. */
export interface Values {
  readonly column: 'model_name' | 'group' | 'token_id' | 'user_id' | 'channel_id'
  readonly keys: readonly (string | number)[]
  /** Everybody whose sums hold them, where that is known: the sums have an index over users. */
  readonly users?: readonly number[]
}

/** Whole numbers stand in the text itself: as parameters, servers would not know that two of them are the same. */
const whole = (value: number) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe whole number: ${value}`)
  return sql.raw<number>(String(value))
}

/** The local second at which the piece of a row begins. */
export const pieceOf = ({ offsets, size, anchor }: Buckets): RawBuilder<number> => {
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

const figureColumns = [
  'count',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'failures',
  'cost',
  'costed_count',
  'costed_quota',
] as const
type FigureColumns = Pick<Selectable<UsageHoursTable>, (typeof figureColumns)[number]>
export type UsagePart = SelectQueryBuilder<Tables, 'usage_hours', FigureColumns>

/** The figures of a total, added up. */
export const summed = [
  sql<number | string>`sum(${sql.ref('count')})`.as('count'),
  sql<number | string>`sum(quota)`.as('quota'),
  sql<number | string>`sum(prompt_tokens)`.as('promptTokens'),
  sql<number | string>`sum(completion_tokens)`.as('completionTokens'),
  sql<number | string>`sum(failures)`.as('failures'),
  sql<number | string>`sum(cost)`.as('cost'),
  sql<number | string>`sum(costed_count)`.as('costedCount'),
  sql<number | string>`sum(costed_quota)`.as('costedQuota'),
] as const

/** A total from what engines answer, which may be text. */
export const totalOf = ({
  count,
  quota,
  promptTokens,
  completionTokens,
  failures,
  cost,
  costedCount,
  costedQuota,
}: Record<keyof UsageTotal, number | string>): UsageTotal => ({
  count: Number(count),
  quota: Number(quota),
  promptTokens: Number(promptTokens),
  completionTokens: Number(completionTokens),
  failures: Number(failures),
  cost: Number(cost),
  costedCount: Number(costedCount),
  costedQuota: Number(costedQuota),
})

/** The rows of all spans, with the columns that `add` adds to the figures; one query, however many tables it needs. */
export const usageRows = <Added>(
  { query }: Pick<Database, 'query'>,
  { filter, spans }: Sums,
  add: (part: UsagePart, span: UsageSpan) => Added,
) =>
  spans
    .map((span) => {
      // All tables of sums have the columns that a question names.
      const part = query.selectFrom(span.table as 'usage_hours').where(usageFits(filter, span))
      return add(part.select(figureColumns), span) as UsagePart
    })
    .reduce((all, part) => all.unionAll(part))

/** What was used in each piece of time; pieces without anything are absent. */
export const sumPieces = async (database: Pick<Database, 'query'>, sums: Sums, buckets: Buckets): Promise<Piece[]> => {
  if (sums.spans.length === 0) return []
  const rows = usageRows(database, sums, (part) => part.select(pieceOf(buckets).as('local')))
  const found = await database.query
    .selectFrom(rows.as('used'))
    .select(sql<number>`used.local`.as('local'))
    .select(summed)
    .groupBy(sql`used.local`)
    .execute()
  return found.map(({ local, ...figures }) => ({ local: Number(local), ...totalOf(figures) }))
}

/** The same for each of some values of a column. */
export const sumPoints = async (
  database: Pick<Database, 'query'>,
  sums: Sums,
  { column, keys, users }: Values,
  buckets: Buckets,
): Promise<Point[]> => {
  if (sums.spans.length === 0 || keys.length === 0) return []
  const listed = keys.map((key) => (typeof key === 'number' ? whole(key) : sql`${key}`))
  const rows = usageRows(database, sums, (part) => {
    const named = part
      .select((eb) => [pieceOf(buckets).as('local'), eb.ref(column).as('key')])
      .where(sql<SqlBool>`${sql.ref(column)} in (${sql.join(listed)})`)
    return users ? named.where('user_id', 'in', [...users]) : named
  })
  const found = await database.query
    .selectFrom(rows.as('used'))
    .select([sql<number>`used.local`.as('local'), sql<string | number>`used.key`.as('key')])
    .select(summed)
    .groupBy([sql`used.local`, sql`used.key`])
    .execute()
  return found.map(({ local, key, ...figures }) => ({ local: Number(local), key: String(key), ...totalOf(figures) }))
}
