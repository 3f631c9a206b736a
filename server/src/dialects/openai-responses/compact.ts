import type { Answer, Conversation, Message, Part, TextPart } from '../conversation/conversation.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import type { ClientDialect } from '../dialect.ts'
import { itemId, writeUsage } from './answer.ts'
import { readRequest } from './read-request.ts'
import { sealedSummary } from './summaries.ts'
import { openWriter } from './write-stream.ts'

/**
 * Compaction of a conversation (platform.openai.com/docs/api-reference/responses/compact) at providers without such a call: the
 * model is asked for a summary, which takes the place of the item that only OpenAI can read.
 */

const task =
  'Summarise this conversation so that another model can go on with it and needs nothing else: the goal and every instruction ' +
  'of the user, what was decided and why, what was done and found (files, commands, names and figures as they are), what is ' +
  'open, and the next step. Write the summary only, without a greeting.'

const text = (content: string): TextPart => ({ kind: 'text', text: content })

const plainText = (parts: readonly Part[]): string =>
  parts.map((part) => ('text' in part && part.kind !== 'thinking' ? part.text : `[${part.kind}]`)).join('\n')

/** Providers take calls and results only beside the tools that they belong to, which are not called here. */
const withoutTools = (part: Part): Part[] => {
  if (part.kind === 'thinking' || part.kind === 'opaque') return []
  if (part.kind === 'tool_call') return [text(`[Called ${part.name}: ${part.arguments}]`)]
  return part.kind === 'tool_result' ? [text(`[Result: ${plainText(part.content)}]`)] : [part]
}

const plainMessage = ({ role, parts }: Message): Message => ({
  role: role === 'tool' ? 'user' : role,
  parts: parts.flatMap(withoutTools),
})

const readCompact: ClientDialect['readRequest'] = (body, target): Conversation => {
  const { toolChoice: _, format: _format, ...conversation } = readRequest(body, { ...target, stream: false })
  const messages = conversation.messages.map(plainMessage).filter(({ parts }) => parts.length > 0)
  return { ...conversation, messages: [...messages, { role: 'user', parts: [text(task)] }], tools: [] }
}

const writeCompact = (answer: Answer): JsonObject => {
  const summary = plainText((answer.choices[0]?.parts ?? []).filter(({ kind }) => kind === 'text'))
  return {
    id: answer.id,
    object: 'response.compaction',
    created_at: answer.created,
    output: [
      {
        id: itemId('cmp', answer.id, 0),
        type: 'compaction',
        encrypted_content: sealedSummary(summary),
      },
    ],
    ...defined({ usage: answer.usage && writeUsage(answer.usage) }),
  }
}

export const compactForm: ClientDialect = {
  name: 'openai-responses',
  support: { unsupported: new Set(['audio', 'video', 'document']), imageUrls: false, searches: false },
  readRequest: readCompact,
  writeAnswer: writeCompact,
  openStream: openWriter,
}
