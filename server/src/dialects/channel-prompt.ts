import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf } from './conversation/json.ts'

/** A channel's system prompt. */
export interface ChannelPrompt {
  readonly text: string
  /** It stands before the client's own, too; else it is for conversations without one. */
  readonly beforeOthers: boolean
}

const joined = (text: string, own: string): string => `${text}\n${own}`

/** A text, or a list of parts, with the prompt before it. */
const before = (text: string, own: unknown, part: JsonObject): unknown => {
  if (typeof own === 'string') return own === '' ? text : joined(text, own)
  return Array.isArray(own) ? [part, ...(own as unknown[])] : text
}

const systemRoles: ReadonlySet<unknown> = new Set(['system', 'developer'])

const inMessages = (body: JsonObject, { text, beforeOthers }: ChannelPrompt): JsonObject => {
  const messages = listOf(body.messages)
  const at = messages.findIndex((message) => isObject(message) && systemRoles.has(message.role))
  const own = messages[at]
  if (!isObject(own)) return { messages: [{ role: 'system', content: text }, ...messages] }
  if (!beforeOthers) return {}
  const content = before(text, own.content, { type: 'text', text })
  return { messages: messages.with(at, { ...own, content }) }
}

const inMember = (
  name: string,
  body: JsonObject,
  { text, beforeOthers }: ChannelPrompt,
  part: JsonObject,
): JsonObject => {
  const own = ownMember(body, name)
  const isEmpty = own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0)
  if (isEmpty) return { [name]: text }
  return beforeOthers ? { [name]: before(text, own, part) } : {}
}

const inGemini = (body: JsonObject, { text, beforeOthers }: ChannelPrompt): JsonObject => {
  const name = 'system_instruction' in body ? 'system_instruction' : 'systemInstruction'
  const own = ownMember(body, name)
  const parts = isObject(own) ? listOf(own.parts) : []
  if (parts.length === 0) return { [name]: { parts: [{ text }] } }
  return beforeOthers ? { [name]: { ...(own as JsonObject), parts: [{ text }, ...parts] } } : {}
}

/** The members of a request in a dialect that change so that its conversation begins with the channel's prompt. */
export const withSystemPrompt = (dialect: string, body: JsonObject, prompt: ChannelPrompt | undefined): JsonObject => {
  if (prompt === undefined) return {}
  switch (dialect) {
    case 'anthropic':
      return inMember('system', body, prompt, { type: 'text', text: prompt.text })
    case 'openai-responses':
      return inMember('instructions', body, prompt, { type: 'input_text', text: prompt.text })
    case 'gemini':
      return inGemini(body, prompt)
    default:
      return Array.isArray(body.messages) ? inMessages(body, prompt) : {}
  }
}
