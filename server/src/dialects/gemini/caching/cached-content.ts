import { unknownMembers } from '../../../billing/declared/unknown-members.ts'
import type { Usage } from '../../../billing/usage.ts'
import { countOf, isObject, type JsonObject, membersOf, parsedJson, textIn, textOf } from '../../conversation/json.ts'

/** A cached content at a provider (ai.google.dev/api/caching, CachedContent). Times in milliseconds since 1970. */
export interface CachedContent {
  /** `cachedContents/{id}` */
  readonly name: string
  readonly tokens: number
  /** Members of its token report that no table declares; undefined for none. */
  readonly unknown: Usage['unknown']
  readonly created: number
  readonly expires: number
  /** As it came, but for a name with project and region. */
  readonly members: JsonObject
}

/** Vertex AI names project and region before it; clients and what is stored know the rest. */
const namePattern = /^(?:projects\/[^/]{1,100}\/locations\/[^/]{1,100}\/)?(cachedContents\/[\w-]{1,200})$/

/** The name of the cached content that a request uses; undefined for none, and for names of other services. */
export const cachedContentIn = (body: JsonObject): string | undefined => {
  const name = textIn(body.cachedContent ?? body.cached_content)
  return name?.startsWith('cachedContents/') ? name : undefined
}

/** undefined where the answer is none. */
export const readCachedContent = (text: string): CachedContent | undefined => {
  const members = parsedJson(text)
  if (!isObject(members)) return undefined
  const [, name = ''] = namePattern.exec(textOf(members.name)) ?? []
  const [created, expires] = [Date.parse(textOf(members.createTime)), Date.parse(textOf(members.expireTime))]
  if (name === '' || Number.isNaN(created) || Number.isNaN(expires)) return undefined
  return {
    name,
    tokens: countOf(membersOf(members.usageMetadata).totalTokenCount),
    unknown: unknownMembers('gemini', members.usageMetadata),
    created,
    expires,
    members: { ...members, name },
  }
}

/** Lifetime of a request that names none. */
const usualLifeMs = 3_600_000

/** Requested lifetime of the content from `now` on, in milliseconds; at least 0. */
export const wantedLifeMs = (body: JsonObject, now: number): number => {
  const [, seconds] = /^(\d{1,12}(?:\.\d+)?)s$/.exec(textOf(body.ttl)) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const expires = Date.parse(textOf(body.expireTime ?? body.expire_time))
  return Number.isNaN(expires) ? usualLifeMs : Math.max(0, expires - now)
}
