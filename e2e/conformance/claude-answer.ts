import {
  type AnswerDraft,
  count,
  createDraft,
  isJson,
  type Json,
  list,
  objectAt,
  type ParsedAnswer,
  parsedAnswer,
  text,
} from './parsed-answer.ts'

/** Parses messages of Anthropic, Bedrock and Vertex, as sent or as the official client returns them. */

interface Block {
  readonly kind: string
  /** Index of the call; -1 if the block is not a call. */
  readonly call: number
  rawArguments: string
}

const addUsage = (all: AnswerDraft, usage: unknown): void => {
  if (!isJson(usage)) return
  const cached = usage.cache_read_input_tokens ?? undefined
  const read = cached === undefined ? (all.usage?.cached ?? 0) : count(cached)
  const before = all.usage === undefined ? 0 : all.usage.input - all.usage.cached
  const fresh = usage.input_tokens ?? undefined
  const input = fresh === undefined ? before : count(fresh) + count(usage.cache_creation_input_tokens)
  all.usage = { input: input + read, cached: read, output: count(usage.output_tokens) || (all.usage?.output ?? 0) }
}

const begin = (all: AnswerDraft, block: Json): Block => {
  const kind = text(block.type)
  if (kind === 'text') all.text += text(block.text)
  if (kind === 'thinking') all.thinking += text(block.thinking)
  if (kind !== 'tool_use') return { kind, call: -1, rawArguments: '' }
  all.calls.push({ id: text(block.id), name: text(block.name), rawArguments: '' })
  return { kind, call: all.calls.length - 1, rawArguments: JSON.stringify(block.input ?? {}) }
}

const end = (all: AnswerDraft, block: Block | undefined): void => {
  const call = block === undefined ? undefined : all.calls[block.call]
  if (call !== undefined && block !== undefined) call.rawArguments ||= block.rawArguments
}

/** The first message of the events: one recording holds two. */
const addEvents = (all: AnswerDraft, events: readonly Json[]): void => {
  const blocks = new Map<unknown, Block>()
  for (const event of events) {
    const delta = objectAt(event, 'delta')
    switch (event.type) {
      case 'message_start':
        addUsage(all, objectAt(event, 'message').usage)
        break
      case 'content_block_start':
        blocks.set(event.index, begin(all, objectAt(event, 'content_block')))
        break
      case 'content_block_delta': {
        all.text += text(delta.text)
        all.thinking += text(delta.thinking)
        const call = all.calls[blocks.get(event.index)?.call ?? -1]
        if (call !== undefined) call.rawArguments += text(delta.partial_json)
        break
      }
      case 'content_block_stop':
        end(all, blocks.get(event.index))
        break
      case 'message_delta':
        all.finish = text(delta.stop_reason) || all.finish
        addUsage(all, event.usage)
        break
      case 'message_stop':
        return
      default:
    }
  }
}

/** A message, or the events of one. */
export const parseClaudeAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  const [only] = answers
  if (answers.length === 1 && only?.type === 'message') {
    for (const block of list(only.content)) end(all, begin(all, block))
    all.finish = text(only.stop_reason)
    addUsage(all, only.usage)
  } else addEvents(all, answers)
  return parsedAnswer(all)
}
