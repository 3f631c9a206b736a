import { parseObject } from '@tollgate/contract/json'
import type { Attempt, CallCost, LogEntry, LogOther } from '../../lib/api/contract.ts'
import { logType } from '../../lib/api/contract.ts'

const read = new WeakMap<LogEntry, LogOther>()

/** The facts behind a log row; empty where there are none. Read once per row. */
export const otherOf = (log: LogEntry): LogOther => {
  const before = read.get(log)
  if (before) return before
  const other: LogOther = parseObject(log.other)
  read.set(log, other)
  return other
}

/** Rows that tell of a request: consumption, failures, and the untyped rows of older databases. */
export const isRequest = (log: LogEntry): boolean =>
  log.type === logType.consume || log.type === logType.error || log.type === logType.unknown

/** Milliseconds to the first byte; undefined when none was recorded. */
export const firstTokenMs = (log: LogEntry): number | undefined => {
  const { frt } = otherOf(log)
  return frt === undefined || frt < 0 ? undefined : frt
}

/** Milliseconds of the whole request. */
export const totalMs = (log: LogEntry): number => otherOf(log).duration_ms ?? log.use_time * 1000

/** Output tokens per second after the first one; undefined if unknown. */
export const tokensPerSecond = (log: LogEntry): number | undefined => {
  const ms = totalMs(log) - (log.is_stream ? (firstTokenMs(log) ?? 0) : 0)
  return log.completion_tokens > 0 && ms > 0 ? (log.completion_tokens * 1000) / ms : undefined
}

/** Tries of upstreams, in order; only admins get them. */
export const attemptsOf = (log: LogEntry): readonly Attempt[] => otherOf(log).admin_info?.attempts ?? []

/** Channels that were tried: `3 → 7`. */
export const channelPath = (log: LogEntry): string => {
  const { use_channel: used = [], attempts = [] } = otherOf(log).admin_info ?? {}
  const names = new Map(attempts.map(({ channel, channel_name: name }) => [String(channel), name]))
  names.set(String(log.channel), log.channel_name)
  const ids = used.length > 0 ? used.map(String) : log.channel > 0 ? [String(log.channel)] : []
  return ids.map((id) => names.get(id) || `#${id}`).join(' → ')
}

/** Cost of the call at its provider; undefined if unknown. Only admins get it. */
export const upstreamCostOf = (log: LogEntry): CallCost | undefined => otherOf(log).admin_info?.cost

/** Charge less cost; undefined if the cost is unknown. */
export const marginOf = (log: LogEntry): number | undefined => {
  const cost = upstreamCostOf(log)
  return cost && log.quota - cost.quota
}

/** Tokens read from a cache, as the upstream reported them. */
export const cachedTokens = (log: LogEntry): number => otherOf(log).cache_tokens ?? 0

/** The part of the input that was read from a cache, 0 to 1; undefined where nothing was. */
export const cachedShare = (log: LogEntry): number | undefined => {
  const cached = cachedTokens(log)
  return cached > 0 && log.prompt_tokens > 0 ? Math.min(1, cached / log.prompt_tokens) : undefined
}

/** Fields of the request or the answer that the other side has no place for. */
export const lostFields = (log: LogEntry): readonly string[] => {
  const { lost_fields: lost } = otherOf(log)
  return Array.isArray(lost) ? lost.filter((field): field is string => typeof field === 'string') : []
}

export type Pace = 'good' | 'warn' | 'bad'

/** Log time colours: under 101 s good, under 300 s slow, else very slow. */
export const totalPace = (ms: number): Pace => (ms < 101_000 ? 'good' : ms < 300_000 ? 'warn' : 'bad')

/** First token: under 3 s good, under 10 s slow, else very slow. */
export const firstTokenPace = (ms: number): Pace => (ms < 3_000 ? 'good' : ms < 10_000 ? 'warn' : 'bad')
