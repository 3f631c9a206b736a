import type { LimitMeasure } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { shortText } from '#server/lib/bounded-text.ts'
import type { MovedLimit } from '../site.ts'
import { object, real, text } from '../source/cells.ts'
import { type Bounds, type BudgetPeriod, isForGood, periodOf, unbounded } from './budgets.ts'
import { unitsOf } from './figures.ts'

export interface Bounded {
  readonly subject: MovedLimit['subject']
  /** The only person of the subject whose calls are counted. */
  readonly memberId?: string
  /** Displayed name of the subject, for example `key ci`. */
  readonly name: string
  readonly bounds: Bounds
  /** Dollars spent since the budget began anew last. */
  readonly spend: number
  /** True if a budget for once is a limit, too; false if it is a balance. */
  readonly limitsOnce: boolean
}

const longestName = 200

interface Shape {
  readonly measure: LimitMeasure
  readonly amount: number
  readonly period: BudgetPeriod
  readonly shown: string
  readonly model?: string
  readonly used?: number
  readonly tellAt?: readonly number[]
}

const once: BudgetPeriod = { window: 'forever', hours: 1 }
const everyMinute: BudgetPeriod = { window: 'minute', hours: 1 }

const limitOf = (
  { subject, name, memberId = '' }: Pick<Bounded, 'subject' | 'name' | 'memberId'>,
  timeZone: string,
  shape: Shape,
): MovedLimit => {
  const { measure, amount, period, shown, model = '', used = 0, tellAt = [] } = shape
  const { window, hours } = period
  return {
    sourceId: [subject.kind, subject.sourceId, measure, window, hours, model || memberId].join(':'),
    name: shortText(`${name}${model === '' ? '' : `, ${model}`}: ${shown}`, longestName),
    measure,
    amount: Math.max(1, Math.round(amount)),
    window,
    hours,
    timeZone,
    subject,
    memberId,
    model,
    used,
    tellAt,
  }
}

/** Share of a budget at which its soft budget warns, as a limit tells it. */
const warnsAt = ({ max_budget: max, soft_budget: soft }: Bounds): readonly number[] => {
  if (max === null || soft === null || max <= 0 || soft <= 0 || soft > max) return []
  return [Math.max(1, Math.round((soft / max) * 100))]
}

export interface LimitParts {
  readonly quotaPerUnit: number
  /** Unix seconds. */
  readonly now: number
  /** When budgets begin anew. */
  readonly timeZone: string
}

/** The limits that a row's bounds are here. */
export const limitsOf = (bounded: Bounded, { quotaPerUnit, now, timeZone }: LimitParts): readonly MovedLimit[] => {
  const { bounds: own, spend, limitsOnce } = bounded
  const make = (shape: Shape): MovedLimit => limitOf(bounded, timeZone, shape)
  const limits: MovedLimit[] = []
  const period = periodOf(own.budget_duration)
  if (own.max_budget !== null && (period !== undefined || limitsOnce)) {
    const isOver = period !== undefined && own.budget_reset_at !== null && own.budget_reset_at <= now
    limits.push(
      make({
        measure: 'money',
        amount: unitsOf(own.max_budget, quotaPerUnit),
        period: period ?? once,
        shown: `${own.max_budget} USD${period === undefined ? '' : ` / ${own.budget_duration}`}`,
        used: isOver ? 0 : unitsOf(spend, quotaPerUnit),
        tellAt: warnsAt(own),
      }),
    )
  }
  const rates: readonly (readonly [number | null, LimitMeasure, BudgetPeriod, string])[] = [
    [own.rpm_limit, 'requests', everyMinute, 'requests / minute'],
    [own.tpm_limit, 'tokens', everyMinute, 'tokens / minute'],
    [own.tpd_limit, 'tokens', { window: 'day', hours: 1 }, 'tokens / day'],
    [own.max_parallel_requests, 'running', { window: 'now', hours: 1 }, 'calls at a time'],
  ]
  for (const [amount, measure, window, unit] of rates) {
    if (amount !== null) limits.push(make({ measure, amount, period: window, shown: `${amount} ${unit}` }))
  }
  return limits
}

const amountsByModel = z.record(z.string(), z.unknown())
const modelBudget = z.object({
  budget_limit: real,
  max_budget: real,
  time_period: text,
  budget_duration: text,
})

/** Rates and budgets for single models of a key, a team or a project. */
export const modelLimitsOf = (
  bounded: Pick<Bounded, 'subject' | 'name'>,
  figures: { readonly rpm?: unknown; readonly tpm?: unknown; readonly budgets?: unknown },
  { quotaPerUnit, timeZone }: LimitParts,
): readonly MovedLimit[] => {
  const limits: MovedLimit[] = []
  const entries = (value: unknown): [string, unknown][] => Object.entries(amountsByModel.safeParse(value).data ?? {})
  const rates = [
    [figures.rpm, 'requests'],
    [figures.tpm, 'tokens'],
  ] as const
  for (const [value, measure] of rates) {
    for (const [model, amount] of entries(value)) {
      if (typeof amount !== 'number') continue
      const shown = `${amount} ${measure} / minute`
      limits.push(limitOf(bounded, timeZone, { measure, amount, period: everyMinute, shown, model }))
    }
  }
  for (const [model, value] of entries(figures.budgets)) {
    const budget = modelBudget.safeParse(value).data
    const dollars = budget?.budget_limit ?? budget?.max_budget ?? null
    if (budget === undefined || dollars === null) continue
    const duration = budget.time_period || budget.budget_duration
    const shown = `${dollars} USD${isForGood(duration) ? '' : ` / ${duration}`}`
    const shape = { measure: 'money', amount: unitsOf(dollars, quotaPerUnit), shown, model } as const
    limits.push(limitOf(bounded, timeZone, { ...shape, period: periodOf(duration) ?? once }))
  }
  return limits
}

const window = z.object({ max_budget: real, budget_duration: text })

/** Budgets of several periods at once, which later versions have beside the one budget of a row. */
export const windowBounds = (cell: string): readonly Bounds[] =>
  z
    .array(window)
    .catch([])
    .parse(parseJson(cell))
    .map((one) => ({ ...unbounded, ...one }))

/** Columns of rows that bound single models. */
export const modelBoundColumns = {
  metadata: object,
  model_max_budget: object,
  budget_limits: text,
}
