import { ownMember } from '@tollgate/contract/own-member'
import { anyTier } from '../../billing/reserve.ts'
import { AppError } from '../../lib/app-error.ts'
import { tierOf } from '../tools/tools-used.ts'
import type { JsonObject } from './json.ts'

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
 * The requested service tier. Anthropic names its fast tier in `speed`. `anyTier` if the provider may choose; undefined for the
 * standard tier.
 */
export const requestedTier = ({ service_tier: tier, serviceTier, speed }: JsonObject): string | undefined => {
  if (speed === 'fast') return 'fast'
  return tier === anyTier ? anyTier : (tierOf(tier) ?? tierOf(serviceTier))
}

/** The place that a request names for its inference (platform.claude.com/docs/en/build-with-claude/data-residency); undefined for none. */
export const requestedPlace = ({ inference_geo: place }: JsonObject): string | undefined => tierOf(place)

const cacheMark = '"cache_control"'
const hourMark = '"1h"'

/** The longest TTL of Anthropic's `cache_control` marks; undefined without marks. */
export const cacheControlOf = (raw: Buffer): '5m' | '1h' | undefined => {
  if (!raw.includes(cacheMark)) return undefined
  return raw.includes(hourMark) ? '1h' : '5m'
}

const breakpoint = '"prompt_cache_breakpoint"'
const ofAllMarks = '"prompt_cache_options"'
const longerMark = '"12h"'

/** The longest TTL that OpenAI's marks, or its lifetime for all of them, stand for at other providers; undefined without marks. */
export const breakpointsOf = (raw: Buffer): '5m' | '1h' | undefined => {
  if (!raw.includes(breakpoint) && !raw.includes(ofAllMarks)) return undefined
  return raw.includes(longerMark) ? '1h' : '5m'
}
