import { ownMember } from '@tollgate/contract/own-member'
import {
  given,
  type Members,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { Losses } from '../../dialects/conversation/losses.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { inOpenaiWords, settings, statusFrom, textContent } from '../dialects/openai-words.ts'

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

export const errorOf = (json: Members): UpstreamError | undefined => {
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
const penaltyScore = (value: unknown, losses: Losses): Members => {
  const penalty = numberIn(value)
  if (penalty === undefined || penalty === 0) return {}
  if (penalty > 0) return { penalty_score: Math.min(2, 1 + penalty / 2) }
  losses.lose('frequency_penalty')
  return {}
}

/** The least that Wenxin accepts is 2 tokens. */
const outputLimit = (value: unknown): Members => {
  const tokens = numberIn(value)
  return tokens === undefined ? {} : { max_output_tokens: Math.max(2, tokens) }
}

const formatOf = (format: unknown, losses: Losses): Members => {
  const { type } = membersOf(format)
  if (type === 'json_schema') losses.lose('response_format.json_schema')
  return type === 'json_schema' || type === 'json_object' ? { response_format: 'json_object' } : {}
}

const assistantOf = (message: Members, losses: Losses): Members => {
  const calls = objectsOf(message.tool_calls)
  if (calls.length > 1) losses.lose('messages.tool_calls')
  const [call] = calls
  const content = textContent(message.content ?? '', losses)
  return call === undefined
    ? { role: 'assistant', content }
    : { role: 'assistant', content, function_call: call.function }
}

const merged = (a: Members, b: Members): Members => ({ ...a, content: `${textOf(a.content)}\n\n${textOf(b.content)}` })

/**
 * Merges consecutive messages of one role, because user and assistant must alternate. A tool result carries the name of its
 * function instead of the id of its call.
 */
const messagesOf = (messages: readonly Members[], losses: Losses): Members[] => {
  const names = new Map<unknown, unknown>()
  const turns: Members[] = []
  for (const message of messages) {
    for (const call of objectsOf(message.tool_calls)) names.set(call.id, membersOf(call.function).name)
    const content = textContent(message.content ?? '', losses)
    const turn =
      message.role === 'assistant'
        ? assistantOf(message, losses)
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

const isSystem = ({ role }: Members): boolean => role === 'system' || role === 'developer'

const systemOf = (messages: readonly Members[], losses: Losses): Members => {
  const texts = messages.filter(isSystem).map(({ content }) => textContent(content, losses))
  return texts.length === 0 ? {} : { system: texts.join('\n\n') }
}

const functionsOf = ({ tools, tool_choice: choice }: Members, losses: Losses): Members => {
  const functions = objectsOf(tools).map((tool) => {
    const { name, description, parameters: schema } = membersOf(tool.function)
    return { name, description: description ?? '', parameters: schema ?? { type: 'object', properties: {} } }
  })
  if (functions.length === 0 || choice === 'none') return {}
  if (choice === 'required') losses.lose('tool_choice.required')
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

const finishOf = (json: Members): string => {
  if (json.function_call !== undefined) return 'tool_calls'
  if (json.is_truncated === true) return 'length'
  return ownMember(finishes, textOf(json.finish_reason)) ?? 'stop'
}

const callOf = ({ id, function_call: call }: Members): Members => {
  if (call === undefined || call === null) return {}
  const { name, arguments: text } = membersOf(call)
  const functionCall = { name: textOf(name), arguments: textIn(text) ?? '{}' }
  return { tool_calls: [{ index: 0, id: `call_${textOf(id)}`, type: 'function', function: functionCall }] }
}

const citationsOf = (json: Members): Members => {
  const results = objectsOf(membersOf(json.search_info).search_results)
  const annotations = results.map(({ url, title }) => ({ type: 'url_citation', url_citation: { url, title } }))
  return annotations.length > 0 ? { annotations } : {}
}

const messageFrom = (json: Members): Members => ({
  content: textOf(json.result),
  ...callOf(json),
  ...citationsOf(json),
})

/** `completion_tokens` of a chunk counts that chunk only; `total_tokens` is cumulative, so the completion is derived from it. */
const usageOf = (value: unknown): Members => {
  const usage = membersOf(value)
  const { prompt_tokens: prompt, total_tokens: total } = usage
  const completion = (numberIn(total) ?? 0) - (numberIn(prompt) ?? 0)
  return { ...usage, completion_tokens: Math.max(completion, 0) }
}

const head = ({ id, created }: Members): Members => given({ id, created })

/** Wenxin's chat API, version 1 (cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t). */
export const wenxin = inOpenaiWords({
  name: 'wenxin',
  request({ frequency_penalty, max_tokens, response_format, ...body }, losses) {
    const messages = objectsOf(body.messages)
    return {
      messages: messagesOf(
        messages.filter((message) => !isSystem(message)),
        losses,
      ),
      ...systemOf(messages, losses),
      ...(body.stream === true ? { stream: true } : {}),
      ...penaltyScore(frequency_penalty, losses),
      ...settings(body, parameters, losses),
      ...outputLimit(max_tokens),
      ...formatOf(response_format, losses),
      ...functionsOf(body, losses),
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
