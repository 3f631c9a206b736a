import { ownMember } from '@tollgate/contract/own-member'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { engineOf, tableAlong } from '../../db/dialect.ts'
import { type FigureFilter, filterFits, isOfPeople } from '../figures/dimensions.ts'
import { splitRange, type UsageSpan } from '../usage/usage.ts'
import { hoursByTime } from '../usage/usage-pieces.ts'
import { type CellSums, type ChangeCell, noCellSums, plusSums } from './cells.ts'

/** Unix seconds at full hours, the end not included. */
export interface ComparedPeriod {
  readonly from: number
  readonly to: number
}

/** A period and those that it is compared with, none of which overlap. */
export interface ChangeQuestion {
  readonly period: ComparedPeriod
  /** At least one; all as long as the period. */
  readonly reference: readonly ComparedPeriod[]
  readonly filters: readonly FigureFilter[]
  /** False where channels are not told apart. */
  readonly channels: boolean
}

/** Cells that are read one by one: those whose charges changed most. The others are one cell without names. */
export const mostCells = 2_000

const columns = {
  calls: 'count',
  quota: 'quota',
  prompt: 'prompt_tokens',
  cached: 'cached_tokens',
  written: 'cache_write_tokens',
  output: 'completion_tokens',
} as const satisfies Record<keyof CellSums, string>
const names = Object.keys(columns) as readonly (keyof CellSums)[]

type PeriodName = 'now' | 'before'
const periodNames = ['now', 'before'] as const

const alias = (period: PeriodName, name: keyof CellSums): string => `${period}_${name}`

const dimensions = ['user_id', 'token_id', 'group', 'model_name'] as const

const isOfSomebody = (filters: readonly FigureFilter[]): boolean =>
  filters.some(({ dimension, is }) => isOfPeople(dimension) && is === 'is')

/** The rows of a stretch of time; MySQL needs to be told that hours of the whole site lie along their time. */
export const tableOf = (engine: string, { table }: UsageSpan, filters: readonly FigureFilter[]): RawBuilder<unknown> =>
  engine === 'mysql' && table === 'usage_hours' && !isOfSomebody(filters)
    ? tableAlong(table, hoursByTime)
    : sql`${sql.table(table)}`

/** The hours and days that a period is read from. */
export const spansOf = ({ from, to }: ComparedPeriod): readonly UsageSpan[] =>
  splitRange({ from, to: to - 1 }, 'usage_days').spans

/** Rows of both times, each with its sums in the columns of its own time and 0 in those of the other. */
const rowsOf = (engine: string, { period, reference, filters, channels }: ChangeQuestion): RawBuilder<unknown> => {
  const spans = [
    ...spansOf(period).map((span) => ({ span, of: 'now' as const })),
    ...reference.flatMap((one) => spansOf(one).map((span) => ({ span, of: 'before' as const }))),
  ]
  const conditions = sql.join(
    filters.map((filter) => sql` and ${filterFits(filter)}`),
    sql``,
  )
  const parts = spans.map(({ span, of }) => {
    const sums = periodNames.flatMap((name) =>
      names.map((sum) => sql`${name === of ? sql.ref(columns[sum]) : sql.lit(0)} as ${sql.ref(alias(name, sum))}`),
    )
    const channel = channels ? sql.ref('channel_id') : sql.lit(0)
    const selected = [...dimensions.map((name) => sql.ref(name)), sql`${channel} as channel_id`, sql.ref('token_name')]
    return sql`select ${sql.join([...selected, ...sums])} from ${tableOf(engine, span, filters)}
      where created_at >= ${sql.lit(span.from)} and created_at < ${sql.lit(span.to)}${conditions}`
  })
  return sql.join(parts, sql` union all `)
}

type Row = Readonly<Record<string, string | number | null>>

const sumsOf = (row: Row, period: PeriodName): CellSums => {
  const sums: Record<keyof CellSums, number> = { ...noCellSums }
  for (const name of names) sums[name] = Number(ownMember(row, alias(period, name)) ?? 0)
  return sums
}

const summed = (): RawBuilder<unknown>[] =>
  periodNames.flatMap((period) =>
    names.map((name) => sql`sum(${sql.ref(alias(period, name))}) as ${sql.ref(alias(period, name))}`),
  )

/** Sums of both times. One statement over hours and days, never over calls. */
export const readChangeTotals = async (
  { query }: Pick<Database, 'query'>,
  question: ChangeQuestion,
): Promise<Pick<ChangeCell, PeriodName>> => {
  const { rows } = await sql<Row>`
    select ${sql.join(summed())} from (${rowsOf(engineOf(query), question)}) as cells`.execute(query)
  const [row = {}] = rows
  return { now: sumsOf(row, 'now'), before: sumsOf(row, 'before') }
}

/** The cells of both times, those that changed most first; with more than `mostCells` the others are the last one, without names. */
export const readChangeCells = async (
  database: Pick<Database, 'query'>,
  question: ChangeQuestion,
  most: number = mostCells,
): Promise<{ readonly cells: readonly ChangeCell[]; readonly capped: boolean }> => {
  const { query } = database
  const grouped = [...dimensions, 'channel_id'].map((name) => sql.ref(name))
  const change = sql`${sql.ref(alias('now', 'quota'))} * ${sql.lit(question.reference.length)} - ${sql.ref(alias('before', 'quota'))}`
  const { rows } = await sql<Row>`
    select cells.* from (
      select ${sql.join([...grouped, sql`max(token_name) as token_name`, ...summed()])}
      from (${rowsOf(engineOf(query), question)}) as stored group by ${sql.join(grouped)}
    ) as cells order by abs(${change}) desc, ${sql.join(grouped)} limit ${sql.lit(most + 1)}
  `.execute(query)
  const cells = rows.slice(0, most).map(
    (row): ChangeCell => ({
      user: Number(row.user_id),
      key: Number(row.token_id),
      keyName: String(row.token_name ?? ''),
      model: String(row.model_name ?? ''),
      group: String(row.group ?? ''),
      channel: Number(row.channel_id),
      now: sumsOf(row, 'now'),
      before: sumsOf(row, 'before'),
    }),
  )
  if (rows.length <= most) return { cells, capped: false }
  // Last, so that everything is never less than its parts, whatever is charged meanwhile. Sums over all groups beside each of them take longer.
  const whole = await readChangeTotals(database, question)
  const without = (period: PeriodName): CellSums =>
    cells.reduce((rest, cell) => plusSums(rest, cell[period], -1), whole[period])
  const others = { user: 0, key: 0, keyName: '', model: '', group: '', channel: 0 }
  return { cells: [...cells, { ...others, now: without('now'), before: without('before') }], capped: true }
}
