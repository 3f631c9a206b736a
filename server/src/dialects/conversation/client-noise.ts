import type { Conversation, Message, Part } from './conversation.ts'
import { isObject, type JsonObject } from './json.ts'

/**
 * Lines that clients put before their instructions for their own provider. To other models they say nothing, and because they
 * change with every call, nothing behind them is found in a cache. Each rule is described in docs/agents.md.
 */
const noiseRules = [
  /** Claude Code (since 2.1.29): `x-anthropic-billing-header: cc_version=…; cc_entrypoint=…; cch=…;`. */
  { name: 'anthropic-billing-header', line: /^x-anthropic-billing-header:[^\n]*\n*/ },
] as const

/** A text of instructions without such lines at its beginning; empty where it held nothing else. */
export const withoutNoise = (text: string): string => {
  for (const { line } of noiseRules) if (line.test(text)) return text.replace(line, '')
  return text
}

const cleanPart = (part: Part): Part[] => {
  if (part.kind !== 'text') return [part]
  const text = withoutNoise(part.text)
  if (text === part.text) return [part]
  return text === '' ? [] : [{ ...part, text }]
}

const cleanMessage = (message: Message): Message[] => {
  if (message.role !== 'system' && message.role !== 'developer') return [message]
  const parts = message.parts.flatMap(cleanPart)
  return parts.length === 0 && message.parts.length > 0 ? [] : [{ ...message, parts }]
}

/**
 * Tools that are never called: they keep the list of tools from being empty while all others are deferred (Claude Code since
 * 2.1.300, pi). Other dialects defer none.
 */
const placeholders: ReadonlySet<string> = new Set(['DeferredToolPlaceholder', '__pi_deferred_placeholder__'])

/** A conversation on its way to another maker's model. */
export const withoutClientNoise = (conversation: Conversation): Conversation => ({
  ...conversation,
  tools: conversation.tools.filter((tool) => tool.kind !== 'function' || !placeholders.has(tool.name)),
  messages: conversation.messages.flatMap(cleanMessage),
})

const cleanBlock = (block: unknown): unknown[] => {
  if (!isObject(block) || typeof block.text !== 'string') return [block]
  const text = withoutNoise(block.text)
  if (text === block.text) return [block]
  return text === '' ? [] : [{ ...block, text }]
}

/** New members of a Messages request whose instructions hold noise; undefined where they hold none. */
export const withoutSystemNoise = ({ system }: JsonObject): { readonly system: unknown } | undefined => {
  if (typeof system === 'string') {
    const text = withoutNoise(system)
    return text === system ? undefined : { system: text === '' ? undefined : text }
  }
  if (!Array.isArray(system)) return undefined
  const blocks = system.flatMap(cleanBlock)
  const isClean = blocks.length === system.length && blocks.every((block, index) => block === system[index])
  return isClean ? undefined : { system: blocks.length === 0 ? undefined : blocks }
}
