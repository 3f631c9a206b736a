import { ownMember } from '@tollgate/contract/own-member'
import { withoutTotal } from './declared/unexplained-total.ts'
import { boundedModels } from './named-models/plausible-models.ts'
import { laterStated } from './stated/stated-costs.ts'
import { unknownSize } from './tables/model-sizes.ts'
import {
  completionTokens,
  type MoreTokens,
  mergedUnknown,
  noUsage,
  promptTokens,
  type Usage,
  withMore,
} from './usage.ts'

/** The largest prompt and completion, in tokens, that are accepted from a report without a count of our own. */
export interface UsageLimits {
  readonly prompt: number
  readonly completion: number
  /** False for a completion above the maximum that the call itself has set; absent where it has set none. */
  readonly allows?: ((usage: Usage) => boolean) | undefined
  /** False for a prompt that is longer than what was sent can be; absent where more than that is read. */
  readonly fits?: ((usage: Usage) => boolean) | undefined
  /** True only for reports that are certainly within the limits, without computing these; absent where no such check exists. */
  readonly isSure?: (usage: Usage) => boolean
}

/** A report that is not believed as it is. */
export interface Doubted extends Usage {
  /** The completion is above the maximum that the call has set, so that nothing but the answer itself can explain it. */
  readonly isAboveMaximum?: true
}

/** Limits for calls of which neither the size nor the model is known. */
export const widestLimits: UsageLimits = { prompt: unknownSize.context, completion: unknownSize.output }

/** The prompt parts of one and the completion parts of another. */
const moreOf = (prompt: MoreTokens = {}, completion: MoreTokens = {}): Pick<Usage, 'more'> => {
  const { image_output: _, video_output: __, ...read } = prompt
  const { image_output = 0, video_output = 0 } = completion
  return withMore({ ...read, image_output, video_output })
}

/** Measures belong to the prompt: sound, characters, pages and searches are what the client sent. */
const withPrompt = (usage: Usage, from: Usage): Usage => {
  const { more, measures: _, ...rest } = usage
  const { input, cacheRead, cacheWrite, cacheWrite1h, audioInput, measures } = from
  const tokens = { ...rest, input, cacheRead, cacheWrite, cacheWrite1h, audioInput }
  return { ...tokens, ...moreOf(from.more, more), ...(measures === undefined ? {} : { measures }) }
}

const withCompletion = ({ more, ...usage }: Usage, from: Usage): Usage => {
  const { output, audioOutput, reasoning } = from
  return { ...usage, output, audioOutput, reasoning, ...moreOf(more, from.more) }
}

type Counts = Readonly<Record<string, number>>

const mostCounts = (one: Counts | undefined, other: Counts | undefined): Counts | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map((name) => [name, Math.max(ownMember(one, name) ?? 0, ownMember(other, name) ?? 0)]),
  )
}

/** The larger prompt and the larger completion of two reports on one answer; of equal ones, the later. */
const larger = (before: Usage, now: Usage): Usage => {
  const prompt = promptTokens(now) >= promptTokens(before)
  const completion = completionTokens(now) >= completionTokens(before)
  const models = now.models ?? before.models
  // The counts are of another model now: earlier ones are unrelated.
  if (models?.served !== before.models?.served) return { ...now, ...extrasOfBoth(before, now) }
  const isPlain =
    before.models === undefined &&
    before.tools === undefined &&
    before.tier === undefined &&
    before.place === undefined &&
    before.disputed === undefined &&
    before.measures === undefined &&
    before.unknown === undefined &&
    before.stated === undefined
  if (prompt && completion && isPlain) return now
  const tokens = withCompletion(withPrompt(now, prompt ? now : before), completion ? now : before)
  return { ...tokens, ...extrasOfBoth(before, now), ...(models === undefined ? {} : { models }) }
}

/** Merges the members of two reports on one answer, tokens excepted. */
const extrasOfBoth = (before: Usage, now: Usage): Partial<Usage> => {
  const tools = mostCounts(before.tools, now.tools)
  const measures = mostCounts(before.measures, now.measures)
  const tier = now.tier ?? before.tier
  const place = now.place ?? before.place
  const disputed = now.disputed === undefined ? before.disputed : { ...before.disputed, ...now.disputed }
  const earlier = withoutTotal(before.unknown)
  const unknown =
    earlier === undefined || now.unknown === undefined
      ? (now.unknown ?? earlier)
      : mergedUnknown(earlier, now.unknown, Math.max)
  const stated = laterStated(before.stated, now.stated)
  return {
    ...(stated === undefined ? {} : { stated }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(tools === undefined ? {} : { tools }),
    ...(measures === undefined ? {} : { measures }),
    ...(tier === undefined ? {} : { tier }),
    ...(place === undefined ? {} : { place }),
    ...(disputed === undefined ? {} : { disputed }),
  }
}

/**
 * Collects the usage reports of one answer. Reports are cumulative in every dialect, so the largest one counts, and a smaller later one
 * is ignored. Counts beyond the limits are set aside until the call is counted (`resolveDoubt`).
 */
export class UsageReports {
  /** The largest counts within the limits; undefined while nothing was reported. */
  best: Usage | undefined
  /** True if the last report that states a tier states the standard one, which has no name in a usage. */
  isStandard = false
  private beyond: Usage | undefined
  private isAboveMaximum = false
  private readonly limits: UsageLimits

  constructor(limits: UsageLimits) {
    this.limits = limits
  }

  /** The largest counts beyond the limits, 0 where there was none; undefined when all were within. */
  get doubted(): Doubted | undefined {
    return this.beyond !== undefined && this.isAboveMaximum ? { ...this.beyond, isAboveMaximum: true } : this.beyond
  }

  /** `isStandard` tells a report that states the standard tier from one that states none, which leaves the tier of those before. */
  note(usage: Usage | undefined, isStandard = false): void {
    if (usage === undefined) return
    this.merge(usage)
    if (usage.tier !== undefined) this.isStandard = false
    else if (isStandard) this.isStandard = true
    if (!this.isStandard || this.best?.tier === undefined) return
    const { tier: _, ...standard } = this.best
    this.best = standard
  }

  private merge(usage: Usage): void {
    if (usage.models !== undefined) {
      const { usage: bounded, disputed } = boundedModels(usage, usage.models)
      this.take(withDisputed(bounded, disputed))
    } else this.take(usage)
  }

  private take(usage: Usage): void {
    if (this.limits.isSure?.(usage) === true) {
      this.best = this.best === undefined ? usage : larger(this.best, usage)
      return
    }
    const isPrompt = promptTokens(usage) <= this.limits.prompt && (this.limits.fits?.(usage) ?? true)
    const isAllowed = this.limits.allows?.(usage) ?? true
    const isCompletion = isAllowed && completionTokens(usage) <= this.limits.completion
    if (isPrompt && isCompletion) {
      this.best = this.best === undefined ? usage : larger(this.best, usage)
      return
    }
    const { disputed: _, tools: __, tier: ___, unknown: ____, models: _____, stated: ______, ...tokens } = usage
    const within = withCompletion(withPrompt(usage, isPrompt ? usage : noUsage), isCompletion ? usage : noUsage)
    const beyond = withCompletion(withPrompt(tokens, isPrompt ? noUsage : usage), isCompletion ? noUsage : usage)
    this.best = this.best === undefined ? within : larger(this.best, within)
    this.beyond = this.beyond === undefined ? beyond : larger(this.beyond, beyond)
    this.isAboveMaximum ||= !isAllowed
  }
}

/** Largest plausible report for a count of our own: tokenizers differ, and providers add prompts. */
const mostPlausible = (counted: number): number => counted * 10 + 10_000

/** A completion above the call's own maximum is accepted if our count confirms it. */
const mostOf = ({ isAboveMaximum }: Doubted, counted: Usage): number =>
  isAboveMaximum ? completionTokens(counted) : mostPlausible(completionTokens(counted))

/**
 * Decides about counts beyond the limits by our own count. A plausible one is billed; an implausible one goes to `disputed`, and
 * the best other report or, without one, our count is billed. `estimated` is true when our count is part of the usage.
 */
export const resolveDoubt = (
  { best = noUsage, doubted }: { readonly best: Usage | undefined; readonly doubted: Doubted },
  counted: Usage,
): { usage: Usage; estimated: boolean } => {
  let usage = best
  let estimated = false
  const disputed: Record<string, number> = {}
  const prompt = promptTokens(doubted)
  if (prompt > 0 && prompt <= mostPlausible(promptTokens(counted))) usage = withPrompt(usage, doubted)
  else if (prompt > 0) disputed.prompt_tokens = prompt
  const completion = completionTokens(doubted)
  if (completion > 0 && completion <= mostOf(doubted, counted)) usage = withCompletion(usage, doubted)
  else if (completion > 0) disputed.completion_tokens = completion
  if (promptTokens(usage) === 0 && promptTokens(counted) > 0) {
    usage = withPrompt(usage, counted)
    estimated = true
  }
  // An earlier report is only the beginning of an answer that is longer.
  const isCounted = doubted.isAboveMaximum && disputed.completion_tokens !== undefined
  const least = isCounted ? completionTokens(counted) : Math.min(1, completionTokens(counted))
  if (completionTokens(usage) < least) {
    usage = withCompletion(usage, counted)
    estimated = true
  }
  return { usage: withDisputed(usage, disputed), estimated }
}

/** Adds reported figures that are not billed. */
export const withDisputed = (usage: Usage, figures: Readonly<Record<string, number>>): Usage =>
  Object.keys(figures).length === 0 ? usage : { ...usage, disputed: { ...usage.disputed, ...figures } }
