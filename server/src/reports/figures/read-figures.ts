import type { FigureDimension } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine } from '../../db/database.ts'
import { engineOf, tableAlong } from '../../db/dialect.ts'
import { firstColumns, totalColumns } from '../../ledger/speed/add-speed.ts'
import { addCounts } from '../../ledger/speed/histogram.ts'
import { splitRange, type UsageTable } from '../usage/usage.ts'
import type { Buckets } from '../usage/usage-buckets.ts'
import { hoursByTime, pieceOf } from '../usage/usage-pieces.ts'
import { type FigureFilter, filterFits, isOfPeople, valueIn } from './dimensions.ts'
import { type CallFigures, type FigureSums, noFigures, noSums } from './figures.ts'

/** Range and dimensions to read. Times are unix seconds at full hours, the end not included. */
export interface FigureQuestion {
  readonly from: number
  readonly to: number
  /** No dimension reads everything together; with two, each pair of values. */
  readonly by: readonly FigureDimension[]
  readonly filters: readonly FigureFilter[]
  /** Only these values of the first dimension. */
  readonly only?: readonly string[] | undefined
  /** Cuts time into pieces. Days that are not those of UTC are summed from hours. */
  readonly buckets?: Buckets | undefined
  readonly utcDays?: boolean
  /** Number and order of the values; all where absent. */
  readonly most?: { readonly count: number; readonly by: FigureOrder }
  /** True if histograms are read, too. Absent for sums alone. */
  readonly speed?: boolean
}

export type FigureOrder = 'quota' | 'calls' | 'tokens' | 'failures' | 'cost' | 'margin' | 'saved' | 'lost'

/** The figures of one value, or pair of values, in one piece of time. */
export interface FigureCell extends CallFigures {
  readonly keys: readonly string[]
  /** Local second at which the piece begins; 0 where time is not cut. */
  readonly local: number
  /** Name of a key when it was used; empty for other dimensions. */
  readonly label: string
}

const count = sql.ref('count')

const sumColumns = {
  answered: count,
  failures: sql.ref('failures'),
  quota: sql.ref('quota'),
  prompt: sql.ref('prompt_tokens'),
  completion: sql.ref('completion_tokens'),
  cached: sql.ref('cached_tokens'),
  cacheWrite: sql.ref('cache_write_tokens'),
  reasoning: sql.ref('reasoning_tokens'),
  missed: sql.ref('missed_tokens'),
  cacheSaved: sql.ref('cache_saved'),
  cacheLost: sql.ref('cache_lost'),
  timedTokens: sql.ref('timed_tokens'),
  timedMs: sql.ref('timed_ms'),
  cost: sql.ref('cost'),
  costedCount: sql.ref('costed_count'),
  costedQuota: sql.ref('costed_quota'),
} as const satisfies Record<keyof FigureSums, RawBuilder<unknown>>

const sumNames = Object.keys(sumColumns) as readonly (keyof FigureSums)[]

const orders: Readonly<Record<FigureOrder, RawBuilder<unknown>>> = {
  quota: sql`sum(quota)`,
  calls: sql`sum(answered + failures)`,
  tokens: sql`sum(prompt + completion)`,
  failures: sql`sum(failures)`,
  cost: sql`sum(cost)`,
  saved: sql`sum(${sql.ref('cacheSaved')})`,
  lost: sql`sum(${sql.ref('cacheLost')})`,
  // The largest losses are as much worth seeing as the largest margins.
  margin: sql`abs(sum(${sql.ref('costedQuota')} - cost))`,
}

interface Part {
  readonly table: string
  readonly from: number
  readonly to: number
  /** Sums of failed calls by class: the rows have a class and a count. */
  readonly kind: 'usage' | 'failures' | 'speed' | 'named'
}

/** True if a question names a user or key, which the site-wide sums do not contain. */
const isPersonal = ({ by, filters }: Pick<FigureQuestion, 'by' | 'filters'>): boolean =>
  [...by, ...filters.map(({ dimension }) => dimension)].some(isOfPeople)

const asks = ({ by, filters }: FigureQuestion, name: FigureDimension): boolean =>
  by.includes(name) || filters.some(({ dimension }) => dimension === name)

/** The sums of their own that a question about sessions, end users or tags needs, without speed, groups and results; undefined for others. */
const namedTable = (question: FigureQuestion): string | undefined => {
  if (asks(question, 'session')) return 'call_session_hours'
  if (asks(question, 'end_user')) return 'call_end_user_hours'
  return asks(question, 'tag') ? 'call_tag_hours' : undefined
}

const asksStatus = (question: FigureQuestion): boolean => asks(question, 'status')

const usageParts = (question: FigureQuestion): readonly Part[] => {
  const { from, to, buckets, utcDays = true } = question
  const zoned = buckets !== undefined && !utcDays
  const spans: readonly { table: UsageTable; from: number; to: number }[] = zoned
    ? [{ table: 'usage_hours', from, to }]
    : splitRange({ from, to: to - 1 }, isPersonal(question) ? 'usage_days' : 'usage_site_days').spans
  return spans.map((span) => ({ ...span, kind: 'usage' }))
}

const sumParts = (question: FigureQuestion): readonly Part[] => {
  const { from, to } = question
  const named = namedTable(question)
  if (named !== undefined) return [{ table: named, from, to, kind: 'named' }]
  const failures: Part = { table: 'failure_hours', from, to, kind: 'failures' }
  return asksStatus(question) ? [...usageParts(question), failures] : usageParts(question)
}

const statusOf = ({ kind }: Part): RawBuilder<unknown> => (kind === 'failures' ? sql.ref('class') : sql.lit('success'))

const keyColumn = (dimension: FigureDimension, part: Part): RawBuilder<unknown> =>
  dimension === 'status' ? statusOf(part) : valueIn(dimension)

/** Names differ between parts, where one has a class and the other is a success by itself. */
const conditions = (question: FigureQuestion, part: Part): RawBuilder<unknown> => {
  const [first] = question.by
  const named: readonly FigureFilter[] =
    first === undefined || question.only === undefined ? [] : [{ dimension: first, is: 'is', values: question.only }]
  const all = [...question.filters, ...named].map((filter) => filterFits(filter))
  return sql`created_at >= ${sql.lit(part.from)} and created_at < ${sql.lit(part.to)}${sql.join(
    all.map((fits) => sql` and ${fits}`),
    sql``,
  )}`
}

const isOfSomebody = ({ filters, only, by }: FigureQuestion): boolean =>
  filters.some(({ dimension, is }) => isOfPeople(dimension) && is === 'is') ||
  (only !== undefined && by.slice(0, 1).some(isOfPeople))

/** The rows of a table with a column `status`, so that filters on it are the same everywhere. */
const withStatus = (engine: Engine, question: FigureQuestion, part: Part): RawBuilder<unknown> => {
  if (asksStatus(question))
    return sql`(select t.*, ${statusOf(part)} as status from ${sql.table(part.table)} as t) as rows_of`
  const isAlongTime = engine === 'mysql' && part.table === 'usage_hours' && !isOfSomebody(question)
  return isAlongTime ? tableAlong(part.table, hoursByTime) : sql`${sql.table(part.table)}`
}

const sumOf = (name: keyof FigureSums, part: Part, splitFailures: boolean): RawBuilder<unknown> => {
  if (part.kind === 'failures') return name === 'failures' ? count : sql.lit(0)
  return name === 'failures' && splitFailures ? sql.lit(0) : sumColumns[name]
}

const keyNames = ['key_0', 'key_1'] as const

const selected = (question: FigureQuestion, part: Part): RawBuilder<unknown>[] => [
  ...question.by.map((dimension, index) => sql`${keyColumn(dimension, part)} as ${sql.ref(keyNames[index] ?? '')}`),
  ...(question.buckets === undefined ? [] : [sql`${pieceOf(question.buckets)} as local`]),
]

const groups = ({ by, buckets }: FigureQuestion): RawBuilder<unknown>[] => [
  ...by.map((_, index) => sql.ref(keyNames[index] ?? '')),
  ...(buckets === undefined ? [] : [sql.ref('local')]),
]

const groupedBy = (columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  columns.length === 0 ? sql`` : sql` group by ${sql.join(columns)}`

type Row = Readonly<Record<string, string | number | null>>

const labelled = ({ by }: FigureQuestion): boolean => by.includes('key')

const readSums = async ({ query }: Pick<Database, 'query'>, question: FigureQuestion): Promise<readonly Row[]> => {
  const split = asksStatus(question)
  const parts = sumParts(question).map((part) => {
    const label = labelled(question) && part.kind === 'usage' ? sql.ref('token_name') : sql.lit('')
    const columns = [
      ...selected(question, part),
      ...sumNames.map((name) => sql`${sumOf(name, part, split)} as ${sql.ref(name)}`),
      sql`${label} as label`,
    ]
    return sql`select ${sql.join(columns)} from ${withStatus(engineOf(query), question, part)} where ${conditions(question, part)}`
  })
  if (parts.length === 0) return []
  const columns = [
    ...groups(question),
    ...sumNames.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
    sql`max(label) as label`,
  ]
  const order =
    question.most === undefined
      ? sql``
      : sql` order by ${orders[question.most.by]} desc, ${sql.join(groups(question))} limit ${sql.lit(question.most.count)}`
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} from (${sql.join(parts, sql` union all `)}) as figures${groupedBy(groups(question))}${order}
  `.execute(query)
  return rows
}

const countColumns = [...firstColumns, ...totalColumns]

const readSpeed = async ({ query }: Pick<Database, 'query'>, question: FigureQuestion): Promise<readonly Row[]> => {
  const { from, to } = question
  const part: Part = { table: isPersonal(question) ? 'speed_hours' : 'speed_site_hours', from, to, kind: 'speed' }
  const columns = [...selected(question, part), sql.ref('octave'), ...countColumns.map((column) => sql.ref(column))]
  const grouped = [...groups(question), sql.ref('octave')]
  const sums = countColumns.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`)
  const { rows } = await sql<Row>`
    select ${sql.join([...grouped, ...sums])} from (
      select ${sql.join(columns)} from ${withStatus(engineOf(query), question, part)} where ${conditions(question, part)}
    ) as figures${groupedBy(grouped)}`.execute(query)
  return rows
}

const cellOf = (question: FigureQuestion, row: Row): FigureCell => ({
  ...noFigures(),
  keys: question.by.map((_, index) => String(row[keyNames[index] ?? ''] ?? '')),
  local: Number(row.local ?? 0),
  label: String(row.label ?? ''),
})

const placeOf = ({ keys, local }: FigureCell): string => [local, ...keys].join('\0')

/**
 * Figures of calls, by none, one or two dimensions and, where asked for, pieces of time, largest first where `most` says so.
 * Cells without calls are absent. One query for the sums and one for the histograms.
 */
export const readFigures = async (
  database: Pick<Database, 'query'>,
  question: FigureQuestion,
): Promise<readonly FigureCell[]> => {
  const rows = await readSums(database, question)
  const cells = new Map<string, FigureCell>()
  for (const row of rows) {
    const sums = Object.fromEntries(sumNames.map((name) => [name, Number(row[name] ?? 0)]))
    const cell = { ...cellOf(question, row), sums: { ...noSums, ...sums } }
    cells.set(placeOf(cell), cell)
  }
  if (question.speed === true && cells.size > 0 && namedTable(question) === undefined) {
    const [dimension] = question.by
    const only =
      dimension === undefined ? undefined : [...new Set([...cells.values()].map(({ keys }) => keys[0] ?? ''))]
    const limited = question.most === undefined ? question : { ...question, only }
    for (const row of await readSpeed(database, limited)) {
      const cell = cells.get(placeOf(cellOf(question, row)))
      if (cell === undefined) continue
      const octave = Number(row.octave)
      addCounts(
        cell.first,
        octave,
        firstColumns.map((column) => Number(row[column] ?? 0)),
      )
      addCounts(
        cell.total,
        octave,
        totalColumns.map((column) => Number(row[column] ?? 0)),
      )
    }
  }
  return [...cells.values()]
}
