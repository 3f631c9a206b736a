import { type ScriptedUpstream, startScriptedUpstream, type UpstreamCall } from './scripted-upstream.ts'

/** A provider with a prompt cache per account (per key), that counts for itself what it read from its caches. */
export interface CachingProvider {
  readonly url: string
  /** Keys that are refused from now on. */
  readonly dead: Set<string>
  /** Tokens since the beginning: those that an earlier call of the same conversation had, and those found in a cache. */
  readonly counted: { cacheable: number; cached: number; prompt: number }
  /** Keys that answered each conversation's calls, in order, by the name in the conversation's first message. */
  readonly keysOf: Map<string, string[]>
  close(): Promise<void>
}

interface ChatBody {
  readonly tools?: readonly unknown[]
  readonly reasoning_effort?: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** Tokens below which it keeps nothing. */
export const leastCached = 1024

/** The beginnings of a prompt: tools, then each message. A token is a character here. */
const beginningsOf = ({ tools = [], reasoning_effort: effort = '', messages }: ChatBody): string[] => {
  const texts = [`${effort}${JSON.stringify(tools)}`, ...messages.map(({ role, content }) => `${role}:${content}`)]
  return messages.map((_, index) => texts.slice(0, index + 2).join('\n'))
}

const longest = (beginnings: readonly string[], kept: ReadonlySet<string>): number =>
  beginnings.findLast((beginning) => kept.has(beginning))?.length ?? 0

export const startCachingProvider = async (): Promise<CachingProvider> => {
  const upstream: ScriptedUpstream = await startScriptedUpstream()
  const dead = new Set<string>()
  const counted = { cacheable: 0, cached: 0, prompt: 0 }
  const keysOf = new Map<string, string[]>()
  const caches = new Map<string, Set<string>>()
  const anywhere = new Set<string>()

  const keep = (kept: Set<string>, beginnings: readonly string[]): void => {
    for (const beginning of beginnings) if (beginning.length >= leastCached) kept.add(beginning)
  }

  upstream.answer = ({ headers, raw, response }: UpstreamCall) => {
    const key = headers.authorization?.replace('Bearer ', '') ?? ''
    response.setHeader('content-type', 'application/json')
    if (dead.has(key)) {
      response.writeHead(401).end(JSON.stringify({ error: { message: 'no such key', code: 'invalid_api_key' } }))
      return
    }
    const body = JSON.parse(raw) as ChatBody
    const beginnings = beginningsOf(body)
    const prompt = beginnings.at(-1)?.length ?? 0
    const cache = caches.get(key) ?? new Set<string>()
    caches.set(key, cache)
    const cached = longest(beginnings, cache)
    counted.cacheable += longest(beginnings, anywhere)
    counted.cached += cached
    counted.prompt += prompt
    keep(cache, beginnings)
    keep(anywhere, beginnings)
    const name = /session (\S+)/.exec(body.messages.map(({ content }) => content).join())?.[1] ?? ''
    keysOf.set(name, [...(keysOf.get(name) ?? []), key])
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: 5,
      total_tokens: prompt + 5,
      prompt_tokens_details: { cached_tokens: cached },
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'done' }, finish_reason: 'stop' }]
    response.end(
      JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o', choices, usage }),
    )
  }
  return { url: upstream.url, dead, counted, keysOf, close: () => upstream.close() }
}
