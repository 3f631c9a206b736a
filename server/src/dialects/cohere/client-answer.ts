import { randomUUID } from 'node:crypto'
import { ownMember } from '@tollgate/contract/own-member'
import {
  countOf,
  defined,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { costIn } from '../cost/cost-place.ts'

const reasons: Readonly<Record<string, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  tool_calls: 'TOOL_CALL',
  content_filter: 'ERROR_TOXIC',
}

export const reasonOf = (finish: unknown): string => ownMember(reasons, textOf(finish)) ?? 'COMPLETE'

/** Usage in Cohere's two counts, which are the same here. */
export const usageOf = (usage: unknown): JsonObject => {
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = membersOf(usage)
  const counts = { input_tokens: countOf(prompt), output_tokens: countOf(completion) }
  const cached = countOf(membersOf(details).cached_tokens)
  return { billed_units: counts, tokens: counts, ...(cached > 0 ? { cached_tokens: cached } : {}) }
}

const idOf = (id: unknown): string => textIn(id) || randomUUID()

/** A chat completion as an answer of version 2. */
export const writeChatV2 = ({ id, choices, usage }: JsonObject): JsonObject => {
  const { message, finish_reason: finish } = membersOf(listOf(choices)[0])
  const { content, reasoning_content: thoughts, tool_calls: calls } = membersOf(message)
  const text = textOf(content)
  const thinking = textOf(thoughts)
  const called = listOf(calls).length > 0
  return {
    id: idOf(id),
    finish_reason: called ? 'TOOL_CALL' : reasonOf(finish),
    message: {
      role: 'assistant',
      ...(called ? { tool_calls: calls, ...(text === '' ? {} : { tool_plan: text }) } : {}),
      content: [
        ...(thinking === '' ? [] : [{ type: 'thinking', thinking }]),
        ...(text === '' || called ? [] : [{ type: 'text', text }]),
      ],
    },
    usage: usageOf(usage),
    ...costIn('cost', usage),
  }
}

/** The calls of an answer as version 1 names them. */
export const callsV1 = (calls: unknown): JsonObject[] =>
  objectsOf(calls).map((call) => {
    const { name, arguments: text } = membersOf(call.function)
    return { name, parameters: parsedJson(textOf(text)) ?? {} }
  })

export const metaV1 = (usage: unknown): JsonObject => ({ api_version: { version: '1' }, ...usageOf(usage) })

/** A chat completion as an answer of version 1. */
export const writeChatV1 = ({ id, choices, usage }: JsonObject): JsonObject => {
  const { message, finish_reason: finish } = membersOf(listOf(choices)[0])
  const { content, tool_calls: calls } = membersOf(message)
  const called = callsV1(calls)
  const name = idOf(id)
  return {
    response_id: name,
    generation_id: name,
    text: textOf(content),
    finish_reason: called.length > 0 ? 'COMPLETE' : reasonOf(finish),
    ...defined({ tool_calls: called.length === 0 ? undefined : called }),
    meta: metaV1(usage),
    ...costIn('cost', usage),
  }
}
