import type { MatchedCalls, NamedCause, ReconciledDay, ReconciledSide } from '@tollgate/contract'
import { add, decimal, print, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { promptTokens } from '#server/billing/usage.ts'
import { memoize } from '#server/lib/memoize.ts'
import type { ListCostOf } from '../list-cost.ts'
import { modelKey } from '../model-key.ts'
import type { OwnUsage } from '../own-usage.ts'
import { dayOf, type Figures, hourSeconds, type Period, type ReportLine } from '../report.ts'
import { minus } from './amounts.ts'
import { findCauses } from './causes.ts'
import { findDayBoundary, ownOfDay } from './day-boundary.ts'
import { type OwnSide, ownSide, type TheirSide, theirSide } from './sides.ts'

/** A comparison of one model on one day, and the key under which both sides meet. */
export interface Compared {
  readonly key: string
  readonly day: ReconciledDay
}

const printed = (amount: Decimal | null | undefined): string | null =>
  amount === null || amount === undefined ? null : print(amount)

export const shownOwn = ({ calls, usage, cost }: OwnSide): ReconciledSide => ({
  calls,
  input: usage.input + usage.audioInput,
  cache_read: usage.cacheRead,
  cache_write: usage.cacheWrite + usage.cacheWrite1h,
  output: usage.output + usage.audioOutput,
  cost: printed(cost),
})

export const shownTheirs = ({ calls, input, cacheRead, cacheWrite, output, cost }: Figures): ReconciledSide => ({
  calls,
  input,
  cache_read: cacheRead,
  cache_write: cacheWrite,
  output,
  cost: printed(cost),
})

/** Splits the prompt as the report does if rows of the log are deleted. */
const withTheirSplit = (parts: readonly OwnUsage[], { input, cacheRead, cacheWrite }: Figures): readonly OwnUsage[] => {
  const prompt = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
  if (prompt === 0 || cacheRead === null) return parts
  return parts.map((part) => {
    if (part.detailed) return part
    const all = promptTokens(part.usage)
    const read = Math.round((all * cacheRead) / prompt)
    const written = Math.round((all * (cacheWrite ?? 0)) / prompt)
    return { ...part, usage: { ...part.usage, input: all - read - written, cacheRead: read, cacheWrite: written } }
  })
}

type Groups<T> = Map<string, { readonly at: number; readonly key: string; readonly items: T[] }>

const grouped = <T>(items: readonly T[], placeOf: (item: T) => { at: number; key: string }): Groups<T> => {
  const groups: Groups<T> = new Map()
  for (const item of items) {
    const place = placeOf(item)
    const name = `${place.at}\0${place.key}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { ...place, items: [item] })
    else group.items.push(item)
  }
  return groups
}

/** A report has thousands of lines and few models. */
const memoizedKey = memoize(1_000, modelKey)

/** Charges of no model have a place of their own on each day. */
export const keyOf = (model: string): string => (model === '' ? '' : memoizedKey(model))

export interface ToCompare {
  readonly lines: readonly ReportLine[]
  /** With the hours around the period, which may stand on its days in another time zone. */
  readonly own: readonly OwnUsage[]
  readonly listCostOf: ListCostOf
  /** Hours by which the report's days begin before those of UTC; 0 when absent. */
  readonly offset?: number
}

/** Compares a report with the log by model and day of the report, the newest day and the largest cost first. */
export const compareReport = (
  { lines, own, listCostOf, offset = 0 }: ToCompare,
  period: Period,
): readonly Compared[] => {
  const inPeriod = lines.filter(({ day }) => day >= period.from && day <= period.until)
  const theirs = grouped(inPeriod, ({ day, model }) => ({ at: day, key: keyOf(model) }))
  const dayIn = (at: number): number => dayOf(at + offset * hourSeconds)
  const inDays = own.filter(({ at }) => dayIn(at) >= period.from && dayIn(at) <= period.until)
  const ours = grouped(inDays, ({ at, upstreamModel }) => ({ at: dayIn(at), key: keyOf(upstreamModel) }))
  const places = new Map([...ours, ...theirs].map(([name, { at, key }]) => [name, { at, key }] as const))
  const boundaryOf = boundaries([...places.values()], theirs, own, offset)
  const compared = [...places].map(([name, { at, key }]): Compared => {
    const their = theirSide(theirs.get(name)?.items ?? [])
    const parts = withTheirSplit(ours.get(name)?.items ?? [], their.figures)
    const side = ownSide(parts, their.models, listCostOf, at)
    const boundary = boundaryOf(key)
    const shifted = boundary === undefined ? undefined : ownOfDay(boundary.own, at, boundary.offset)
    const moved = shifted && ownSide(withTheirSplit(shifted, their.figures), their.models, listCostOf, at)
    const causes =
      boundary === undefined || moved === undefined
        ? findCauses(side, their)
        : boundaryCauses(side, moved, their, boundary.offset)
    return {
      key,
      day: {
        day: at,
        model: side.models[0] ?? their.models[0] ?? '',
        ours: shownOwn(side),
        theirs: shownTheirs(their.figures),
        difference: printed(differenceOf(side, their.figures.cost, their.lines)),
        causes: [...causes],
        lines: their.lines,
        detailed: side.detailed,
      },
    }
  })
  return compared.toSorted((left, right) => right.day.day - left.day.day || sizeOf(right.day) - sizeOf(left.day))
}

/** For each model, the days that the report has it by, where they are those of another time zone. */
const boundaries = (
  places: readonly { readonly at: number; readonly key: string }[],
  theirs: Groups<ReportLine>,
  own: readonly OwnUsage[],
  offset: number,
) => {
  const found = new Map<string, { own: readonly OwnUsage[]; offset: number } | undefined>()
  for (const key of new Set(places.map((place) => place.key))) {
    if (key === '') continue
    const ofModel = own.filter(({ upstreamModel }) => keyOf(upstreamModel) === key)
    const days = places
      .filter((place) => place.key === key)
      .map(({ at }) => ({ at, ...theirSide(theirs.get(`${at}\0${key}`)?.items ?? []) }))
    const other = findDayBoundary(ofModel, days, offset)
    if (other !== undefined) found.set(key, { own: ofModel, offset: other })
  }
  return (key: string) => found.get(key)
}

/** Effect of a shifted day boundary, and then the causes of differences within the same days. */
const boundaryCauses = (own: OwnSide, moved: OwnSide, their: TheirSide, hours: number): readonly NamedCause[] => {
  const calls = Math.abs(moved.calls - own.calls)
  const rest = moved.calls === 0 && their.lines === 0 ? [] : findCauses(moved, their)
  const amount = minus(moved.cost ?? zero, own.cost ?? zero)
  // As many calls may come from one neighbour as go to the other.
  if (calls === 0 && amount.digits === 0n) return rest
  return [{ cause: 'day_boundary', amount: print(amount), ...(calls === 0 ? {} : { calls }), hours }, ...rest]
}

const differenceOf = ({ cost }: OwnSide, theirs: Decimal | null, lines: number): Decimal | null => {
  if (cost === undefined || (theirs === null && lines > 0)) return null
  return minus(theirs ?? zero, cost)
}

const sizeOf = ({ ours, theirs }: ReconciledDay): number => Math.max(Number(ours.cost ?? 0), Number(theirs.cost ?? 0))

/** Sums of a whole comparison. */
export interface Summary {
  readonly ours_cost: string
  readonly theirs_cost: string
  readonly difference: string
  readonly causes: readonly NamedCause[]
  /** Null where a report does not name single calls. */
  readonly calls: MatchedCalls | null
}

const total = (amounts: readonly (string | null)[]): string =>
  print(amounts.reduce((sum, amount) => add(sum, decimal(amount ?? '0')), zero))

/** Adds up the causes of all days, the largest amount first. */
const summedCauses = (days: readonly ReconciledDay[]): NamedCause[] => {
  const sums = new Map<NamedCause['cause'], { amount: Decimal; calls: number }>()
  for (const { cause, amount, calls = 0 } of days.flatMap((day) => day.causes)) {
    const sum = sums.get(cause) ?? { amount: zero, calls: 0 }
    sums.set(cause, { amount: add(sum.amount, decimal(amount)), calls: sum.calls + calls })
  }
  return [...sums]
    .map(([cause, { amount, calls }]) => ({ cause, amount: print(amount), ...(calls === 0 ? {} : { calls }) }))
    .toSorted((left, right) => Math.abs(Number(right.amount)) - Math.abs(Number(left.amount)))
}

export const summaryOf = (days: readonly ReconciledDay[], calls: MatchedCalls | null = null): Summary => ({
  ours_cost: total(days.map(({ ours }) => ours.cost)),
  theirs_cost: total(days.map(({ theirs }) => theirs.cost)),
  difference: total(days.map(({ difference }) => difference)),
  causes: summedCauses(days),
  calls,
})
