import {
  type AnswerModels,
  completionTokens,
  type NamedUsage,
  noUsage,
  promptTokens,
  sumOfModels,
  sumOfUsage,
  type Usage,
} from '../../../billing/usage.ts'
import { shortText } from '../../../lib/bounded-text.ts'
import { type JsonObject, objectsOf, textOf } from '../../conversation/json.ts'
import { tierAmong, tierOf } from '../../tools/tools-used.ts'

/** The place of the entries among the names of models. */
const place = 'iterations'
const longestName = 120
/** Entries are a few; more are read as what stands beside them. */
const mostEntries = 1000

interface Entry {
  readonly type: string
  /** Empty for the requested model. */
  readonly model: string
  readonly usage: Usage
  readonly tier: string | undefined
  /** The tier that the entry itself states. */
  readonly own: string | undefined
  readonly place: string | undefined
}

type Counts = (value: JsonObject) => Usage
type Place = (value: JsonObject) => Pick<Usage, 'place'>

const isFallback = ({ type }: Entry): boolean => type.startsWith('fallback')

/** True for an attempt to answer: of the requested model, or of a fallback. Compaction and an advisor are none. */
const isAttempt = (entry: Entry): boolean => entry.type === 'message' || isFallback(entry)

/**
 * In a chain of fallbacks, attempts refused before any output are not billed; those refused later are, at the price of their model. The
 * list is the record of what is billed (platform.claude.com/docs/en/build-with-claude/refusals-and-fallback; the shape:
 * github.com/anthropics/claude-cookbooks, fable_5_fallback_billing, "The fallback response shape").
 */
const billedOf = (entries: readonly Entry[]): readonly Entry[] =>
  entries.some(isFallback) ? entries.filter((entry) => !isAttempt(entry) || completionTokens(entry.usage) > 0) : entries

const sum = (entries: readonly Entry[]): Usage => entries.reduce((all, { usage }) => sumOfUsage(all, usage), noUsage)

const less = (stated: Usage, named: Usage): Usage => {
  const rest = (kind: 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'output'): number =>
    Math.max(0, stated[kind] - named[kind])
  return {
    ...noUsage,
    input: rest('input'),
    cacheRead: rest('cacheRead'),
    cacheWrite: rest('cacheWrite'),
    cacheWrite1h: rest('cacheWrite1h'),
    output: rest('output'),
    reasoning: Math.min(stated.reasoning, rest('output')),
  }
}

/** Usage of the entries of an answer's `usage.iterations`: of the answer itself, and of other models. */
export interface Iterations {
  readonly counts: Usage
  readonly models: AnswerModels | undefined
  /** Tier and place of the attempt that answered, where it states its own. */
  readonly extras: Pick<Usage, 'tier' | 'place'>
}

/**
 * Reads `usage.iterations`, which is what is billed: compaction, each message, an advisor and fallbacks, each at the price of the model
 * that it names (platform.claude.com/docs/en/build-with-claude/compaction, "Understanding usage"). The counts beside the list are a part
 * of it, and never billed as well. undefined where there is no list. `stated` is what stands beside it.
 */
export const readIterations = (
  value: JsonObject,
  stated: Usage,
  { countsOf, placeOf }: { readonly countsOf: Counts; readonly placeOf: Place },
): Iterations | undefined => {
  const listed = objectsOf(value.iterations)
  if (listed.length === 0 || listed.length > mostEntries) return undefined
  const entries = listed.map((entry): Entry => {
    const usage = countsOf(entry)
    return {
      type: textOf(entry.type),
      model: shortText(textOf(entry.model), longestName),
      usage,
      own: tierAmong(entry.speed, entry.service_tier),
      tier: tierAmong(entry.speed, entry.service_tier) ?? tierOf(value.service_tier),
      place: placeOf(entry).place ?? placeOf(value).place,
    }
  })
  const billed = billedOf(entries)
  const last = entries.findLast(isAttempt)
  // After a fallback the last attempt answers; without one the asked model does.
  const served = entries.some(isFallback) && last !== undefined && last.model !== '' ? last.model : undefined
  const isOther = (entry: Entry): boolean =>
    entry.model !== '' && (served === undefined ? !isAttempt(entry) : entry.model !== served)
  // The tier of the answer is what it states beside the list, or else what its last attempt does.
  const answering = last?.own === undefined ? {} : { tier: last.own }
  const extras = served === undefined ? { ...answering, ...statedTier(value) } : extrasOf(last)
  const isApart = (entry: Entry): boolean => !isOther(entry) && entry.own !== undefined && entry.own !== extras.tier
  const asked = served === undefined ? { asked: true as const } : {}
  const others = sumOfModels(
    billed.flatMap((entry) => {
      if (isOther(entry)) return [namedOf(entry)]
      return isApart(entry) ? [{ ...namedOf(entry), ...asked }] : []
    }),
  )
  const isNamed = (entry: Entry): boolean => isOther(entry) || isApart(entry)
  const own = billed.filter((entry) => !isNamed(entry))
  const all = sum(entries)
  const isPart = promptTokens(stated) <= promptTokens(all) && completionTokens(stated) <= completionTokens(all)
  // Usage missing in the list is billed as well. It is an attempt: the figures beside the list contain no compaction.
  const beside = sum(own.filter((entry) => !isAttempt(entry)))
  const counts = isPart ? sum(own) : sumOfUsage(less(stated, sum(billed.filter(isNamed))), beside)
  const models =
    served === undefined && others.length === 0 ? undefined : { ...(served === undefined ? {} : { served }), others }
  return { counts, models, extras }
}

const statedTier = ({ speed, service_tier }: JsonObject): Pick<Usage, 'tier'> => {
  const tier = tierAmong(speed, service_tier)
  return tier === undefined ? {} : { tier }
}

const extrasOf = (entry: Entry | undefined): Pick<Usage, 'tier' | 'place'> => ({
  ...(entry?.tier === undefined ? {} : { tier: entry.tier }),
  ...(entry?.place === undefined ? {} : { place: entry.place }),
})

const namedOf = (entry: Entry): NamedUsage => ({
  place,
  model: entry.model,
  usage: { ...entry.usage, ...extrasOf(entry) },
})

/** The model that continues at a fallback mark in the contents. */
export const fallbackModel = ({ type, to }: JsonObject): string | undefined => {
  if (type !== 'fallback' || typeof to !== 'object' || to === null || !('model' in to)) return undefined
  return shortText(textOf(to.model), longestName) || undefined
}
