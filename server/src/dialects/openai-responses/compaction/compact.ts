import type { Answer, Conversation, Message, OpaquePart, Part, TextPart } from '../../conversation/conversation.ts'
import { defined, type JsonObject, membersOf } from '../../conversation/json.ts'
import { saysSomething } from '../../conversation/stream-event.ts'
import type { AnswerSupport } from '../../conversation/supported-answer.ts'
import type { ClientDialect, StreamWriter } from '../../dialect.ts'
import { itemId, responseId, writeAnswer, writeUsage } from '../answer.ts'
import { readRequest } from '../read-request.ts'
import { openWriter } from '../write-stream.ts'
import { sealedSummary } from './summaries.ts'

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
  const { toolChoice: _, format: _format, ...conversation } = readRequest(body, target)
  const messages = conversation.messages.map(plainMessage).filter(({ parts }) => parts.length > 0)
  return { ...conversation, messages: [...messages, { role: 'user', parts: [text(task)] }], tools: [] }
}

const compaction = (summary: string, answerId: string): JsonObject => ({
  id: itemId('cmp', answerId, 0),
  type: 'compaction',
  encrypted_content: sealedSummary(summary),
})

const summaryOf = (answer: Answer): string =>
  plainText((answer.choices[0]?.parts ?? []).filter(({ kind }) => kind === 'text'))

const writeCompact = (answer: Answer): JsonObject => ({
  id: answer.id,
  object: 'response.compaction',
  created_at: answer.created,
  output: [compaction(summaryOf(answer), answer.id)],
  ...defined({ usage: answer.usage && writeUsage(answer.usage) }),
})

const support: AnswerSupport = {
  unsupported: new Set(['audio', 'video', 'document']),
  imageUrls: false,
  searches: false,
}

/** Calls to the path for compaction, whose answers are no stream. */
export const compactForm: ClientDialect = {
  name: 'openai-responses',
  support,
  readRequest: (body, target) => readCompact(body, { ...target, stream: false }),
  writeAnswer: writeCompact,
  openStream: openWriter,
}

/** The item as a part of an answer; none without a summary, which would end the conversation's memory in silence. */
const compactionParts = (summary: string, answerId: string): OpaquePart[] =>
  summary.trim() === ''
    ? []
    : [
        {
          kind: 'opaque',
          dialect: 'openai-responses',
          type: 'compaction',
          value: compaction(summary, answerId),
          isItem: true,
        },
      ]

/** Holds the summary back until its end: the client reads one item and nothing else. */
const openCompactionStream = (conversation: Conversation): StreamWriter => {
  const writer = openWriter(conversation)
  let summary = ''
  let id = ''
  const item = (): string =>
    compactionParts(summary, id)
      .map((part) => writer.write({ kind: 'part', choice: 0, part }))
      .join('')
  return {
    write(event) {
      if (event.kind === 'start') id = responseId(event.id)
      if (event.kind === 'text' && event.choice === 0) summary += event.text
      if (event.kind === 'end') return item() + writer.write(event)
      return saysSomething(event) ? '' : writer.write(event)
    },
  }
}

/** A turn whose last item asks for a compaction of the conversation before it, as Codex sends it. */
export const isCompactionTurn = ({ input }: JsonObject): boolean =>
  Array.isArray(input) && membersOf(input.at(-1)).type === 'compaction_trigger'

export const compactionTurn: ClientDialect = {
  name: 'openai-responses',
  support,
  readRequest: readCompact,
  writeAnswer: (answer, conversation) => {
    const [choice] = answer.choices
    const parts = compactionParts(summaryOf(answer), answer.id)
    return writeAnswer({ ...answer, choices: choice === undefined ? [] : [{ ...choice, parts }] }, conversation)
  },
  openStream: openCompactionStream,
}
