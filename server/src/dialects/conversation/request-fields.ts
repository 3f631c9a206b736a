import { ownMember } from '@tollgate/contract/own-member'
import { anyTier } from '../../billing/reserve.ts'
import { AppError } from '../../lib/app-error.ts'
import { tierOf } from '../tools/tools-used.ts'
import { type JsonObject, membersOf } from './json.ts'

/** Request fields that several dialects share. */

export const invalidRequest = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

export const isMissing = (value: unknown): boolean => value === undefined || value === null

/** Throws AppError('invalid_text_request') if the field is missing or not a list. */
export const checkList = (body: JsonObject, field: string): void => {
  const value = ownMember(body, field)
  if (isMissing(value)) throw invalidRequest(`field ${field} is required`)
  if (!Array.isArray(value)) throw invalidRequest(`field ${field} is not a list`)
}

/** Reads a number or a numeric string, since some upstreams accept both; 0 for anything else. */
export const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? Number(value) || 0 : 0
}

/** The largest output limit of the request, under any name: compatible upstreams accept one or another. */
export const maxTokensOf = (body: JsonObject): number =>
  Math.max(numberOf(body.max_tokens), numberOf(body.max_completion_tokens), numberOf(body.max_output_tokens))

export const asksForStream = ({ stream }: JsonObject): boolean => stream === true

/**
 * The requested service tier. Anthropic names tiers of their own in `speed`, Bedrock in `performanceConfig`. `anyTier` if the provider may
 * choose; undefined for the standard tier.
 */
export const requestedTier = ({
  service_tier: tier,
  serviceTier,
  speed,
  performanceConfig,
}: JsonObject): string | undefined =>
  tierOf(speed) ??
  (performanceConfig === undefined ? undefined : tierOf(membersOf(performanceConfig).latency)) ??
  (tier === anyTier ? anyTier : (tierOf(tier) ?? tierOf(serviceTier)))

/** The place that a request names for its inference (platform.claude.com/docs/en/build-with-claude/data-residency); undefined for none. */
export const requestedPlace = ({ inference_geo: place }: JsonObject): string | undefined => tierOf(place)

const cacheMark = '"cache_control"'
const hourMark = '"1h"'
const lifeName = '"ttl"'

const spaces: ReadonlySet<number | undefined> = new Set([...' \t\r\n:'].map((character) => character.charCodeAt(0)))
const quote = '"'.charCodeAt(0)

/** True where a life is named, as a text or a number, that is not the usual one: it is held for like the longest. */
const namesOtherLife = (raw: Buffer, usual: string): boolean => {
  for (let at = raw.indexOf(lifeName); at >= 0; at = raw.indexOf(lifeName, at + 1)) {
    let begin = at + lifeName.length
    while (spaces.has(raw[begin])) begin += 1
    const first = raw[begin] ?? 0
    const isNumber = first >= 0x30 && first <= 0x39
    if (isNumber || (first === quote && raw.toString('latin1', begin, begin + usual.length) !== usual)) return true
  }
  return false
}

/** The longest TTL of Anthropic's `cache_control` marks; undefined without marks. */
export const cacheControlOf = (raw: Buffer): '5m' | '1h' | undefined => {
  if (!raw.includes(cacheMark)) return undefined
  return raw.includes(hourMark) || namesOtherLife(raw, '"5m"') ? '1h' : '5m'
}

const breakpoint = '"prompt_cache_breakpoint"'
const ofAllMarks = '"prompt_cache_options"'
const longerMark = '"12h"'
const usualLife = '"30m"'

/** The longest TTL that OpenAI's marks, or its lifetime for all of them, stand for at other providers; undefined without marks. */
export const breakpointsOf = (raw: Buffer): '5m' | '1h' | undefined => {
  if (!raw.includes(breakpoint) && !raw.includes(ofAllMarks)) return undefined
  return raw.includes(longerMark) || namesOtherLife(raw, usualLife) ? '1h' : '5m'
}
