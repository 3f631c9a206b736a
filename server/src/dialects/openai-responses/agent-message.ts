import type { OpaquePart } from '../conversation/conversation.ts'
import { agentHead, onlyEncrypted } from '../conversation/gaps/filler-texts.ts'
import { type JsonObject, objectsOf, textOf } from '../conversation/json.ts'

/** Ciphertext of OpenAI begins so: a Fernet token (github.com/fernet/spec), base64 of version and time. */
const ciphertext = /^gAAAA/

/** Agents whose model is not OpenAI's put plain text into the content for ciphertext. */
const textIn = (part: JsonObject): string => {
  if (part.type !== 'encrypted_content') return textOf(part.text)
  const text = textOf(part.encrypted_content)
  return ciphertext.test(text) ? onlyEncrypted : text
}

/**
 * The message of an agent of Codex to another one, a task or its result. Other dialects have no agents, so that their model reads
 * it as a message of the user that names both.
 */
export const agentMessage = (item: JsonObject): OpaquePart => {
  const { content } = item
  const text = typeof content === 'string' ? content : objectsOf(content).map(textIn).join('')
  const head = agentHead(textOf(item.author), textOf(item.recipient))
  return {
    kind: 'opaque',
    dialect: 'openai-responses',
    type: 'agent_message',
    value: item,
    isItem: true,
    plain: { kind: 'text', text: `${head}\n${text}` },
  }
}
