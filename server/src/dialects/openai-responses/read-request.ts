import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import type { AnswerFormat, Conversation, Message, Reasoning, ToolChoice } from '../conversation/conversation.ts'
import { effortIn } from '../conversation/effort.ts'
import {
  defined,
  flagIn,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
  without,
} from '../conversation/json.ts'
import { unreadMembers } from '../conversation/provider-fields.ts'
import type { RequestTarget } from '../dialect.ts'
import { readItems } from './items.ts'
import { readChoice, readTools } from './read-tools.ts'
import { repeatedFields } from './repeated-fields.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const translatedFields: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'user',
  'safety_identifier',
  'service_tier',
])

/** Fields with default values, or that affect only this dialect's answers. They are not reported as unsupported. */
const harmless: ReadonlySet<string> = new Set(['store', 'include', 'stream_options', 'truncation', 'metadata'])

const messagesOf = ({ input, instructions }: JsonObject): Message[] => {
  const system: Message[] =
    typeof instructions === 'string' && instructions !== ''
      ? [{ role: 'system', parts: [{ kind: 'text', text: instructions }] }]
      : []
  if (typeof input === 'string') return [...system, { role: 'user', parts: [{ kind: 'text', text: input }] }]
  if (!Array.isArray(input)) throw invalid('field input is required')
  return [...system, ...readItems(objectsOf(input))]
}

const readFormat = (text: JsonObject): AnswerFormat | undefined => {
  const format = membersOf(text.format)
  if (format.type === 'json_object') return { kind: 'json' }
  if (format.type === 'text') return { kind: 'text' }
  if (format.type !== 'json_schema') return undefined
  const fields = defined({ strict: flagIn(format.strict), description: textIn(format.description) })
  return { kind: 'schema', name: textOf(format.name) || 'answer', schema: membersOf(format.schema), ...fields }
}

const readReasoning = (value: unknown): Reasoning | undefined => {
  if (!isObject(value)) return undefined
  const effort = effortIn(value.effort)
  const setting = value.summary ?? value.generate_summary
  const summary = setting === 'auto' || setting === 'concise' || setting === 'detailed' ? setting : undefined
  return effort === undefined && summary === undefined ? undefined : defined({ effort, summary })
}

/** Tool choices that name tools of the provider. */
const unread = ({ tool_choice }: JsonObject, choice: ToolChoice | undefined): JsonObject =>
  isObject(tool_choice) && choice === undefined ? { tool_choice } : {}

export const logprobsIncluded = 'message.output_text.logprobs'

const wantsLogprobs = ({ include, top_logprobs: top }: JsonObject): boolean =>
  listOf(include).includes(logprobsIncluded) || (numberIn(top) ?? 0) > 0

/** `reasoning.context` chooses among reasoning of OpenAI's own models. */
const readMembers = {
  reasoning: new Set(['effort', 'summary', 'generate_summary', 'context']),
  text: new Set(['format', 'verbosity']),
}

/** Other models have no mode, which is the standard one. */
const withoutUsualMode = (body: JsonObject): JsonObject => {
  const { mode, ...reasoning } = membersOf(body.reasoning)
  return mode === 'standard' ? { ...body, reasoning } : body
}

/** A response request of OpenAI's dialect (platform.openai.com/docs/api-reference/responses/create). */
export const readRequest = (body: JsonObject, { model, stream }: RequestTarget): Conversation => {
  const text = membersOf(body.text)
  const tools = readTools(body)
  const toolChoice = readChoice(body.tool_choice, tools)
  return {
    model,
    stream,
    streamUsage: true,
    messages: messagesOf(body),
    tools,
    ...defined({
      toolChoice,
      parallelToolCalls: flagIn(body.parallel_tool_calls),
      format: readFormat(text),
      verbosity: textIn(text.verbosity),
      reasoning: readReasoning(body.reasoning),
      maxTokens: numberIn(body.max_output_tokens),
      temperature: numberIn(body.temperature),
      topP: numberIn(body.top_p),
      logprobs: wantsLogprobs(body) || undefined,
      topLogprobs: wantsLogprobs(body) ? numberIn(body.top_logprobs) : undefined,
      user: textIn(body.safety_identifier) ?? textIn(body.user),
      serviceTier: textIn(body.service_tier),
    }),
    own: {
      dialect: 'openai-responses',
      members: { ...without(body, new Set([...translatedFields, ...harmless])), ...unread(body, toolChoice) },
      quiet: Object.fromEntries(Object.entries(body).filter(([name]) => harmless.has(name))),
      ...unreadMembers(body.reasoning === undefined ? body : withoutUsualMode(body), readMembers),
      repeated: repeatedFields(body),
    },
  }
}

/** The field that refers to state stored at one provider; undefined if the request has none. */
export const storedStateField = (body: JsonObject): string | undefined =>
  ['previous_response_id', 'conversation', 'prompt'].find(
    (name) => ownMember(body, name) !== undefined && ownMember(body, name) !== null,
  )
