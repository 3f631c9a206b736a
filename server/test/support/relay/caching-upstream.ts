import { completion, json, openTestUpstream, type Received, type TestUpstream } from '../gateway/upstream.ts'

/** An upstream with a prompt cache per account (per key), as providers have, that counts what it read from its caches. */
export interface CachingUpstream extends TestUpstream {
  /** Keys that are refused from now on. */
  readonly dead: Set<string>
  /** Tokens since the beginning: those that some earlier call of the same conversation had, and those found in a cache. */
  readonly counted: { cacheable: number; cached: number }
}

interface ChatBody {
  readonly tools?: readonly unknown[]
  readonly reasoning_effort?: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

interface CachingOptions {
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Milliseconds that a beginning is kept after its last use. */
  readonly life?: number
  /** Tokens below which nothing is kept. */
  readonly least?: number
}

/** The beginnings of a prompt: effort and tools, then each message. */
const beginningsOf = ({ tools = [], reasoning_effort: effort = '', messages }: ChatBody): string[] => {
  const before = tools.length > 0 || effort !== '' ? [`${effort}${JSON.stringify(tools)}`] : []
  const texts = [...before, ...messages.map(({ role, content }) => `${role}:${content}`)]
  return messages.map((_, index) => texts.slice(0, before.length + index + 1).join('\n'))
}

/** A token is a character here. */
export const openCachingUpstream = async ({
  clock = Date.now,
  life = Number.POSITIVE_INFINITY,
  least = 0,
}: CachingOptions = {}): Promise<CachingUpstream> => {
  const upstream = await openTestUpstream()
  const dead = new Set<string>()
  const counted = { cacheable: 0, cached: 0 }
  /** Beginnings with the time of their last use. */
  const caches = new Map<string, Map<string, number>>()
  const anywhere = new Map<string, number>()

  const longest = (beginnings: readonly string[], kept: ReadonlyMap<string, number>): number =>
    beginnings.findLast((beginning) => clock() - (kept.get(beginning) ?? Number.NEGATIVE_INFINITY) < life)?.length ?? 0

  const answer = (call: Received): void => {
    const key = call.headers.authorization?.replace('Bearer ', '') ?? ''
    if (dead.has(key)) {
      json({ error: { message: 'no such key', code: 'invalid_api_key' } }, 401)(call)
      return
    }
    const beginnings = beginningsOf(JSON.parse(call.body.toString()) as ChatBody)
    const cache = caches.get(key) ?? new Map<string, number>()
    caches.set(key, cache)
    const cached = longest(beginnings, cache)
    counted.cacheable += longest(beginnings, anywhere)
    counted.cached += cached
    for (const beginning of beginnings.filter(({ length }) => length >= least)) {
      cache.set(beginning, clock())
      anywhere.set(beginning, clock())
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
