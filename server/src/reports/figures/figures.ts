import { type Histogram, mergeInto, quantile } from '../../ledger/speed/histogram.ts'

/** Sums of calls. */
export interface FigureSums {
  /** Answered and failed calls. */
  readonly answered: number
  readonly failures: number
  /** Quota units. */
  readonly quota: number
  readonly prompt: number
  readonly completion: number
  /** Parts of prompt and completion. */
  readonly cached: number
  readonly cacheWrite: number
  readonly reasoning: number
  /** Prompt tokens that a cache could have had and had not; quota units that caches saved, and that these misses cost. */
  readonly missed: number
  readonly cacheSaved: number
  readonly cacheLost: number
  /** Completion tokens of streams, and milliseconds from their first contents to their ends. */
  readonly timedTokens: number
  readonly timedMs: number
  /** Cost in quota units of calls with a known cost, their number, and their charges. */
  readonly cost: number
  readonly costedCount: number
  readonly costedQuota: number
}

/** The figures of some calls: sums, and how long they took to their first contents and to their ends. */
export interface CallFigures {
  readonly sums: FigureSums
  readonly first: Histogram
  readonly total: Histogram
}

export const noSums: FigureSums = {
  answered: 0,
  failures: 0,
  quota: 0,
  prompt: 0,
  completion: 0,
  cached: 0,
  cacheWrite: 0,
  reasoning: 0,
  missed: 0,
  cacheSaved: 0,
  cacheLost: 0,
  timedTokens: 0,
  timedMs: 0,
  cost: 0,
  costedCount: 0,
  costedQuota: 0,
}

/** Empty figures. */
export const noFigures = (): CallFigures => ({ sums: noSums, first: new Map(), total: new Map() })

const names = Object.keys(noSums) as readonly (keyof FigureSums)[]

/** Figures of several parts together, or of a whole without a part (`sign` -1). */
export const plusFigures = (one: CallFigures, other: CallFigures, sign: 1 | -1 = 1): CallFigures => {
  const sums: Record<keyof FigureSums, number> = { ...one.sums }
  for (const name of names) sums[name] += sign * other.sums[name]
  const first: Histogram = new Map()
  const total: Histogram = new Map()
  mergeInto(first, one.first)
  mergeInto(first, other.first, sign)
  mergeInto(total, one.total)
  mergeInto(total, other.total, sign)
  return { sums, first, total }
}

/** A share of figures, as though calls were spread evenly. */
export const timesFigures = (figures: CallFigures, share: number): CallFigures => {
  const sums: Record<keyof FigureSums, number> = { ...figures.sums }
  for (const name of names) sums[name] *= share
  const first: Histogram = new Map()
  const total: Histogram = new Map()
  mergeInto(first, figures.first, share)
  mergeInto(total, figures.total, share)
  return { sums, first, total }
}

/** Calls that were answered, and those that failed and were logged. */
export const callsOf = ({ sums }: CallFigures): number => Math.max(0, sums.answered) + Math.max(0, sums.failures)

const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? Math.max(0, part) / whole : undefined)

/** Share of the prompts that was read from a cache, of 1. */
export const cacheShare = ({ sums }: CallFigures): number | undefined => ratio(sums.cached, sums.prompt)

/** Share of the calls that failed, of 1. */
export const errorShare = (figures: CallFigures): number | undefined => ratio(figures.sums.failures, callsOf(figures))

/** Completion tokens per second of streams, from their first contents on. */
export const outputSpeed = ({ sums }: CallFigures): number | undefined => ratio(sums.timedTokens * 1000, sums.timedMs)

/** Milliseconds to the first content of streams that `share` of them do not exceed. */
export const firstWithin = ({ first }: CallFigures, share: number): number | undefined => quantile(first, share)

/** Milliseconds within which so large a share of the answers ended. */
export const totalWithin = ({ total }: CallFigures, share: number): number | undefined => quantile(total, share)
