import type { CallMeasures, FinishedCall } from '../../relay/ports.ts'
import { countDuration, type Histogram } from '../speed/histogram.ts'

/** Calls of a batch that differ only in their figures. All sums are built from these groups. */
export interface CallGroup {
  /** One of them. */
  readonly like: FinishedCall
  /** Start of their hour, in unix seconds. */
  readonly hour: number
  charges: number
  failures: number
  /** Charges with any tokens or quota; others are logged but not counted. */
  requests: number
  /** Quota units. */
  quota: number
  /** Quota units that calls cost whose cost is known, how many these are, and what was charged for them. */
  cost: number
  costedCharges: number
  costedQuota: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  reasoningTokens: number
  /** Prompt tokens that a cache could have had and had not; quota units that caches saved, and that these misses cost. */
  missedTokens: number
  cacheSaved: number
  cacheLost: number
  /** Completion tokens of streams, and milliseconds from their first contents to their ends. */
  timedTokens: number
  timedMs: number
  /** How long answers took to their first contents and to their ends; absent where none was timed. */
  speed?: { readonly first: Histogram; readonly total: Histogram }
  /** Unix seconds. */
  lastAt: number
}

/** The full hour of a time; both in unix seconds. */
export const hourOf = (seconds: number): number => seconds - (seconds % 3600)

const isLike = ({ like, hour }: CallGroup, record: FinishedCall, at: number): boolean =>
  hour === at &&
  like.tokenId === record.tokenId &&
  like.userId === record.userId &&
  like.channelId === record.channelId &&
  like.model === record.model &&
  like.group === record.group &&
  like.tokenName === record.tokenName &&
  like.username === record.username

const count = (group: CallGroup, record: FinishedCall, seconds: number): void => {
  if (record.kind === 'error') {
    group.failures += record.times ?? 1
    return
  }
  group.charges += 1
  if (record.quota > 0 || record.promptTokens + record.completionTokens > 0) group.requests += 1
  group.quota += record.quota
  if (record.cost !== undefined) {
    group.cost += record.cost
    group.costedCharges += 1
    group.costedQuota += record.quota
  }
  group.promptTokens += record.promptTokens
  group.completionTokens += record.completionTokens
  if (record.measures !== undefined) measure(group, record, record.measures)
  if (seconds > group.lastAt) group.lastAt = seconds
}

/** Completion tokens of a stream and the milliseconds from its first content to its end; none where it was not measured or left. */
export const timedPart = ({ aborted, completionTokens, measures }: FinishedCall): { tokens: number; ms: number } => {
  const { totalMs, firstMs } = measures ?? {}
  const isTimed = aborted !== true && totalMs !== undefined && firstMs !== undefined && totalMs > firstMs
  if (!isTimed || completionTokens === 0) return { tokens: 0, ms: 0 }
  return { tokens: completionTokens, ms: Math.max(1, Math.round(totalMs - firstMs)) }
}

const measure = (group: CallGroup, record: FinishedCall, measures: CallMeasures): void => {
  const { totalMs, firstMs } = measures
  group.cachedTokens += measures.cached
  group.cacheWriteTokens += measures.cacheWrite
  group.reasoningTokens += measures.reasoning
  group.missedTokens += measures.missed ?? 0
  group.cacheSaved += measures.cacheSaved ?? 0
  group.cacheLost += measures.cacheLost ?? 0
  // An aborted call has no complete latency.
  if (totalMs === undefined || record.aborted === true) return
  group.speed ??= { first: new Map(), total: new Map() }
  countDuration(group.speed.total, totalMs)
  if (firstMs === undefined) return
  countDuration(group.speed.first, firstMs)
  const timed = timedPart(record)
  group.timedTokens += timed.tokens
  group.timedMs += timed.ms
}

export const noFigures = {
  charges: 0,
  failures: 0,
  requests: 0,
  quota: 0,
  cost: 0,
  costedCharges: 0,
  costedQuota: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  missedTokens: 0,
  cacheSaved: 0,
  cacheLost: 0,
  timedTokens: 0,
  timedMs: 0,
  lastAt: 0,
} as const

/** Runs for every call: most are like the one before, and names are compared, never joined to a key. */
export const groupCalls = (records: readonly FinishedCall[]): readonly CallGroup[] => {
  const groups: CallGroup[] = []
  const byCaller = new Map<number, Map<string, CallGroup[]>>()

  const groupOf = (record: FinishedCall, hour: number): CallGroup => {
    // Calls without a key are their user's.
    const caller = record.tokenId === 0 ? -record.userId : record.tokenId
    const models = byCaller.get(caller) ?? new Map<string, CallGroup[]>()
    byCaller.set(caller, models)
    const near = models.get(record.model) ?? []
    models.set(record.model, near)
    const found = near.find((group) => isLike(group, record, hour))
    if (found !== undefined) return found
    const fresh: CallGroup = { like: record, hour, ...noFigures }
    near.push(fresh)
    groups.push(fresh)
    return fresh
  }

  let last: CallGroup | undefined
  for (const record of records) {
    const seconds = Math.floor(record.at / 1000)
    const hour = hourOf(seconds)
    if (last === undefined || !isLike(last, record, hour)) last = groupOf(record, hour)
    count(last, record, seconds)
  }
  return groups
}
