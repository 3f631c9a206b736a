import { ownMember } from '@tollgate/contract/own-member'
import {
  defined,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { openaiShaped, settings, statusFrom, textContent } from '../dialects/openai-shaped.ts'

/** Error codes come with the status 200 (cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh). */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^(13|14|100|110|111)$/, 401],
  [/^(6|15|336004|336005)$/, 403],
  [/^(3|336002)$/, 404],
  [/^(4|17|18|19|336501|336502|336503|336504|336505)$/, 429],
  [/^(336100)$/, 503],
  [/^(1|2|336000)$/, 502],
  [/^3360\d\d$|^336[1-9]\d\d$/, 400],
]

export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const number = json.error_code
  if (number === undefined || number === 0) return undefined
  const code = String(number)
  return { message: textOf(json.error_msg), type: 'baidu_error', code, status: statusFrom(statuses, code) }
}

const parameters: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  stop: 'stop',
  user: 'user_id',
  disable_search: 'disable_search',
  enable_citation: 'enable_citation',
  penalty_score: 'penalty_score',
}

/**
 * Maps OpenAI's `frequency_penalty` (-2 to 2, neutral 0) to `penalty_score` (1 to 2, neutral 1). Negative values have no
 * equivalent.
 */
const penaltyScore = (value: unknown, unsupported: UnsupportedFields): JsonObject => {
  const penalty = numberIn(value)
  if (penalty === undefined || penalty === 0) return {}
  if (penalty > 0) return { penalty_score: Math.min(2, 1 + penalty / 2) }
  unsupported.add('frequency_penalty')
  return {}
}

/** The least that Wenxin accepts is 2 tokens. */
const outputLimit = (value: unknown): JsonObject => {
  const tokens = numberIn(value)
  return tokens === undefined ? {} : { max_output_tokens: Math.max(2, tokens) }
}

const formatOf = (format: unknown, unsupported: UnsupportedFields): JsonObject => {
  const { type } = membersOf(format)
  if (type === 'json_schema') unsupported.add('response_format.json_schema')
  return type === 'json_schema' || type === 'json_object' ? { response_format: 'json_object' } : {}
}

const assistantOf = (message: JsonObject, unsupported: UnsupportedFields): JsonObject => {
  const calls = objectsOf(message.tool_calls)
  if (calls.length > 1) unsupported.add('messages.tool_calls')
  const [call] = calls
  const content = textContent(message.content ?? '', unsupported)
  return call === undefined
    ? { role: 'assistant', content }
    : { role: 'assistant', content, function_call: call.function }
}

const merged = (a: JsonObject, b: JsonObject): JsonObject => ({
  ...a,
  content: `${textOf(a.content)}\n\n${textOf(b.content)}`,
})

/**
 * Merges consecutive messages of one role, because user and assistant must alternate. A tool result carries the name of its
 * function instead of the id of its call.
 */
const messagesOf = (messages: readonly JsonObject[], unsupported: UnsupportedFields): JsonObject[] => {
  const names = new Map<unknown, unknown>()
  const turns: JsonObject[] = []
  for (const message of messages) {
    for (const call of objectsOf(message.tool_calls)) names.set(call.id, membersOf(call.function).name)
    const content = textContent(message.content ?? '', unsupported)
    const turn =
      message.role === 'assistant'
        ? assistantOf(message, unsupported)
        : message.role === 'tool'
          ? { role: 'function', name: names.get(message.tool_call_id) ?? '', content }
          : { role: 'user', content }
    const last = turns.at(-1)
    const isSameRole = last !== undefined && last.role === turn.role && turn.role !== 'function'
    if (isSameRole) turns[turns.length - 1] = merged(last, turn)
    else turns.push(turn)
  }
  return turns
}

const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer'

const systemOf = (messages: readonly JsonObject[], unsupported: UnsupportedFields): JsonObject => {
  const texts = messages.filter(isSystem).map(({ content }) => textContent(content, unsupported))
  return texts.length === 0 ? {} : { system: texts.join('\n\n') }
}

const functionsOf = ({ tools, tool_choice: choice }: JsonObject, unsupported: UnsupportedFields): JsonObject => {
  const functions = objectsOf(tools).map((tool) => {
    const { name, description, parameters: schema } = membersOf(tool.function)
    return { name, description: description ?? '', parameters: schema ?? { type: 'object', properties: {} } }
  })
  if (functions.length === 0 || choice === 'none') return {}
  if (choice === 'required') unsupported.add('tool_choice.required')
  const named = membersOf(choice).type === 'function' ? { tool_choice: choice } : {}
  return { functions, ...named }
}

const finishes: Readonly<Record<string, string>> = {
  normal: 'stop',
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  function_call: 'tool_calls',
}

const finishOf = (json: JsonObject): string => {
  if (json.function_call !== undefined) return 'tool_calls'
  if (json.is_truncated === true) return 'length'
  return ownMember(finishes, textOf(json.finish_reason)) ?? 'stop'
}

const callOf = ({ id, function_call: call }: JsonObject): JsonObject => {
  if (call === undefined || call === null) return {}
  const { name, arguments: text } = membersOf(call)
  const functionCall = { name: textOf(name), arguments: textIn(text) ?? '{}' }
  return { tool_calls: [{ index: 0, id: `call_${textOf(id)}`, type: 'function', function: functionCall }] }
}

const citationsOf = (json: JsonObject): JsonObject => {
  const results = objectsOf(membersOf(json.search_info).search_results)
  const annotations = results.map(({ url, title }) => ({ type: 'url_citation', url_citation: { url, title } }))
  return annotations.length > 0 ? { annotations } : {}
}

const messageFrom = (json: JsonObject): JsonObject => ({
  content: textOf(json.result),
  ...callOf(json),
  ...citationsOf(json),
})

/** `completion_tokens` of a chunk counts that chunk only; `total_tokens` is cumulative, so the completion is derived from it. */
const usageOf = (value: unknown): JsonObject => {
  const usage = membersOf(value)
  const { prompt_tokens: prompt, total_tokens: total } = usage
  const completion = (numberIn(total) ?? 0) - (numberIn(prompt) ?? 0)
  return { ...usage, completion_tokens: Math.max(completion, 0) }
}

const head = ({ id, created }: JsonObject): JsonObject => defined({ id, created })

/** Wenxin's chat API, version 1 (cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t). */
export const wenxin = openaiShaped({
  name: 'wenxin',
  request({ frequency_penalty, max_tokens, response_format, ...body }, unsupported) {
    const messages = objectsOf(body.messages)
    return {
      messages: messagesOf(
        messages.filter((message) => !isSystem(message)),
        unsupported,
      ),
      ...systemOf(messages, unsupported),
      ...(body.stream === true ? { stream: true } : {}),
      ...penaltyScore(frequency_penalty, unsupported),
      ...settings(body, parameters, unsupported),
      ...outputLimit(max_tokens),
      ...formatOf(response_format, unsupported),
      ...functionsOf(body, unsupported),
    }
  },
  answer: (json) => ({
    ...head(json),
    choices: [{ index: 0, message: messageFrom(json), finish_reason: finishOf(json) }],
    usage: usageOf(json.usage),
  }),
  openChunks: () => (json) => ({
    ...head(json),
    choices: [{ index: 0, delta: messageFrom(json), finish_reason: json.is_end === true ? finishOf(json) : null }],
    usage: usageOf(json.usage),
  }),
  errorOf,
})
