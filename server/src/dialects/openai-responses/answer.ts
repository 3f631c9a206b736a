import { cachedTokens, completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import type {
  Answer,
  AnswerChoice,
  Conversation,
  Finish,
  ImagePart,
  Part,
  ToolCallPart,
} from '../conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { logprobEntries, logprobsOf } from '../conversation/logprobs.ts'
import { unsigned, wrapSignature } from '../conversation/signatures.ts'
import { clientToolCall } from './client-tools.ts'
import { writeOutputPart } from './content.ts'
import { readItem } from './items.ts'
import { repeatedIn } from './repeated-fields.ts'
import { responseUsage } from './tools-used.ts'

/** The finish reason. Tool calls show only in the items, not in the status. */
export const readFinish = (response: JsonObject, hasCalls: boolean): Finish => {
  const { reason } = membersOf(response.incomplete_details)
  if (reason === 'max_output_tokens') return 'length'
  if (reason === 'content_filter') return 'content_filter'
  return hasCalls ? 'tool_calls' : 'stop'
}

/**
 * The error of an event or a whole response that failed. Some gateways write it beside a response whose own error is null, or into
 * the event itself.
 */
export const failureInEvent = (event: JsonObject): JsonObject => {
  const response = membersOf(event.response)
  return [response.error, event.error].find(isObject) ?? (textOf(event.message) === '' ? {} : event)
}

/** Log probabilities of all text of the output. */
const logprobsIn = (output: readonly JsonObject[]): JsonObject | undefined =>
  logprobsOf(output.flatMap(({ content }) => objectsOf(content).flatMap(({ logprobs }) => listOf(logprobs))))

/** Converts citation positions from offsets in a part to offsets in the answer. */
const withPlaces = (parts: readonly Part[]): Part[] => {
  let offset = 0
  return parts.map((part) => {
    if (part.kind !== 'text' && part.kind !== 'refusal') return part
    const before = offset
    offset += part.text.length
    if (part.kind === 'refusal' || part.citations === undefined || before === 0) return part
    const later = (at: number | undefined): number | undefined => (at === undefined ? undefined : at + before)
    return {
      ...part,
      citations: part.citations.map((citation) => ({
        ...citation,
        ...defined({ start: later(citation.start), end: later(citation.end) }),
      })),
    }
  })
}

/** A response (platform.openai.com/docs/api-reference/responses/object). */
export const readAnswer = (json: JsonObject): Answer => {
  const parts = withPlaces(objectsOf(json.output).flatMap((item): readonly Part[] => readItem(item).parts))
  const hasCalls = parts.some(({ kind }) => kind === 'tool_call')
  return {
    id: textOf(json.id),
    model: textOf(json.model),
    created: Math.floor(numberIn(json.created_at) ?? 0),
    choices: [
      {
        index: 0,
        parts,
        finish: readFinish(json, hasCalls),
        ...defined({ logprobs: logprobsIn(objectsOf(json.output)) }),
      },
    ],
    usage: responseUsage(json),
    ...defined({ serviceTier: textIn(json.service_tier) }),
  }
}

export const writeUsage = (usage: Usage): JsonObject => {
  const input = promptTokens(usage)
  const output = completionTokens(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cachedTokens(usage),
      cache_write_tokens: usage.cacheWrite + usage.cacheWrite1h,
      ...(usage.cacheWrite1h === 0
        ? {}
        : { cache_write_tokens_details: { ttl_30m_tokens: usage.cacheWrite, ttl_12h_tokens: usage.cacheWrite1h } }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + output,
  }
}

/** The id of a response as OpenAI's begin, by which clients name it later; streams and whole answers have the same. */
export const responseId = (id: string): string => (id.startsWith('resp_') ? id : `resp_${id}`)

/** An item id, derived from the response's id; unique in the response. */
export const itemId = (prefix: string, response: string, index: number): string =>
  `${prefix}_${response.replace(/^[a-z]+[_-]/, '')}_${index}`

/** Writes Gemini's call signature as a reasoning item before the call: calls have no signature here, reasoning comes back unchanged. */
export const signedCall = (signature: string | undefined, id: string): JsonObject[] => {
  if (signature === undefined) return []
  const encrypted_content = wrapSignature({ by: 'gemini', signature }, 'openai-responses')
  return [{ id, type: 'reasoning', summary: [], encrypted_content }]
}

/** Writes a picture as an item of the image tool. URLs cannot be written. */
export const imageItem = ({ source }: ImagePart, id: string): JsonObject[] =>
  source.kind === 'base64' ? [{ id, type: 'image_generation_call', status: 'completed', result: source.data }] : []

/** OpenAI's id prefixes, by which clients may recognise item types. */
export const callPrefix = ({
  custom,
  clientTool,
}: Pick<ToolCallPart, 'clientTool'> & { readonly custom?: boolean }): string => {
  if (clientTool !== undefined) return clientTool
  return custom ? 'ctc' : 'fc'
}

/** Writes the output items: consecutive text is one item; each thought and call is another. */
const outputItems = (parts: readonly Part[], id: string): JsonObject[] => {
  const items: JsonObject[] = []
  let offset = 0
  for (const part of parts) {
    const last = items.at(-1)
    switch (part.kind) {
      case 'text':
      case 'refusal':
        if (last?.type === 'message') contentOf(last).push(...writeOutputPart(part, offset))
        else {
          const content = writeOutputPart(part, offset)
          items.push({
            id: itemId('msg', id, items.length),
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content,
          })
        }
        offset += part.text.length
        break
      case 'thinking':
        items.push({
          id: part.id ?? itemId('rs', id, items.length),
          type: 'reasoning',
          summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
          encrypted_content: wrapSignature(part, 'openai-responses') ?? unsigned(part.by),
        })
        break
      case 'tool_call':
        items.push(...signedCall(part.signature, itemId('rs', id, items.length)))
        items.push(
          callItem(
            { ...part, arguments: part.arguments || (part.custom ? '' : '{}') },
            itemId(callPrefix(part), id, items.length),
          ),
        )
        break
      case 'image':
        items.push(...imageItem(part, itemId('ig', id, items.length)))
        break
      case 'opaque':
        if (part.dialect === 'openai-responses') items.push(part.value)
        break
      default:
    }
  }
  return items
}

/** Attaches the log probabilities to the first text. */
const withLogprobs = (items: readonly JsonObject[], logprobs: readonly unknown[]): readonly JsonObject[] => {
  const first = items.findIndex(({ type }) => type === 'message')
  if (logprobs.length === 0) return items
  return items.map((item, at) => {
    if (at !== first) return item
    const content = contentOf(item).map((part, place) => (place === 0 && isObject(part) ? { ...part, logprobs } : part))
    return { ...item, content }
  })
}

const contentOf = (item: JsonObject): unknown[] => item.content as unknown[]

export const callItem = (part: Extract<Part, { kind: 'tool_call' }>, id: string): JsonObject => {
  const { clientTool, custom, name, namespace, arguments: text } = part
  if (clientTool !== undefined)
    return { id, ...clientToolCall(clientTool, parsedJson(text)), status: 'completed', call_id: part.id }
  const fields = { status: 'completed', call_id: part.id, name, ...defined({ namespace }) }
  return custom
    ? { id, type: 'custom_tool_call', ...fields, input: text }
    : { id, type: 'function_call', ...fields, arguments: text }
}

const incomplete: Readonly<Partial<Record<Finish, string>>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
  refusal: 'content_filter',
}

interface Ended {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
}

export const endOf = (finish: Finish): Ended => {
  const reason = incomplete[finish]
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } }
}

/** Writes the first choice only: the dialect has no `n`. */
export const writeAnswer = (answer: Answer, conversation: Conversation): JsonObject => {
  const [choice]: readonly (AnswerChoice | undefined)[] = answer.choices
  return {
    id: responseId(answer.id),
    object: 'response',
    created_at: answer.created,
    ...repeatedIn(conversation),
    ...endOf(choice?.finish ?? 'stop'),
    error: null,
    model: answer.model,
    output: withLogprobs(outputItems(choice?.parts ?? [], answer.id), logprobEntries(choice?.logprobs)),
    ...defined({ usage: answer.usage && writeUsage(answer.usage), service_tier: answer.serviceTier }),
  }
}
