import type { LearnedLimitKind } from '@tollgate/contract'
import { type Headers, headerText } from './upstream.ts'

/** One reported limit of the key of an answer. */
export interface LearnedLimit {
  readonly kind: LearnedLimitKind
  /** Maximum in a window; 0 where it is not stated. */
  readonly most: number
  readonly left: number
  /** Milliseconds since 1970 of the full reset. */
  readonly resetAt: number
}

/** The headers in which a provider states one limit. */
interface Place {
  readonly kind: LearnedLimitKind
  readonly most: string
  readonly left: string
  /** Empty where it names no time. */
  readonly reset: string
}

const openai = (kind: LearnedLimitKind, name: string): Place => ({
  kind,
  most: `x-ratelimit-limit-${name}`,
  left: `x-ratelimit-remaining-${name}`,
  reset: `x-ratelimit-reset-${name}`,
})
const anthropic = (kind: LearnedLimitKind, name: string): Place => ({
  kind,
  most: `anthropic-ratelimit-${name}-limit`,
  left: `anthropic-ratelimit-${name}-remaining`,
  reset: `anthropic-ratelimit-${name}-reset`,
})

/** One family of headers; an answer has at most one. */
interface Family {
  /** Headers, one of which is always present. */
  readonly signs: readonly string[]
  readonly places: readonly Place[]
}

const familyOf = (places: readonly Place[]): Family => ({ signs: places.map(({ left }) => left), places })

const families: readonly Family[] = [
  // OpenAI, Azure, xAI, Groq and many others
  familyOf([openai('requests', 'requests'), openai('tokens', 'tokens')]),
  familyOf([
    anthropic('requests', 'requests'),
    anthropic('tokens', 'tokens'),
    anthropic('input_tokens', 'input-tokens'),
    anthropic('output_tokens', 'output-tokens'),
  ]),
  // Mistral
  familyOf([openai('requests', 'req-minute'), openai('tokens', 'tokens-minute')]),
  // Together and others
  familyOf([
    {
      kind: 'requests',
      most: 'x-ratelimit-limit',
      left: 'x-ratelimit-remaining',
      reset: 'x-ratelimit-reset',
    },
  ]),
  // Replicate, and the draft of the IETF
  familyOf([{ kind: 'requests', most: 'ratelimit-limit', left: 'ratelimit-remaining', reset: 'ratelimit-reset' }]),
]

/** Headers that announce limits. */
export const limitSigns: readonly string[] = families.flatMap(({ signs }) => signs)

/** Milliseconds for a limit without a time: the window of such limits is a minute. */
const unsaidMs = 60_000
/** Resets further away than this (ms) are treated as errors. */
const longestMs = 40 * 86_400_000
/** Larger values are seconds since 1970, smaller ones seconds to wait. */
const leastEpoch = 1_000_000_000

const unitMs = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** `1h2m3.5s` or `120ms` in milliseconds; undefined for any other text. */
const durationOf = (text: string): number | undefined => {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/.test(text)) return undefined
  let sum = 0
  for (const [, number, unit] of text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)) {
    sum += Number(number) * (unitMs.get(unit ?? '') ?? 0)
  }
  return sum
}

/** Milliseconds until a stated time: a duration, seconds, seconds since 1970 or a date. undefined for none. */
export const waitOf = (text: string, now: number): number | undefined => {
  const trimmed = text.trim().slice(0, 64)
  if (trimmed === '') return undefined
  const duration = durationOf(trimmed)
  if (duration !== undefined) return Math.min(duration, longestMs)
  const seconds = Number(trimmed)
  const until = Number.isFinite(seconds)
    ? seconds >= leastEpoch
      ? seconds * 1000
      : now + seconds * 1000
    : Date.parse(trimmed)
  return Number.isNaN(until) ? undefined : Math.min(Math.max(0, until - now), longestMs)
}

const countOf = (text: string): number | undefined => {
  const count = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(count) && count >= 0 ? Math.floor(count) : undefined
}

const readPlace = ({ kind, most, left, reset }: Place, headers: Headers, now: number): LearnedLimit | undefined => {
  const isLeft = countOf(headerText(headers, left))
  if (isLeft === undefined) return undefined
  const said = countOf(headerText(headers, most))
  // Some gateways write zeros where nothing is limited.
  if (said === 0) return undefined
  const wait = waitOf(headerText(headers, reset), now) ?? unsaidMs
  return { kind, most: said ?? 0, left: isLeft, resetAt: now + wait }
}

/** Remaining limits of a key by the headers of an answer; undefined where it has none, at the cost of a few look-ups. */
export const learnedLimits = (headers: Headers, clock: () => number): readonly LearnedLimit[] | undefined => {
  for (const { signs, places } of families) {
    for (const sign of signs) {
      if (!Object.hasOwn(headers, sign)) continue
      const now = clock()
      return places.flatMap((place) => readPlace(place, headers, now) ?? [])
    }
  }
  return undefined
}
