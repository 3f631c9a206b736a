import type { MissCause } from '@tollgate/contract'
import type { PromptPrint } from './prompt-print.ts'
import type { SessionTrace } from './session-route.ts'

/** A miss, for the record of its call. */
export interface RecordedMiss {
  readonly cause: MissCause
  /** Prompt tokens that the cache could have had. */
  readonly tokens: number
  /** Whole minutes since the session's last call; where the cause is `expired`. */
  readonly minutes?: number
  /** Number of the turn that differs, from 1; where a turn was edited. */
  readonly turn?: number
}

/** One call of a session, as far as caches are concerned. */
export interface CachedCall {
  readonly model: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly promptTokens: number
  /** Tokens below which the model's provider caches no prompt. */
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

/** Anthropic and OpenAI keep prompts five minutes and longer. */
const shortestLife = 300_000
const paidLife = 3_600_000
/** Providers cache in steps, and the last answer is not in it: so many tokens less are no miss. */
const slack = 1024
/** Of what could have been read: a miss is less than this. */
const share = 0.8

/** Prompt tokens that a call could have read from the cache and did not; 0 where it read what was to be expected. */
export const missedTokens = (before: CachedFigures, now: CachedFigures): number => {
  // A provider that neither read nor wrote may have no cache.
  const possible = Math.min(before.promptTokens, now.promptTokens)
  if (before.cached + before.written === 0 || possible < now.minimum) return 0
  const missed = possible - now.cached
  return missed > slack || now.cached === 0 ? (now.cached < possible * share ? missed : 0) : 0
}

/**
 * A prompt that is too short for any cache, of a session that had one there or whose model is known to have caches: the one
 * miss that costs nothing, whatever else changed.
 */
export const isTooShort = (before: CachedFigures, now: CachedFigures, isKnownToCache: boolean): boolean =>
  now.cached + now.written === 0 &&
  now.promptTokens < now.minimum &&
  (isKnownToCache || before.cached + before.written > 0)

const differing = (before: Int32Array, now: Int32Array): number => {
  for (let index = 0; index < before.length; index += 1) if (before[index] !== now[index]) return index
  return -1
}

/** What broke the beginning of the prompt: the first difference in the order in which providers cache. */
const changeOf = (before: PromptPrint, now: PromptPrint): Pick<RecordedMiss, 'cause' | 'turn'> | undefined => {
  if (before.tools !== now.tools)
    return { cause: before.sortedTools === now.sortedTools ? 'tools_order' : 'tools_changed' }
  if (before.instructions !== now.instructions)
    return { cause: before.plainInstructions === now.plainInstructions ? 'instructions_time' : 'instructions_changed' }
  const turn = differing(before.turns, now.turns)
  if (turn !== -1) {
    // What comes last may be taken back; compaction takes much of it.
    return now.turns.length < before.turns.length
      ? { cause: 'turns_removed' }
      : { cause: 'turn_edited', turn: turn + 1 }
  }
  return before.effort === now.effort ? undefined : { cause: 'effort_changed' }
}

/** The cause of a miss. `trace` is how the call went with its session. */
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
