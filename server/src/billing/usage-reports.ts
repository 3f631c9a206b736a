import { ownMember } from '@tollgate/contract/own-member'
import { unknownSize } from './tables/model-sizes.ts'
import { completionTokens, noUsage, promptTokens, type Usage } from './usage.ts'

/** The most tokens that an answer can report and be believed at once. */
export interface UsageLimits {
  readonly prompt: number
  readonly completion: number
}

/** Limits where neither the call nor the model is known. */
export const widestLimits: UsageLimits = { prompt: unknownSize.context, completion: unknownSize.output }

const withPrompt = (usage: Usage, { input, cacheRead, cacheWrite, cacheWrite1h, audioInput }: Usage): Usage => ({
  ...usage,
  input,
  cacheRead,
  cacheWrite,
  cacheWrite1h,
  audioInput,
})

const withCompletion = (usage: Usage, { output, audioOutput, reasoning }: Usage): Usage => ({
  ...usage,
  output,
  audioOutput,
  reasoning,
})

const mostTools = (one: Usage['tools'], other: Usage['tools']): Usage['tools'] => {
  if (one === undefined || other === undefined) return one ?? other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map((name) => [name, Math.max(ownMember(one, name) ?? 0, ownMember(other, name) ?? 0)]),
  )
}

/** The larger prompt and the larger completion of two reports on one answer; where they are equal, the later one. */
const larger = (before: Usage, now: Usage): Usage => {
  const prompt = promptTokens(now) >= promptTokens(before)
  const completion = completionTokens(now) >= completionTokens(before)
  const isPlain = before.tools === undefined && before.tier === undefined && before.disputed === undefined
  if (prompt && completion && isPlain) return now
  const tokens = withCompletion(withPrompt(now, prompt ? now : before), completion ? now : before)
  const tools = mostTools(before.tools, now.tools)
  const tier = now.tier ?? before.tier
  const disputed = now.disputed === undefined ? before.disputed : { ...before.disputed, ...now.disputed }
  return {
    ...tokens,
    ...(tools === undefined ? {} : { tools }),
    ...(tier === undefined ? {} : { tier }),
    ...(disputed === undefined ? {} : { disputed }),
  }
}

/**
 * What an upstream reports of one answer, once or many times. Reports are cumulative in every dialect, so the largest is the
 * last one of a stream that is sound, and a smaller one that follows takes nothing back. Prompts and completions beyond the
 * limits are kept apart, since only a count of the call can say whether they can be.
 */
export class UsageReports {
  /** The best of what is within the limits; undefined while nothing was reported. */
  best: Usage | undefined
  /** The largest prompt and completion beyond the limits; 0 where there was none. undefined when all was within. */
  doubted: Usage | undefined
  private readonly limits: UsageLimits

  constructor(limits: UsageLimits) {
    this.limits = limits
  }

  note(usage: Usage | undefined): void {
    if (usage === undefined) return
    const isPrompt = promptTokens(usage) <= this.limits.prompt
    const isCompletion = completionTokens(usage) <= this.limits.completion
    if (isPrompt && isCompletion) {
      this.best = this.best === undefined ? usage : larger(this.best, usage)
      return
    }
    const { disputed: _, tools: __, tier: ___, ...tokens } = usage
    const within = withCompletion(withPrompt(usage, isPrompt ? usage : noUsage), isCompletion ? usage : noUsage)
    const beyond = withCompletion(withPrompt(tokens, isPrompt ? noUsage : usage), isCompletion ? noUsage : usage)
    this.best = this.best === undefined ? within : larger(this.best, within)
    this.doubted = this.doubted === undefined ? beyond : larger(this.doubted, beyond)
  }
}

/** What can be beside a count made here: tokenizers differ, and providers add prompts of their own. */
const plausibleBeside = (counted: number): number => counted * 10 + 10_000

/**
 * Decides about reports beyond the limits by what was counted here: `best` with a doubted prompt or completion where the
 * count makes it possible, else with the count where nothing better was reported. `estimated` when a count is part of it. What
 * is refused stands in `disputed`.
 */
export const resolveDoubt = (
  { best: kept = noUsage, doubted }: { readonly best: Usage | undefined; readonly doubted: Usage },
  counted: Usage,
): { usage: Usage; estimated: boolean } => {
  let usage = kept
  let estimated = false
  const disputed: Record<string, number> = {}
  const prompt = promptTokens(doubted)
  if (prompt > 0 && prompt <= plausibleBeside(promptTokens(counted))) usage = withPrompt(usage, doubted)
  else if (prompt > 0) disputed.prompt_tokens = prompt
  const completion = completionTokens(doubted)
  if (completion > 0 && completion <= plausibleBeside(completionTokens(counted))) usage = withCompletion(usage, doubted)
  else if (completion > 0) disputed.completion_tokens = completion
  if (promptTokens(usage) === 0 && promptTokens(counted) > 0) {
    usage = withPrompt(usage, counted)
    estimated = true
  }
  if (completionTokens(usage) === 0 && completionTokens(counted) > 0) {
    usage = withCompletion(usage, counted)
    estimated = true
  }
  return { usage: withDisputed(usage, disputed), estimated }
}

/** Adds figures that were reported and are not billed. */
export const withDisputed = (usage: Usage, figures: Readonly<Record<string, number>>): Usage =>
  Object.keys(figures).length === 0 ? usage : { ...usage, disputed: { ...usage.disputed, ...figures } }
