import { createHash } from 'node:crypto'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamDialect, UpstreamError } from '../../dialects/dialect.ts'
import { openaiShaped, settings, statusFrom, textContent } from '../dialects/openai-shaped.ts'
import type { Version } from './versions.ts'

/** Spark's error code → HTTP status (www.xfyun.cn/doc/spark/接口说明.html). */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^(10015|10016|11200)$/, 403],
  [/^(10006|10007|1120[1-3])$/, 429],
  [/^(10003|10004|10005|10013|10014|10019|10021|10163|10907)$/, 400],
  [/^(10008|10110)$/, 503],
]

const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const { code, message } = membersOf(json.header)
  if (numberIn(code) === undefined || code === 0) return undefined
  const text = String(code)
  return { message: textOf(message), type: 'xunfei_error', code: text, status: statusFrom(statuses, text) }
}

const parameters: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  max_tokens: 'max_tokens',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
}

/** Models without system messages get the text as a user message and its acknowledgement. */
const systemAsUser = (content: string): JsonObject[] => [
  { role: 'user', content },
  { role: 'assistant', content: 'Okay' },
]

const messageOf = (message: JsonObject, version: Version, unsupported: UnsupportedFields): JsonObject[] => {
  const content = textContent(message.content ?? '', unsupported)
  if (message.name !== undefined) unsupported.add('messages.name')
  switch (message.role) {
    case 'system':
    case 'developer':
      return version.system ? [{ role: 'system', content }] : systemAsUser(content)
    case 'assistant':
      if (message.tool_calls !== undefined) unsupported.add('messages.tool_calls')
      return content === '' ? [] : [{ role: 'assistant', content }]
    case 'tool':
      unsupported.add('messages.tool')
      return [{ role: 'user', content }]
    default:
      return [{ role: 'user', content }]
  }
}

/** A user id of at most 32 characters: longer names are hashed. */
const uidOf = (user: string): string =>
  user.length <= 32 ? user : createHash('sha256').update(user).digest('hex').slice(0, 32)

const request = (body: JsonObject, version: Version, unsupported: UnsupportedFields): JsonObject => {
  const { user, tools, reasoning_effort: _, ...rest } = body
  // Spark calls functions only over HTTP (www.xfyun.cn/doc/spark/Web.html §1.1).
  if (tools !== undefined) unsupported.add('tools')
  return {
    header: typeof user === 'string' ? { uid: uidOf(user) } : {},
    parameter: { chat: { domain: version.domain, ...settings(rest, parameters, unsupported) } },
    payload: {
      message: { text: objectsOf(body.messages).flatMap((message) => messageOf(message, version, unsupported)) },
    },
  }
}

const chunk = (json: JsonObject): JsonObject => {
  const { sid } = membersOf(json.header)
  const { choices, usage } = membersOf(json.payload)
  const { status, text } = membersOf(choices)
  const messages = objectsOf(text)
  return {
    id: textOf(sid),
    choices: [
      {
        index: 0,
        delta: {
          content: messages.map(({ content }) => textOf(content)).join(''),
          reasoning_content: messages.map(({ reasoning_content: reasoning }) => textOf(reasoning)).join(''),
        },
        finish_reason: status === 2 ? 'stop' : null,
      },
    ],
    ...defined({ usage: isObject(usage) ? usage.text : undefined }),
  }
}

/** True for the last message of an answer: status 2, or an error code. */
export const isLastMessage = (message: string): boolean => {
  const json = membersOf(parsedJson(message))
  const { status, code } = membersOf(json.header)
  return status === 2 || (numberIn(code) ?? 0) !== 0
}

/** Spark's WebSocket API (www.xfyun.cn/doc/spark/Web.html). Signing the call adds the app's id to the header. */
export const spark = (version: Version): UpstreamDialect =>
  openaiShaped({
    name: 'spark',
    capabilities: { topK: true },
    request: (body, unsupported) => request(body, version, unsupported),
    // Every answer is a stream.
    answer: chunk,
    openChunks: () => chunk,
    errorOf,
  })
