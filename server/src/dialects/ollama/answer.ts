import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { noUsage, type Usage, withUnknown } from '../../billing/usage.ts'
import type { Answer, Finish, Part } from '../conversation/conversation.ts'
import {
  countOf,
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  textOf,
} from '../conversation/json.ts'
import { logprobsOf } from '../conversation/logprobs.ts'
import type { UpstreamError } from '../dialect.ts'

/** Other reasons, such as `load` and `unload`, count as `stop`. */
export const readFinish = (reason: unknown, hasCalls: boolean): Finish => {
  if (reason === 'length') return 'length'
  return hasCalls ? 'tool_calls' : 'stop'
}

/** Ollama omits the prompt count for a cached prompt. The input is 0 then, and the caller counts the prompt. */
export const readUsage = (json: JsonObject): Usage | undefined => {
  const input = countOf(json.prompt_eval_count)
  const output = countOf(json.eval_count)
  const unknown = json.done === true ? unknownMembers('ollama', json) : undefined
  if (input + output === 0 && unknown === undefined) return undefined
  return withUnknown({ ...noUsage, input, output }, unknown)
}

/** `created_at` in unix seconds; 0 when it is missing. */
export const createdOf = (json: JsonObject): number => {
  const time = Date.parse(textOf(json.created_at))
  return Number.isNaN(time) ? 0 : Math.floor(time / 1000)
}

/** The id of a call. Old servers send none: the time of the answer makes ids unique over turns. */
export const callId = (call: JsonObject, json: JsonObject, index: number): string =>
  textOf(call.id) || `call_${textOf(json.created_at).replace(/\D/g, '')}_${index}`

export const argumentsOf = (call: JsonObject): string => {
  const { arguments: input } = membersOf(call.function)
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}

/** Log probabilities, which have OpenAI's shape; an empty object without any. */
export const logprobsIn = (json: JsonObject) => defined({ logprobs: logprobsOf(listOf(json.logprobs)) })

const partsOf = (json: JsonObject): Part[] => {
  const message = membersOf(json.message)
  const thinking = textOf(message.thinking)
  const content = textOf(message.content)
  return [
    ...(thinking === '' ? [] : [{ kind: 'thinking', text: thinking } as const]),
    ...(content === '' ? [] : [{ kind: 'text', text: content } as const]),
    ...objectsOf(message.tool_calls).map(
      (call, index): Part => ({
        kind: 'tool_call',
        id: callId(call, json, index),
        name: textOf(membersOf(call.function).name),
        arguments: argumentsOf(call),
      }),
    ),
  ]
}

/** Reads a chat answer (docs.ollama.com/api/chat). */
export const readAnswer = (json: JsonObject): Answer => {
  const parts = partsOf(json)
  const hasCalls = parts.some(({ kind }) => kind === 'tool_call')
  return {
    id: '',
    model: textOf(json.model),
    created: createdOf(json),
    choices: [{ index: 0, parts, finish: readFinish(json.done_reason, hasCalls), ...logprobsIn(json) }],
    usage: readUsage(json),
  }
}

/** Ollama's error is a string; some proxies send OpenAI's error object. */
export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  if (typeof json.error === 'string') return { message: json.error }
  return isObject(json.error) ? { message: textOf(json.error.message) } : undefined
}
