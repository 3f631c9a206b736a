import type { DifferenceCause } from '@tollgate/contract'
import { completionTokens, noUsage, promptTokens, type Usage } from '#server/billing/usage.ts'
import type { Figures } from '../report.ts'
import type { OwnSide } from './sides.ts'

const writtenOf = (usage: Usage): number => usage.cacheWrite + usage.cacheWrite1h

const promptIn = ({ input, cacheRead, cacheWrite }: Figures): number =>
  (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)

export const statesTokens = ({ input, output }: Figures): boolean => input !== null || output !== null

const share = (tokens: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((tokens * part) / whole)

/** The same use with other sums: every kind of token keeps its share. */
const scaled = (usage: Usage, prompt: number, output: number, calls: number): Usage => {
  const part = (tokens: number): number => share(prompt, tokens, promptTokens(usage))
  const [cacheRead, cacheWrite, cacheWrite1h] = [
    part(usage.cacheRead),
    part(usage.cacheWrite),
    part(usage.cacheWrite1h),
  ]
  const audioInput = part(usage.audioInput)
  const audioOutput = share(output, usage.audioOutput, completionTokens(usage))
  const input = Math.max(0, prompt - cacheRead - cacheWrite - cacheWrite1h - audioInput)
  return {
    ...noUsage,
    input,
    cacheRead,
    cacheWrite,
    cacheWrite1h,
    audioInput,
    output: output - audioOutput,
    audioOutput,
    calls,
  }
}

/** A report's tokens as it splits them; what it does not split keeps the shares of `like`, which has the same sums. */
export const statedUsage = ({ cacheRead: read, cacheWrite: write }: Figures, like: Usage): Usage => {
  const cacheRead = read ?? like.cacheRead
  const written = write ?? writtenOf(like)
  const cacheWrite1h = share(written, like.cacheWrite1h, writtenOf(like))
  const input = Math.max(0, promptTokens(like) - cacheRead - written - like.audioInput)
  return { ...like, input, cacheRead, cacheWrite: written - cacheWrite1h, cacheWrite1h }
}

/** A report's tokens where the log has nothing to compare them with. */
export const reportedUsage = (figures: Figures): Usage =>
  statedUsage(figures, scaled(noUsage, promptIn(figures), figures.output ?? 0, figures.calls ?? 1))

export const withoutCacheReads = (usage: Usage): Usage => ({
  ...usage,
  input: usage.input + usage.cacheRead,
  cacheRead: 0,
})

/** The log's usage at the report's volume, and the cause of the difference in volume. */
export interface Volume {
  readonly usage: Usage
  /** Undefined where they are the same. */
  readonly cause: DifferenceCause | undefined
  /** Calls that only one side has; undefined where the report counts none. */
  readonly calls: number | undefined
}

/** A report states calls, tokens or both; without tokens they follow the calls. */
export const volumeOf = ({ usage, calls }: OwnSide, figures: Figures): Volume => {
  const theirCalls = figures.calls ?? calls
  const follow = (tokens: number): number => share(theirCalls, tokens, calls)
  const [ownPrompt, ownOutput] = [promptTokens(usage), completionTokens(usage)]
  const prompt = statesTokens(figures) ? promptIn(figures) : follow(ownPrompt)
  const output = statesTokens(figures) ? (figures.output ?? ownOutput) : follow(ownOutput)
  const callDelta = figures.calls === null ? undefined : figures.calls - calls
  const tokenDelta = prompt - ownPrompt + (output - ownOutput)
  if (!callDelta && prompt === ownPrompt && output === ownOutput) return { usage, cause: undefined, calls: undefined }
  const atTheirs = scaled(usage, prompt, output, theirCalls)
  if (callDelta === 0) return { usage: atTheirs, cause: 'tokens_differ', calls: undefined }
  const isMore = (callDelta ?? tokenDelta) > 0
  return {
    usage: atTheirs,
    cause: isMore ? 'missing_here' : 'missing_there',
    calls: callDelta === undefined ? undefined : Math.abs(callDelta),
  }
}

/** With another volume, a report with less than this part of the expected cached tokens is taken to ignore the cache. */
const ignoredPart = 0.5

/** Why a report that splits its prompts splits them in another way than the log. */
export const splitCause = ({ cacheRead, cacheWrite }: Figures, volume: Volume): DifferenceCause | undefined => {
  const expected = volume.usage.cacheRead
  const isSame = volume.cause === undefined
  if (cacheRead !== null && cacheRead < expected * (isSame ? 1 : ignoredPart)) return 'cache_ignored'
  if (!isSame) return undefined
  if (cacheRead !== null && cacheRead > expected) return 'tokens_differ'
  return cacheWrite !== null && cacheWrite !== writtenOf(volume.usage) ? 'tokens_differ' : undefined
}
