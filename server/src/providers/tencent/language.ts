import { ownMember } from '@tollgate/contract/own-member'
import { defined, isObject, type JsonObject, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { openaiShaped, settings, statusFrom } from '../dialects/openai-shaped.ts'

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]))
}

/** `tool_calls` → `ToolCalls`, through all levels. */
export const pascal = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

/** `ToolCalls` → `tool_calls`, through all levels. */
export const snake = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase())

/** Tencent Cloud's error code → HTTP status. It sends errors with status 200 (cloud.tencent.com/document/api/1729/101841). */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^AuthFailure/, 401],
  [/^UnauthorizedOperation|^ResourceUnavailable|InsufficientBalance|Arrears/i, 403],
  [/^ResourceNotFound|NotExist/, 404],
  [/^RequestLimitExceeded|^LimitExceeded|Throttl|^2003$/i, 429],
  [/^InvalidParameter|^MissingParameter|^UnknownParameter|^UnsupportedOperation|^OperationDenied/, 400],
]

const errorWithCode = (code: string, message: string): UpstreamError => ({
  message,
  type: code,
  code,
  status: statusFrom(statuses, code),
})

/** The error of a refused call (`Response.Error`) or of a broken stream (`ErrorMsg`). */
export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const { Code: code, Message: message } = membersOf(membersOf(json.Response).Error)
  if (code !== undefined) return errorWithCode(String(code), textOf(message))
  const { Code: number, Msg: text } = membersOf(json.ErrorMsg)
  return number === undefined || number === 0 ? undefined : errorWithCode(String(number), textOf(text))
}

const parameters: Readonly<Record<string, string>> = {
  temperature: 'Temperature',
  top_p: 'TopP',
  seed: 'Seed',
  stop: 'Stop',
  enable_enhancement: 'EnableEnhancement',
  stream_moderation: 'StreamModeration',
  search_info: 'SearchInfo',
  citation: 'Citation',
}

/** A list of parts goes to `Contents`, a text to `Content`, which may not be null. */
const messageOf = ({ name, content, ...message }: JsonObject, unsupported: UnsupportedFields): unknown => {
  if (name !== undefined) unsupported.add('messages.name')
  return Array.isArray(content)
    ? pascal({ ...message, contents: objectsOf(content) })
    : pascal({ ...message, content: content ?? '' })
}

/** `Parameters` is the JSON schema as text. */
const toolOf = (tool: JsonObject): unknown => {
  const { name, description, parameters: schema } = membersOf(tool.function)
  const definition = defined({ Name: name, Description: description, Parameters: JSON.stringify(schema ?? {}) })
  return { Type: tool.type, Function: definition }
}

const nameOf = (tool: JsonObject): unknown => membersOf(tool.function).name

const choiceOf = (choice: unknown, tools: readonly JsonObject[], unsupported: UnsupportedFields): JsonObject => {
  if (choice === 'none' || choice === 'auto') return { ToolChoice: choice }
  if (choice === 'required') {
    unsupported.add('tool_choice.required')
    return { ToolChoice: 'auto' }
  }
  const name = nameOf(membersOf(choice))
  const chosen = tools.find((tool) => name !== undefined && nameOf(tool) === name)
  return chosen === undefined ? {} : { ToolChoice: 'custom', CustomTool: toolOf(chosen) }
}

const toolMembers = ({ tools, tool_choice: choice }: JsonObject, unsupported: UnsupportedFields): JsonObject => {
  const list = objectsOf(tools)
  return list.length === 0 ? {} : { Tools: list.map(toolOf), ...choiceOf(choice, list, unsupported) }
}

const finishes: Readonly<Record<string, string>> = { sensitive: 'content_filter' }

const choices = (value: unknown): JsonObject[] =>
  objectsOf(value).map((choice) => {
    const reason = textOf(choice.finish_reason)
    return { ...choice, finish_reason: reason === '' ? null : (ownMember(finishes, reason) ?? reason) }
  })

const toOpenai = (json: unknown): JsonObject => {
  const answer = membersOf(snake(json))
  return { ...answer, choices: choices(answer.choices) }
}

/** Hunyuan's ChatCompletions of 2023-09-01 (cloud.tencent.com/document/api/1729/105701). */
export const hunyuan = openaiShaped({
  name: 'hunyuan',
  request: (body, unsupported) => ({
    Model: body.model,
    Messages: objectsOf(body.messages).map((message) => messageOf(message, unsupported)),
    ...(body.stream === true ? { Stream: true } : {}),
    ...settings(body, parameters, unsupported),
    ...toolMembers(body, unsupported),
  }),
  answer: (json) => toOpenai(json.Response),
  openChunks: () => toOpenai,
  errorOf,
})
