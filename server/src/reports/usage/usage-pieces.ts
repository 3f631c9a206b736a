import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { engineOf, tableAlong } from '../../db/dialect.ts'
import type { Tables, UsageHoursTable } from '../../db/schema.ts'
import { noTotal, type UsageFilter, type UsageSpan, type UsageTotal, usageFits } from './usage.ts'
import { type Buckets, localStart } from './usage-buckets.ts'

/** Use in a piece of time. */
export interface UsagePiece extends UsageTotal {
  /** Local second at which it begins. */
  readonly local: number
}

/** A piece that belongs to one value of a column. */
export interface Point extends UsagePiece {
  readonly key: string
}

/** Spans to sum. */
export interface UsageSpans {
  readonly filter: UsageFilter
  readonly spans: readonly UsageSpan[]
}

/** Values of one column, each of which is summed for itself. */
export interface Values {
  readonly column: 'model_name' | 'group' | 'token_id' | 'user_id' | 'channel_id'
  readonly keys: readonly (string | number)[]
  /** All users whose sums contain them, where known: the sums have an index over users. */
  readonly users?: readonly number[]
}

/** The index of the hours over their time. */
export const hoursByTime = 'usage_hours_created_at_dimensions_hash'

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
type UsagePart = SelectQueryBuilder<Tables, 'usage_hours', FigureColumns>

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

/** True if no index is more selective than the time. */
const isOfNobody = ({ userId, tokenId, tokenIds, tokenName }: UsageFilter): boolean =>
  userId === undefined && tokenId === undefined && tokenIds === undefined && !tokenName

/** The rows of a table of sums; hours of some weeks along their time. All such tables have the columns that a question names. */
const alongTime = (query: Database['query'], { table }: UsageSpan, isTimeBest: boolean) => {
  const rows = query.selectFrom(table as 'usage_hours')
  if (table !== 'usage_hours' || !isTimeBest || engineOf(query) !== 'mysql') return rows
  const hours = sql<Selectable<UsageHoursTable>>`(select * from ${tableAlong('usage_hours', hoursByTime)})`
  return query.selectFrom(hours.as('usage_hours')) as unknown as typeof rows
}

/** The rows of all spans, with the columns that `add` adds to the figures; one query, however many tables it needs. */
export const usageRows = <Added>(
  { query }: Pick<Database, 'query'>,
  { filter, spans }: UsageSpans,
  add: (part: UsagePart, span: UsageSpan) => Added,
) =>
  spans
    .map((span) => {
      const part = alongTime(query, span, isOfNobody(filter)).where(usageFits(filter, span))
      return add(part.select(figureColumns), span) as UsagePart
    })
    .reduce((all, part) => all.unionAll(part))

/**
 * Use in each piece of time; pieces without calls are absent. Grouped by the time itself, rows are read along its index and summed in
 * order; grouped by pieces, MySQL and MariaDB read the whole table for a twelfth of it.
 */
export const sumPieces = async (
  { query }: Pick<Database, 'query'>,
  { filter, spans }: UsageSpans,
  buckets: Buckets,
): Promise<UsagePiece[]> => {
  if (spans.length === 0) return []
  const found = await spans
    .map((span) =>
      query
        // All tables of sums have the columns that a question names.
        .selectFrom(span.table as 'usage_hours')
        .where(usageFits(filter, span))
        .select('created_at')
        .select(summed)
        .groupBy('created_at'),
    )
    .reduce((all, part) => all.unionAll(part))
    .execute()
  const pieces = new Map<number, UsageTotal>()
  for (const { created_at, ...figures } of found) {
    const local = localStart(buckets, Number(created_at))
    pieces.set(local, plusTotal(pieces.get(local) ?? noTotal, totalOf(figures)))
  }
  return [...pieces].map(([local, figures]) => ({ local, ...figures }))
}

const plusTotal = (left: UsageTotal, right: UsageTotal): UsageTotal => ({
  count: left.count + right.count,
  quota: left.quota + right.quota,
  promptTokens: left.promptTokens + right.promptTokens,
  completionTokens: left.completionTokens + right.completionTokens,
  failures: left.failures + right.failures,
  cost: left.cost + right.cost,
  costedCount: left.costedCount + right.costedCount,
  costedQuota: left.costedQuota + right.costedQuota,
})

/** The same for each of some values of a column. */
export const sumPoints = async (
  database: Pick<Database, 'query'>,
  sums: UsageSpans,
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
