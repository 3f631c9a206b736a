import { measure } from '../../billing/counting/prompt.ts'
import { type JsonObject, membersOf } from '../../dialects/conversation/json.ts'
import { promptReader } from '../../dialects/openai-responses/prompt.ts'
import { wordIn } from '../stream/answer-guard.ts'

/** The text that a client's event adds to the prompt, as a request for a response; undefined for events without text. */
const promptOf = ({ type, session, response, item }: JsonObject): JsonObject | undefined => {
  if (type === 'session.update') return membersOf(session)
  if (type === 'response.create') return membersOf(response)
  return type === 'conversation.item.create' ? { input: [item] } : undefined
}

/** The first of the lower-cased words that a client's event holds: in instructions, tools or items of the conversation. */
export const blockedWordIn = (event: JsonObject, words: readonly string[]): string | undefined => {
  if (words.length === 0) return undefined
  const prompt = promptOf(event)
  return prompt && wordIn(measure(promptReader, '', prompt).texts.join('\n'), words)
}
