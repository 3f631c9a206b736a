import { completion, json, openTestUpstream, type Received, type TestUpstream } from '../gateway/upstream.ts'

/** An upstream with a prompt cache per account (per key), as providers have, that counts what it read from its caches. */
export interface CachingUpstream extends TestUpstream {
  /** Keys that are refused from now on. */
  readonly dead: Set<string>
  /** Tokens since the beginning: those that some earlier call of the same conversation had, and those found in a cache. */
  readonly counted: { cacheable: number; cached: number }
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** A token is a character here. */
export const openCachingUpstream = async (): Promise<CachingUpstream> => {
  const upstream = await openTestUpstream()
  const dead = new Set<string>()
  const counted = { cacheable: 0, cached: 0 }
  const caches = new Map<string, Set<string>>()
  const anywhere = new Set<string>()

  const longest = (beginnings: readonly string[], known: ReadonlySet<string>): number =>
    beginnings.findLast((beginning) => known.has(beginning))?.length ?? 0

  const answer = (call: Received): void => {
    const key = call.headers.authorization?.replace('Bearer ', '') ?? ''
    if (dead.has(key)) {
      json({ error: { message: 'no such key', code: 'invalid_api_key' } }, 401)(call)
      return
    }
    const { messages } = JSON.parse(call.body.toString()) as ChatBody
    const beginnings = messages.map((_, index) =>
      messages
        .slice(0, index + 1)
        .map(({ role, content }) => `${role}:${content}`)
        .join('\n'),
    )
    const cache = caches.get(key) ?? new Set<string>()
    caches.set(key, cache)
    const cached = longest(beginnings, cache)
    counted.cacheable += longest(beginnings, anywhere)
    counted.cached += cached
    for (const beginning of beginnings) {
      cache.add(beginning)
      anywhere.add(beginning)
    }
    const prompt = beginnings.at(-1)?.length ?? 0
    json({
      ...completion('done'),
      usage: {
        prompt_tokens: prompt,
        completion_tokens: 5,
        total_tokens: prompt + 5,
        prompt_tokens_details: { cached_tokens: cached },
      },
    })(call)
  }
  upstream.answer = answer
  return Object.assign(upstream, { dead, counted })
}
