import { rulesOf } from '../facts/models.ts'
import type { CacheMark, Conversation, DialectName } from './conversation.ts'
import { type JsonObject, membersOf } from './json.ts'

/** OpenAI's marks of what to cache (developers.openai.com/api/docs/guides/prompt-caching#prompt-cache-breakpoints). */

/**
 * True if marks of OpenAI's clients may stay in a call in the dialect `dialect`; those of other clients were meant for other
 * caches.
 */
export const keepsBreakpoints = ({ own, model }: Conversation, dialect: DialectName): boolean =>
  own.dialect === dialect || (own.dialect.startsWith('openai') && rulesOf(model)?.breakpoints === true)

const longer = '12h'

/** The mark of a content part. OpenAI's shorter lifetime is half an hour, which other providers name in minutes or an hour. */
export const readBreakpoint = ({ prompt_cache_breakpoint: mark }: JsonObject): CacheMark | undefined => {
  const { mode, ttl } = membersOf(mark)
  if (mode !== 'explicit') return undefined
  return { ttl: ttl === longer ? '1h' : '5m' }
}

export const writeBreakpoint = ({ ttl }: CacheMark): JsonObject => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === '1h' ? { ttl: longer } : {}) },
})
