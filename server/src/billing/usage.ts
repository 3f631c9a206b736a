import type { UnknownFigure } from './declared/unknown-members.ts'
import type { ExtraKind, MeasureKind } from './price.ts'
import type { StatedCost } from './stated/stated-costs.ts'

/**
 * Tokens of one answer in parts that never overlap, whatever the upstream's convention. The prompt parts add up to the prompt, the
 * completion parts to the completion.
 */
export interface Usage {
  /** Text (and image) prompt tokens that were neither read from nor written to a cache. */
  readonly input: number
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number
  /** Prompt tokens written to the provider's cache for five minutes. */
  readonly cacheWrite: number
  /** Prompt tokens written to the provider's cache for one hour. */
  readonly cacheWrite1h: number
  readonly audioInput: number
  /** Completion tokens, reasoning included. */
  readonly output: number
  readonly audioOutput: number
  /** Part of `output`; billed apart only where the model has a price for reasoning. */
  readonly reasoning: number
  /** Parts of the prompt and the completion that some models have a price of their own for, beside those above; absent without any. */
  readonly more?: MoreTokens
  /** Measures of models that are not sold by tokens; absent without any. */
  readonly measures?: Measures
  /** How many times a price per call is charged; 1 when absent. */
  readonly calls?: number
  /** Generated pictures; absent for calls that ask for none. */
  readonly images?: Pictures
  /** Calls of tools that run at the provider, by their names in the option ToolPrices; absent without any. */
  readonly tools?: ToolCalls
  /** The service tier that answered, where it is not the standard one. */
  readonly tier?: string
  /** The place that the provider ran the call in, where that may have a price of its own: `us`. */
  readonly place?: string
  /** Implausible figures of the report, by name: shown, never billed. Absent when all were plausible. */
  readonly disputed?: DisputedFigures
  /** Figures of the report that no table declares; absent where there are none. */
  readonly unknown?: readonly UnknownFigure[]
  /** Other models than the requested one; absent where the answer names none, as nearly all do. */
  readonly models?: AnswerModels
  /** Cost to the operator that the report states; users do not pay by it. Absent if it states none. */
  readonly stated?: StatedCost
}

/** Other models that worked on an answer, as far as it names them. */
export interface AnswerModels {
  /** Model of the counts beside this member, by its name at the provider; absent where it is the requested one. */
  readonly served?: string
  /** Model name in the answer that changes no price; absent where it has no effect on the price. */
  readonly stated?: string
  readonly others: readonly NamedUsage[]
}

/** Usage within an answer of a model with its own price. It is no part of the counts of the answer. */
export interface NamedUsage {
  /** Member of the answer that states it: `iterations`, or the name of a tool. */
  readonly place: string
  /** As the provider names it; empty for the one that the tool has without a name in the request. */
  readonly model: string
  /** Present where it is the requested model, so that the price of the call applies. */
  readonly asked?: true
  readonly usage: Usage
}

/** `prompt_tokens`, `completion_tokens`, `search_units`, or the name of a tool → what the upstream reported. */
export type DisputedFigures = Readonly<Record<string, number>>

export type MoreTokens = { readonly [K in Exclude<ExtraKind, 'reasoning'>]?: number }

/** `duration` in milliseconds. */
export type Measures = { readonly [K in Exclude<MeasureKind, 'picture' | 'request'>]?: number }

export interface Pictures {
  readonly count: number
  /** Price of one, relative to the model's price of a picture. */
  readonly ratio: number
  /** As the request named them: `1024x1536`, `high`. */
  readonly size?: string
  readonly quality?: string
}

export type ToolCalls = Readonly<Record<string, number>>

export const noUsage: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  output: 0,
  audioOutput: 0,
  reasoning: 0,
}

/** Larger counts are read as this one, so that sums stay exact integers. No real answer comes near it. */
export const mostReported = 1_000_000_000_000_000

const morePrompt = ({
  explicit_cache_read = 0,
  audio_cache_read = 0,
  image_input = 0,
  image_cache_read = 0,
  video_input = 0,
}: MoreTokens): number => explicit_cache_read + audio_cache_read + image_input + image_cache_read + video_input

const moreCompletion = ({ image_output = 0, video_output = 0 }: MoreTokens): number => image_output + video_output

/** A member `more` of the counts above 0; nothing where there are none, so that usages without them stay small. */
export const withMore = (counts: MoreTokens): Pick<Usage, 'more'> => {
  const more = Object.entries(counts).filter(([, count]) => count > 0)
  return more.length === 0 ? {} : { more: Object.fromEntries(more) }
}

/** Prompt tokens read from the provider's cache, of text, sound and pictures, from any kind of cache. */
export const cachedTokens = ({ cacheRead, more }: Usage): number =>
  cacheRead + (more?.explicit_cache_read ?? 0) + (more?.audio_cache_read ?? 0) + (more?.image_cache_read ?? 0)

/** Sound in the prompt, read from a cache or not. */
export const audioPromptTokens = ({ audioInput, more }: Usage): number => audioInput + (more?.audio_cache_read ?? 0)

/** Pictures in the prompt, read from a cache or not. */
export const imagePromptTokens = ({ more }: Usage): number => (more?.image_input ?? 0) + (more?.image_cache_read ?? 0)

export const promptTokens = (usage: Usage): number =>
  usage.input +
  usage.cacheRead +
  usage.cacheWrite +
  usage.cacheWrite1h +
  usage.audioInput +
  (usage.more === undefined ? 0 : morePrompt(usage.more))

export const completionTokens = (usage: Usage): number =>
  usage.output + usage.audioOutput + (usage.more === undefined ? 0 : moreCompletion(usage.more))

/** Two maps of counts, added up by name; undefined where neither is there. */
const sumOfCounts = <T extends Readonly<Record<string, number | undefined>>>(
  one: T | undefined,
  other: T | undefined,
): T | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  const sum = new Map<string, number>()
  for (const [name, count = 0] of [...Object.entries(one), ...Object.entries(other)])
    sum.set(name, (sum.get(name) ?? 0) + count)
  return Object.fromEntries(sum) as T
}

/** Figures of two answers together, added up where they are of one kind. */
const sumOfUnknown = (one: Usage['unknown'], other: Usage['unknown']): readonly UnknownFigure[] | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return mergedUnknown(one, other, (left, right) => left + right)
}

/** Figures of two lists, each kind once; `merge` combines the numbers of those in both. */
export const mergedUnknown = (
  one: readonly UnknownFigure[],
  other: readonly UnknownFigure[],
  merge: (left: number, right: number) => number,
): readonly UnknownFigure[] => {
  const found = new Map(one.map((figure) => [`${figure.kind} ${figure.name}`, figure]))
  for (const figure of other) {
    const key = `${figure.kind} ${figure.name}`
    const before = found.get(key)
    const value =
      typeof before?.value === 'number' && typeof figure.value === 'number'
        ? merge(before.value, figure.value)
        : figure.value
    if (before !== undefined) found.set(key, { ...figure, value, count: merge(before.count, figure.count) })
    else if (found.size < mostUnknown) found.set(key, figure)
  }
  return [...found.values()]
}

/** Most other models; further ones are counted together under a name without a price. */
const mostModels = 16
const overflow = 'other models'

const addedUp = (one: Usage, other: Usage): Usage => ({
  ...sumOfUsage(one, other),
  ...(one.tier === undefined ? {} : { tier: one.tier }),
  ...(one.place === undefined ? {} : { place: one.place }),
  calls: (one.calls ?? 1) + (other.calls ?? 1),
})

/** The same models with what each used added up, where it was used at the same price. */
export const sumOfModels = (all: readonly NamedUsage[]): readonly NamedUsage[] => {
  const sums = new Map<string, NamedUsage>()
  for (const each of all) {
    const { place, usage } = each
    const isMore = sums.size >= mostModels - 1
    const keyOf = (model: string): string => [place, model, usage.tier, usage.place].join('\n')
    const model = isMore && !sums.has(keyOf(each.model)) ? overflow : each.model
    const before = sums.get(keyOf(model))
    sums.set(
      keyOf(model),
      before === undefined ? { ...each, model } : { ...before, usage: addedUp(before.usage, usage) },
    )
  }
  return [...sums.values()]
}

const sumOfAnswerModels = (one: Usage['models'], other: Usage['models']): Usage['models'] => {
  if (one === undefined || other === undefined) return one ?? other
  return { ...one, ...other, others: sumOfModels([...one.others, ...other.others]) }
}

/** Most kinds that one call is marked with: those of one report, and the rest of each sort. */
const mostUnknown = 21

/** The usage with the cost that its report states. A report of a cost alone contains no tokens. */
export const withStated = <T extends Usage | undefined>(usage: T, stated: StatedCost | undefined): T | Usage =>
  stated === undefined ? usage : { ...(usage ?? noUsage), stated }

/** The usage of two answers of one session together. */
export const sumOfUsage = (one: Usage, other: Usage): Usage => {
  const tools = sumOfCounts(one.tools, other.tools)
  const more = sumOfCounts(one.more, other.more)
  const measures = sumOfCounts(one.measures, other.measures)
  const disputed = other.disputed === undefined ? one.disputed : { ...one.disputed, ...other.disputed }
  const unknown = sumOfUnknown(one.unknown, other.unknown)
  const models = sumOfAnswerModels(one.models, other.models)
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    audioInput: one.audioInput + other.audioInput,
    output: one.output + other.output,
    audioOutput: one.audioOutput + other.audioOutput,
    reasoning: one.reasoning + other.reasoning,
    ...(more === undefined ? {} : { more }),
    ...(measures === undefined ? {} : { measures }),
    ...(tools === undefined ? {} : { tools }),
    ...(disputed === undefined ? {} : { disputed }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(models === undefined ? {} : { models }),
  }
}

/**
 * The usage with the figures of its report that no table declares. Cache writes of an unknown lifetime are also in the total of
 * writes, and are taken out of it.
 */
export const withUnknown = (usage: Usage, unknown: readonly UnknownFigure[] | undefined): Usage => {
  if (unknown === undefined) return usage
  const writes = unknown.reduce((sum, { kind, count }) => (kind === 'cache' ? sum + count : sum), 0)
  return { ...usage, cacheWrite: Math.max(0, usage.cacheWrite - writes), unknown }
}
