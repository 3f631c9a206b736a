import { type LimitWindow, longestRolling } from '@tollgate/contract'
import { z } from 'zod'
import type { NoteBook } from '../notes.ts'
import type { OpenSiteParts } from '../site.ts'
import { moment, real, text, texts } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'

/** Columns with the bounds of a key, a user, a team, a project or an organisation, in all tables. Dollars; null for no bound. */
export const boundColumns = {
  max_budget: real,
  soft_budget: real,
  budget_duration: text,
  budget_reset_at: moment,
  tpm_limit: real,
  rpm_limit: real,
  tpd_limit: real,
  max_parallel_requests: real,
}
const bounds = z.object(boundColumns)
export type Bounds = z.output<typeof bounds>

const budgetRow = bounds.extend({ budget_id: text, allowed_models: texts })

/** A budget that several rows may name. */
export interface SharedBudget extends Bounds {
  /** Of members of teams; empty for all. */
  readonly allowed_models: readonly string[]
}

/** Shared budgets by id. */
export const readBudgets = async ({
  source,
}: Pick<OpenSiteParts, 'source'>): Promise<ReadonlyMap<string, SharedBudget>> => {
  const budgets = new Map<string, SharedBudget>()
  for await (const rows of pagesOf(source, 'LiteLLM_BudgetTable', 'budget_id')) {
    for (const { budget_id: id, ...row } of rows.map((cells) => budgetRow.parse(cells))) budgets.set(id, row)
  }
  return budgets
}

export const unbounded: Bounds = {
  max_budget: null,
  soft_budget: null,
  budget_duration: '',
  budget_reset_at: null,
  tpm_limit: null,
  rpm_limit: null,
  tpd_limit: null,
  max_parallel_requests: null,
}

/** Own bounds, and those of a shared budget where there are none. */
export const withShared = (own: Bounds, shared: Bounds = unbounded): Bounds => {
  const money = own.max_budget === null ? shared : own
  return {
    max_budget: money.max_budget,
    soft_budget: money.soft_budget,
    budget_duration: money.budget_duration,
    budget_reset_at: money.budget_reset_at,
    tpm_limit: own.tpm_limit ?? shared.tpm_limit,
    rpm_limit: own.rpm_limit ?? shared.rpm_limit,
    tpd_limit: own.tpd_limit ?? shared.tpd_limit,
    max_parallel_requests: own.max_parallel_requests ?? shared.max_parallel_requests,
  }
}

export interface BudgetPeriod {
  readonly window: LimitWindow
  /** Length of a rolling window. */
  readonly hours: number
}

const seconds: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
])
const calendar: ReadonlyMap<number, LimitWindow> = new Map([
  [60, 'minute'],
  [3600, 'hour'],
  [86_400, 'day'],
  [604_800, 'week'],
  // LiteLLM renews 30 days on the first of each month.
  [2_592_000, 'month'],
])

/** True for a duration with which the budget never begins anew. */
export const isForGood = (duration: string): boolean => /^\s*(?:none|null)?\s*$/i.test(duration)

/** The window of a budget's duration (`1h`, `7d`, `1mo`); undefined where no window here is like it. */
export const periodOf = (duration: string): BudgetPeriod | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,6})(mo|[smhdw])$/.exec(duration.trim()) ?? []
  if (unit === 'mo') return Number(count) === 1 ? { window: 'month', hours: 1 } : undefined
  const length = Number(count) * (seconds.get(unit) ?? 0)
  const window = calendar.get(length)
  if (window !== undefined) return { window, hours: 1 }
  const hours = length / 3600
  if (hours >= 1 && Number.isInteger(hours) && hours <= longestRolling) return { window: 'rolling', hours }
  return undefined
}

/** True if the budget begins anew by itself, and a window here can do the same. */
export const renews = ({ max_budget: max, budget_duration: duration }: Bounds): boolean =>
  max !== null && periodOf(duration) !== undefined

/** The dollars that are there for once; null where nothing bounds what is spent for good. */
export const dollarsForOnce = (one: Bounds): number | null => (renews(one) ? null : one.max_budget)

/** Notes what became of a budget that renews itself. */
export const noteRenewal = ({ max_budget: max, budget_duration: duration }: Bounds, name: string, notes: NoteBook) => {
  if (max === null || isForGood(duration)) return
  const period = periodOf(duration)
  const example = `${name}: ${duration}`
  notes.note(period === undefined ? 'budget_reset' : 'budget_limit', example)
  if (period?.window === 'rolling') notes.note('budget_rolling', example)
}
