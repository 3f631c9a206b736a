import type { MissCause } from '@tollgate/contract'
import type { PromptPrint } from './prompt-print.ts'
import type { SessionTrace } from './session-route.ts'

/** A miss, for the record of its call. */
export interface RecordedMiss {
  readonly cause: MissCause
  /** Prompt tokens that the cache could have contained. */
  readonly tokens: number
  /** Whole minutes since the session's last call; where the cause is `expired`. */
  readonly minutes?: number
  /** Number of the turn that differs, from 1; where a turn was edited. */
  readonly turn?: number
}

/** Cache facts of one call of a session. */
export interface CachedCall {
  readonly model: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly promptTokens: number
  /** Tokens below which the model's provider does not cache a prompt. */
  readonly minimum: number
  /** Read from the cache. */
  readonly cached: number
  /** Written to it. */
  readonly written: number
  /** True if the client paid for an hour in the cache; the provider's usual time otherwise. */
  readonly forAnHour: boolean
  readonly print: PromptPrint
}

export type CachedFigures = Omit<CachedCall, 'print' | 'forAnHour'>

/** Milliseconds. Anthropic and OpenAI cache prompts for five minutes and longer. */
const shortestLife = 300_000
const paidLife = 3_600_000
/** Tokens. Providers cache in steps, and without the last answer: a smaller difference is no miss. */
const slack = 1024
/** A miss reads less than this share of the possible tokens. */
const share = 0.8

/** Missed prompt tokens of a call; 0 where it read the expected amount. */
export const missedTokens = (before: CachedFigures, now: CachedFigures): number => {
  // A provider that neither read nor wrote may have no cache.
  const possible = Math.min(before.promptTokens, now.promptTokens)
  if (before.cached + before.written === 0 || possible < now.minimum) return 0
  const missed = possible - now.cached
  return missed > slack || now.cached === 0 ? (now.cached < possible * share ? missed : 0) : 0
}

/**
 * True for a prompt below the provider's minimum, in a session that used its cache or for a model with a known one: the only free miss,
 * whatever else changed.
 */
export const isTooShort = (before: CachedFigures, now: CachedFigures, isKnownToCache: boolean): boolean =>
  now.cached + now.written === 0 &&
  now.promptTokens < now.minimum &&
  (isKnownToCache || before.cached + before.written > 0)

const differing = (before: Int32Array, now: Int32Array): number => {
  for (let index = 0; index < before.length; index += 1) if (before[index] !== now[index]) return index
  return -1
}

/** The first difference between two prompts in the order in which providers cache. */
const changeOf = (before: PromptPrint, now: PromptPrint): Pick<RecordedMiss, 'cause' | 'turn'> | undefined => {
  if (before.tools !== now.tools)
    return { cause: before.sortedTools === now.sortedTools ? 'tools_order' : 'tools_changed' }
  if (before.instructions !== now.instructions)
    return { cause: before.plainInstructions === now.plainInstructions ? 'instructions_time' : 'instructions_changed' }
  const turn = differing(before.turns, now.turns)
  if (turn !== -1) {
    // The last turns may be removed; compaction removes many.
    return now.turns.length < before.turns.length
      ? { cause: 'turns_removed' }
      : { cause: 'turn_edited', turn: turn + 1 }
  }
  return before.effort === now.effort ? undefined : { cause: 'effort_changed' }
}

/** Cause of a miss. `trace` is the session routing of the call. */
export const missOf = (before: CachedCall, now: CachedCall, trace: SessionTrace, tokens: number): RecordedMiss => {
  if (trace.state === 'moved') return { cause: 'moved', tokens }
  if (before.model !== now.model) return { cause: 'model_changed', tokens }
  const change = changeOf(before.print, now.print)
  if (change !== undefined) return { ...change, tokens }
  const silent = now.at - before.at
  if (silent >= (before.forAnHour ? paidLife : shortestLife))
    return { cause: 'expired', tokens, minutes: Math.floor(silent / 60_000) }
  return { cause: 'unknown', tokens }
}
