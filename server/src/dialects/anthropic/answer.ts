import { ownMember } from '@tollgate/contract/own-member'
import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { plainAnthropicUsage } from '../../billing/reported/plain-usage.ts'
import { statedInUsage } from '../../billing/stated/stated-costs.ts'
import { cachedTokens, completionTokens, noUsage, promptTokens, type Usage, withUnknown } from '../../billing/usage.ts'
import type { Answer, Citation, Finish, Part } from '../conversation/conversation.ts'
import {
  countOf,
  defined,
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { unsigned, wrapSignature } from '../conversation/signatures.ts'
import { inputOf } from '../tools/custom-tools.ts'
import { extrasOf, tierOf, withStreamExtras } from '../tools/tools-used.ts'
import { readIterations } from './billed/iterations.ts'
import { readBlock } from './blocks.ts'
import { opaqueBlocks } from './searches.ts'
import { unknownCalls, usageExtras } from './tools-used.ts'

const finishes: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  pause_turn: 'pause',
  refusal: 'refusal',
  compaction: 'pause',
}

export const readFinish = (reason: unknown): Finish => ownMember(finishes, textOf(reason)) ?? 'stop'

const reasons: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  failed: 'end_turn',
}

interface Ended {
  readonly finish: Finish
  readonly refused: boolean
  readonly called: boolean
}

/** Some providers report `stop` for a refusal or a forced tool call. */
export const writeFinish = ({ finish, refused, called }: Ended): string => {
  if (finish !== 'stop') return reasons[finish]
  if (called) return reasons.tool_calls
  return refused ? reasons.refusal : reasons.stop
}

/** The counts of one report, or of one entry of its iterations. */
export const countsOf = (value: JsonObject): Usage => {
  const written = membersOf(value.cache_creation)
  const hour = countOf(written.ephemeral_1h_input_tokens)
  const all = countOf(value.cache_creation_input_tokens)
  return {
    ...noUsage,
    input: countOf(value.input_tokens),
    cacheRead: countOf(value.cache_read_input_tokens),
    cacheWrite: Math.max(countOf(written.ephemeral_5m_input_tokens), all - hour),
    cacheWrite1h: hour,
    output: countOf(value.output_tokens),
    reasoning: countOf(membersOf(value.output_tokens_details).thinking_tokens),
  }
}

/** Usage of a whole message, with the calls of tools that no table knows. */
export const messageUsage = ({ usage, content }: JsonObject): Usage | undefined => {
  const read = readUsage(usage)
  if (read === undefined || !holdsServerCall(content)) return read
  const calls = unknownCalls(objectsOf(content))
  return Object.keys(calls).length === 0 ? read : withStreamExtras(read, extrasOf(calls, undefined))
}

/** False for almost all messages, whose blocks then need no count. */
const holdsServerCall = (content: unknown): boolean =>
  Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'server_tool_use')

/** `global` and `not_available` cost the same; a place that has a name may cost more. */
export const placeOf = ({ inference_geo: geo }: JsonObject): Pick<Usage, 'place'> => {
  const place = tierOf(geo)
  return place === undefined || place === 'global' || place === 'not_available' ? {} : { place }
}

/** Gateways of this dialect state a message's cost beside its tokens. */
const statedOf = (usage: JsonObject): Pick<Usage, 'stated'> => {
  const stated = statedInUsage(usage)
  return stated === undefined ? {} : { stated }
}

/**
 * `input_tokens` excludes tokens read from and written to the cache; `output_tokens` includes thinking. Where the answer took
 * several iterations (compaction, an advisor, a fallback), these are billed and the figures beside them are a part of it.
 */
export const readUsage = (value: unknown): Usage | undefined => plainAnthropicUsage(value) ?? readAnyUsage(value)

/** The same in the general way, for reports of every kind. */
export const readAnyUsage = (value: unknown): Usage | undefined => {
  if (!isObject(value)) return undefined
  const stated = countsOf(value)
  const extras = { ...usageExtras(value), ...placeOf(value), ...statedOf(value) }
  const unknown = unknownMembers('anthropic', value)
  const iterations = value.iterations === undefined ? undefined : readIterations(value, stated, { countsOf, placeOf })
  if (iterations === undefined) return withUnknown({ ...stated, ...extras }, unknown)
  const { counts, models } = iterations
  const read = { ...counts, ...extras, ...iterations.extras }
  return withUnknown(models === undefined ? read : { ...read, models }, unknown)
}

export const writeUsage = (usage: Usage): JsonObject => ({
  input_tokens: promptTokens(usage) - cachedTokens(usage) - usage.cacheWrite - usage.cacheWrite1h,
  cache_creation_input_tokens: usage.cacheWrite + usage.cacheWrite1h,
  cache_read_input_tokens: cachedTokens(usage),
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWrite,
    ephemeral_1h_input_tokens: usage.cacheWrite1h,
  },
  output_tokens: completionTokens(usage),
  ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
  ...searchesOf(usage),
})

const searchesOf = ({ tools }: Usage): JsonObject => {
  const searches = (tools?.web_search ?? 0) + (tools?.web_search_preview ?? 0) + (tools?.google_search_query ?? 0)
  return searches > 0 ? { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } } : {}
}

const withPlaces = (parts: readonly Part[]): Part[] => {
  let offset = 0
  return parts.map((part) => {
    if (part.kind !== 'text') return part
    const start = offset
    offset += part.text.length
    const citations = part.citations?.map((citation) => ({ ...citation, start, end: offset }))
    return citations === undefined ? part : { ...part, citations }
  })
}

/** Why the model refused (platform.claude.com/docs/en/build-with-claude/handling-stop-reasons). */
export const explanationIn = ({ stop_details: details }: JsonObject): string | undefined =>
  textIn(membersOf(details).explanation)

/** Reads a message (docs.anthropic.com/en/api/messages). */
export const readAnswer = (json: JsonObject): Answer => ({
  id: textOf(json.id),
  model: textOf(json.model),
  created: 0,
  choices: [
    {
      index: 0,
      parts: withPlaces(objectsOf(json.content).map(readBlock)),
      finish: readFinish(json.stop_reason),
      ...defined({ stopSequence: textIn(json.stop_sequence), explanation: explanationIn(json) }),
    },
  ],
  usage: messageUsage(json),
  ...defined({ serviceTier: textIn(membersOf(json.usage).service_tier) }),
})

export const writeCitation = ({ own, url, title, citedText }: Citation): JsonObject => {
  if (own?.dialect === 'anthropic') return own.value
  return {
    type: 'web_search_result_location',
    url: url ?? '',
    title: title ?? null,
    cited_text: citedText ?? '',
    encrypted_index: unsigned(own?.dialect),
  }
}

/** Encrypted thinking with a summary: one readable block carries both. */
const thinkingBlocks = (part: Extract<Part, { kind: 'thinking' }>): JsonObject[] => {
  const wrapped = wrapSignature(part, 'anthropic')
  if (part.text === '' && wrapped === undefined) return []
  const signature = wrapped ?? unsigned(part.by)
  if (part.encrypted !== undefined && part.text === '') return [{ type: 'redacted_thinking', data: signature }]
  return [{ type: 'thinking', thinking: part.text, signature }]
}

/** Writes Gemini's call signature as a thinking block before the call: calls have no signature here, thinking comes back unchanged. */
export const signedCall = (signature: string | undefined): JsonObject[] =>
  signature === undefined
    ? []
    : [{ type: 'redacted_thinking', data: wrapSignature({ by: 'gemini', signature }, 'anthropic') }]

const writePart = (part: Part): JsonObject[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal': {
      if (part.text === '') return []
      const citations = part.kind === 'text' ? part.citations?.map(writeCitation) : undefined
      // Absent without citations: the AI SDK refuses null, official clients accept both.
      return [{ type: 'text', text: part.text, ...defined({ citations }) }]
    }
    case 'thinking':
      return thinkingBlocks(part)
    case 'tool_call': {
      const { id, name, signature } = part
      return [...signedCall(signature), { type: 'tool_use', id, name, input: inputOf(part) }]
    }
    case 'opaque':
      return [...opaqueBlocks(part)]
    default:
      return []
  }
}

/** Details of a refusal for clients: other providers name no category. */
export const stopDetails = (reason: string, explanation: string): JsonObject => ({
  stop_details:
    reason === reasons.refusal ? { type: 'refusal', category: null, explanation: explanation || null } : null,
})

const refusalIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('')

/** Writes the first choice only: the dialect has no `n`. */
export const writeAnswer = (answer: Answer): JsonObject => {
  const [choice] = answer.choices
  const has = (wanted: Part['kind']): boolean => choice?.parts.some(({ kind }) => kind === wanted) === true
  const ended = { finish: choice?.finish ?? 'stop', refused: has('refusal'), called: has('tool_call') }
  const reason = writeFinish(ended)
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: (choice?.parts ?? []).flatMap(writePart),
    container: null,
    stop_reason: reason,
    stop_sequence: choice?.stopSequence ?? null,
    ...stopDetails(reason, refusalIn(choice?.parts ?? []) || (choice?.explanation ?? '')),
    usage: writeUsage(answer.usage ?? noUsage),
  }
}
