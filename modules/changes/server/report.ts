import type { ChangeReport, changeQuery, FigureCondition, SiteEvent } from '@tollgate/contract'
import type { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { checkRights, type FigureScope, filtersOf } from '#server/features/figures/scope.ts'
import { rangeOf } from '#server/features/figures/time.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Weights } from '#server/reports/change/cells.ts'
import { changeOf } from '#server/reports/change/change.ts'
import { type ChangeQuestion, readChangeCells, readChangeTotals } from '#server/reports/change/read-cells.ts'
import { readMargins } from '#server/reports/change/read-margins.ts'
import { type ChangeTerm, filtersOfScope, type TermRow, termsOf } from '#server/reports/change/terms.ts'
import { type ComparedPeriods, periodAndBefore, yesterdayAndUsual } from '#server/reports/change/usual-days.ts'
import { usageBegins } from '#server/reports/usage/usage.ts'
import { causeOf } from './causes.ts'
import { readTermNames, type TermNameParts, type TermNames } from './names.ts'

export type ChangeQuery = z.output<typeof changeQuery>

interface ReportParts extends TermNameParts {
  readonly database: Database
  /** Option DataExportEnabled. */
  enabled(): boolean
  weightsOf(model: string): Weights
  /** Changes of channels and prices in a time, oldest first. */
  events(from: number, to: number): Promise<readonly SiteEvent[]>
  readonly clock: Clock
  /** Cells that are read one by one. */
  readonly mostCells?: number
}

/** Shares of the usual charges: a difference and a term that are no news. */
const calmDifference = 0.1
const calmTerm = 0.15

/** A difference without a reason that is worth a line. */
const isCalm = ({ usual, difference }: Pick<ChangeReport, 'usual' | 'difference'>, terms: readonly ChangeTerm[]) =>
  Math.abs(difference) <= usual * calmDifference && terms.every(({ amount }) => Math.abs(amount) <= usual * calmTerm)

/** The conditions of a question, and those of a part of it that it does not have itself. */
const narrowed = (question: readonly FigureCondition[], part: readonly FigureCondition[]): FigureCondition[] => [
  ...question,
  ...part.filter(
    ({ dimension }) =>
      !question.some((one) => one.dimension === dimension && one.is === 'is' && one.values.length === 1),
  ),
]

const conditionsOf = (conditions: ReturnType<typeof filtersOfScope>, isOperator: boolean): FigureCondition[] =>
  conditions
    .filter(({ dimension }) => isOperator || dimension !== 'user')
    .map(({ dimension, is, values }) => ({ dimension, is, values: [...values] }))

const rowConditions = ({ by }: ChangeTerm, { key, user }: TermRow, isOperator: boolean): FigureCondition[] => {
  if (by === undefined || key === '') return []
  const own: FigureCondition = { dimension: by, is: 'is', values: [key] }
  return by === 'key' && isOperator ? [{ dimension: 'user', is: 'is', values: [String(user)] }, own] : [own]
}

/** Explains the charges of a period from hourly and daily sums: logs may have been cleared. */
export const createChangeReport = (parts: ReportParts) => {
  const { database } = parts

  const periodsOf = async (query: ChangeQuery): Promise<ComparedPeriods> => {
    const now = unixSeconds(parts.clock)
    const begins = (await usageBegins(database)) ?? now
    if (query.start_timestamp === 0 && query.end_timestamp === 0) return yesterdayAndUsual(now, query.zone, begins)
    return periodAndBefore(rangeOf(query.start_timestamp, query.end_timestamp, now), begins)
  }

  /** Terms with figures of their own reading, for questions of which not every cell was read. */
  const withFigures = async (question: ChangeQuestion, terms: readonly ChangeTerm[]): Promise<readonly ChangeTerm[]> =>
    await Promise.all(
      terms.map(async (term) => {
        const scope = filtersOfScope(term.scope)
        if (scope.length === 0) return term
        return {
          ...term,
          ...(await readChangeTotals(database, { ...question, filters: [...question.filters, ...scope] })),
        }
      }),
    )

  const marginOf = async (question: ChangeQuestion): Promise<ChangeReport['margin']> => {
    const { now, before } = await readMargins(database, question)
    if (now.calls + before.calls === 0) return undefined
    const usual = (sum: number): number => Math.round(sum / question.reference.length)
    return { sold: now.sold, cost: now.cost, usual_sold: usual(before.sold), usual_cost: usual(before.cost) }
  }

  const eventsFor = async ({ period, reference }: ComparedPeriods): Promise<readonly SiteEvent[]> =>
    await parts.events(Math.max(...reference.map(({ to }) => to)), period.to)

  return async (scope: FigureScope, query: ChangeQuery): Promise<ChangeReport> => {
    if (!parts.enabled()) throw new AppError('dashboard_off')
    checkRights(scope, { metric: 'spend', filters: query.filters })
    const isOperator = 'all' in scope
    const compared = await periodsOf(query)
    const { period, reference, kind } = compared
    const question: ChangeQuestion = {
      period,
      reference,
      filters: filtersOf(scope, query.filters),
      channels: isOperator,
    }
    const common = { ...period, reference: [...reference], kind }
    if (reference.length === 0) {
      const { now, before } = await readChangeTotals(database, question)
      return { ...common, now, before, usual: 0, difference: 0, calm: false, terms: [] }
    }
    const { cells, capped } = await readChangeCells(database, question, parts.mostCells)
    const change = changeOf(cells, reference.length, parts.weightsOf)
    const found = termsOf(change, cells, { channels: isOperator })
    const shown = query.terms === 'largest' ? found.slice(0, 1) : found
    const terms = capped ? await withFigures(question, shown) : shown
    const channelsBefore = new Set(cells.filter(({ before }) => before.calls > 0).map(({ channel }) => String(channel)))
    const [names, margin, events] = await Promise.all([
      readTermNames(parts, terms),
      isOperator && query.terms === 'all' ? marginOf(question) : undefined,
      isOperator && terms.length > 0 ? eventsFor(compared) : [],
    ])
    const { now, before, usual, difference } = change
    return {
      ...common,
      now,
      before,
      usual,
      difference,
      calm: isCalm(change, found),
      ...(margin === undefined ? {} : { margin }),
      terms: terms.map((term) =>
        shownTerm(term, { names, isOperator, query, cause: causeOf(term, events, channelsBefore) }),
      ),
    }
  }
}

interface Shown {
  readonly names: TermNames
  readonly isOperator: boolean
  readonly query: Pick<ChangeQuery, 'filters'>
  readonly cause: SiteEvent | undefined
}

const shownTerm = (term: ChangeTerm, { names, isOperator, query, cause }: Shown): ChangeReport['terms'][number] => {
  const { effect, amount, count, scope, now, before, by } = term
  const filters = narrowed(query.filters, conditionsOf(filtersOfScope(scope), isOperator))
  const rows = term.rows.map((row) => ({
    key: row.key,
    ...names.row(term, row, isOperator),
    amount: row.amount,
    filters: narrowed(filters, rowConditions(term, row, isOperator)),
  }))
  return {
    effect,
    amount,
    count,
    ...(scope.user === undefined || !isOperator ? {} : { user: { id: scope.user, name: names.user(scope.user) } }),
    ...(scope.key === undefined ? {} : { key: { id: scope.key, name: names.key(scope.key, scope.keyName ?? '') } }),
    ...(scope.model === undefined ? {} : { model: scope.model }),
    filters,
    now,
    before,
    ...(by === undefined ? {} : { by }),
    rows,
    ...(cause === undefined ? {} : { event: cause }),
  }
}
