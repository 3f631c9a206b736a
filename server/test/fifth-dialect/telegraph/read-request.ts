import type { Conversation, Message, Tool } from '../../../src/dialects/conversation/conversation.ts'
import {
  defined,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../../../src/dialects/conversation/json.ts'
import type { RequestTarget } from '../../../src/dialects/dialect.ts'

/** `{from: 'caller' | 'desk', text}`, `{from: 'desk', no, office, order}` for a call, `{no, answer}` for its result. */
const readLine = ({ from, text, no, office, order, answer }: JsonObject): Message => {
  const id = textOf(no)
  const textPart = { kind: 'text', text: textOf(text) } as const
  if (answer !== undefined)
    return {
      role: 'tool',
      parts: [{ kind: 'tool_result', id, content: [{ kind: 'text', text: textOf(answer) }] }],
    }
  if (office !== undefined)
    return {
      role: 'assistant',
      parts: [{ kind: 'tool_call', id, name: textOf(office), arguments: textOf(order) }],
    }
  return { role: from === 'desk' ? 'assistant' : 'user', parts: [textPart] }
}

const readOffice = ({ office, does, form }: JsonObject): Tool => ({
  kind: 'function',
  name: textOf(office),
  parameters: membersOf(form),
  ...defined({ description: textIn(does) }),
})

export const readRequest = (body: JsonObject, { model, stream }: RequestTarget): Conversation => ({
  model,
  stream,
  streamUsage: true,
  messages: objectsOf(body.lines).map(readLine),
  tools: objectsOf(body.offices).map(readOffice),
  ...defined({ maxTokens: numberIn(body.words) }),
  own: { dialect: 'telegraph', members: defined({ stamp: body.stamp }) },
})
