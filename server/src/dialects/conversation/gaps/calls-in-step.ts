import { isSystem } from '../../joined-instructions.ts'
import type { Conversation, Message, Part, ToolCallPart, ToolResultPart } from '../conversation.ts'
import type { UnsupportedFields } from '../unsupported-fields.ts'
import { InexpressibleError } from './inexpressible.ts'

/** The error for a conversation whose last message has no equivalent in the target dialect. */
export const unreadable = (model: string, unsupported: UnsupportedFields): InexpressibleError => {
  const fields = unsupported.list().filter((field) => field.startsWith('messages.'))
  return new InexpressibleError('nothing_readable', { params: { model, fields: fields.join(', ') || 'messages' } })
}

/**
 * Calls and their results in the order that all providers take: the results of a turn right behind it, one for each call and in the
 * order of the calls, and no id twice. OpenAI, Anthropic and Google each refuse anything else (developers.openai.com/api/docs/guides/function-calling,
 * platform.claude.com/docs/en/agents-and-tools/tool-use, ai.google.dev/gemini-api/docs/function-calling).
 */

const isCall = (part: Part): part is ToolCallPart => part.kind === 'tool_call'

const isInStep = (messages: readonly Message[]): boolean => {
  const used = new Set<string>()
  const open: string[] = []
  for (const { role, parts } of messages) {
    if (role !== 'tool' && open.length > 0) return false
    for (const part of parts) {
      if (part.kind === 'tool_result' && open.shift() !== part.id) return false
      if (part.kind !== 'tool_call') continue
      if (used.has(part.id)) return false
      used.add(part.id)
      open.push(part.id)
    }
  }
  return open.length === 0
}

/** Each answered call and its result. A result belongs to the latest call of its id that has none yet. */
const pairsIn = (messages: readonly Message[]): ReadonlyMap<Part, ToolResultPart> => {
  const open = new Map<string, ToolCallPart[]>()
  const pairs = new Map<Part, ToolResultPart>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool_call') open.set(part.id, [...(open.get(part.id) ?? []), part])
    if (part.kind !== 'tool_result') continue
    const call = open.get(part.id)?.pop()
    if (call !== undefined) pairs.set(call, part)
  }
  return pairs
}

/** An id that no other call has: providers that count calls anew in each answer repeat theirs. */
const freshIds = (): ((id: string) => string) => {
  const used = new Set<string>()
  return (id) => {
    let fresh = id
    for (let number = 2; used.has(fresh); number += 1) fresh = `${id}_${number}`
    used.add(fresh)
    return fresh
  }
}

/** The client's last message holds results, and none of them has its call. */
const isAnswerLost = (messages: readonly Message[], kept: ReadonlySet<Part>): boolean => {
  const last = messages.findLast((message) => !isSystem(message))
  return last?.role === 'tool' && last.parts.length > 0 && !last.parts.some((part) => kept.has(part))
}

/**
 * A conversation whose calls and results are in step. Calls without a result and results without a call are left out and reported.
 * Throws InexpressibleError if nothing of the client's last message is left.
 */
export const withCallsInStep = (conversation: Conversation, unsupported: UnsupportedFields): Conversation => {
  const { messages } = conversation
  if (isInStep(messages)) return conversation
  const pairs = pairsIn(messages)
  const results = new Set<Part>(pairs.values())
  const freshId = freshIds()
  const placed: Message[] = []
  let behind: ToolResultPart[] = []

  const close = (): void => {
    if (behind.length > 0) placed.push({ role: 'tool', parts: behind })
    behind = []
  }

  const answered = (part: Part): Part[] => {
    if (!isCall(part)) return [part]
    const result = pairs.get(part)
    if (result === undefined) {
      unsupported.add('messages.tool_call')
      return []
    }
    const id = freshId(part.id)
    behind.push({ ...result, id })
    return [{ ...part, id }]
  }

  for (const message of messages) {
    if (message.role !== 'assistant') close()
    if (message.role === 'tool') {
      if (message.parts.some((part) => !results.has(part))) unsupported.add('messages.tool_result')
      continue
    }
    const goesOn = message.role === 'assistant' && behind.length > 0
    const parts = message.parts.flatMap(answered)
    const isLeft = parts.some(({ kind }) => kind !== 'thinking') || !message.parts.some(isCall)
    const last = placed.at(-1)
    if (goesOn && last !== undefined) placed[placed.length - 1] = { ...last, parts: [...last.parts, ...parts] }
    else placed.push({ ...message, parts: isLeft ? parts : [] })
  }
  close()
  if (isAnswerLost(messages, results)) throw unreadable(conversation.model, unsupported)
  return { ...conversation, messages: placed }
}
