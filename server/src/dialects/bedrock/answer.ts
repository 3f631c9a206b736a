import { ownMember } from '@tollgate/contract/own-member'
import { withUnexplained } from '../../billing/declared/unexplained-total.ts'
import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { completionTokens, noUsage, promptTokens, type Usage, withUnknown } from '../../billing/usage.ts'
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
import { extrasOf, tierAmong, toolNamed, withExtras } from '../tools/tools-used.ts'

const finishes: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  malformed_model_output: 'failed',
  malformed_tool_use: 'failed',
}

export const readFinish = (reason: unknown): Finish => ownMember(finishes, textOf(reason)) ?? 'stop'

/** Converse's `inputTokens` exclude tokens read from and written to the cache. */
export const readUsage = (value: unknown): Usage | undefined => {
  if (!isObject(value)) return undefined
  const written = countOf(value.cacheWriteInputTokens)
  const hour = objectsOf(value.cacheDetails)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + countOf(inputTokens), 0)
  const cacheWrite1h = Math.min(hour, written)
  const read = {
    ...noUsage,
    input: countOf(value.inputTokens),
    cacheRead: countOf(value.cacheReadInputTokens),
    cacheWrite: written - cacheWrite1h,
    cacheWrite1h,
    output: countOf(value.outputTokens),
  }
  const unknown = withUnexplained(unknownMembers('bedrock', value), {
    dialect: 'bedrock',
    name: 'totalTokens',
    total: countOf(value.totalTokens),
    parts: promptTokens(read) + completionTokens(read),
  })
  return withUnknown(read, unknown)
}

/** Decodes encrypted reasoning: Converse sends bytes where Anthropic's API has text. */
export const readEncrypted = (content: unknown): string => Buffer.from(textOf(content), 'base64').toString()

const thought = (content: JsonObject): Part => {
  if (content.redactedContent !== undefined) {
    return { kind: 'thinking', text: '', encrypted: readEncrypted(content.redactedContent), by: 'anthropic' }
  }
  const { text, signature } = membersOf(content.reasoningText)
  const signed = textIn(signature)
  return {
    kind: 'thinking',
    text: textOf(text),
    ...(signed === undefined ? {} : { signature: signed, by: 'anthropic' as const }),
  }
}

export const readCitation = (citation: JsonObject): Citation => {
  const cited = objectsOf(citation.sourceContent).map(({ text }) => textOf(text))
  const { url } = membersOf(membersOf(citation.location).web)
  return defined({
    url: textIn(url),
    title: textIn(citation.title),
    citedText: cited.length > 0 ? cited.join('') : undefined,
  })
}

const citedText = (content: JsonObject): Part => {
  const text = objectsOf(content.content)
    .map((piece) => textOf(piece.text))
    .join('')
  return { kind: 'text', text, citations: objectsOf(content.citations).map(readCitation) }
}

/** Tools that run at Bedrock and cost nothing beside tokens (docs.aws.amazon.com/nova/latest/nova2-userguide/using-tools.html). */
const serverTools: ReadonlySet<unknown> = new Set(['nova_code_interpreter'])

/** Calls of tools that run at Bedrock and that no table knows. */
export const unknownCalls = (calls: readonly JsonObject[]): Record<string, number> => {
  const found = new Map<string, number>()
  for (const call of calls) {
    if (isClientCall(call) || serverTools.has(call.name)) continue
    const tool = toolNamed(call.name)
    found.set(tool, (found.get(tool) ?? 0) + 1)
  }
  return Object.fromEntries(found)
}

/** Usage of an answer with its tier and the tools that its blocks name. */
export const billedUsage = (
  { usage, serviceTier, performanceConfig }: JsonObject,
  calls: readonly JsonObject[],
): Usage | undefined => {
  const tier = tierAmong(membersOf(serviceTier).type, membersOf(performanceConfig).latency)
  return withExtras(readUsage(usage), extrasOf(unknownCalls(calls), tier))
}

/** False for calls of provider tools, which the client cannot answer. */
export const isClientCall = (call: JsonObject): boolean => call.type !== 'server_tool_use'

const readBlock = (block: JsonObject): Part[] => {
  if (typeof block.text === 'string') return block.text === '' ? [] : [{ kind: 'text', text: block.text }]
  if (isObject(block.reasoningContent)) return [thought(block.reasoningContent)]
  if (isObject(block.citationsContent)) return [citedText(block.citationsContent)]
  if (isObject(block.image)) {
    const { format, source } = block.image
    const data = textOf(membersOf(source).bytes)
    return [{ kind: 'image', source: { kind: 'base64', mediaType: `image/${textOf(format)}`, data } }]
  }
  if (!isObject(block.toolUse) || !isClientCall(block.toolUse)) return []
  const { toolUseId, name, input } = block.toolUse
  return [{ kind: 'tool_call', id: textOf(toolUseId), name: textOf(name), arguments: JSON.stringify(input ?? {}) }]
}

/** Reads an answer of Converse (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html). */
export const readAnswer = (json: JsonObject): Answer => {
  const { message } = membersOf(json.output)
  const stopSequence = textIn(membersOf(json.additionalModelResponseFields).stop_sequence)
  return {
    id: '',
    model: '',
    created: 0,
    choices: [
      {
        index: 0,
        parts: objectsOf(membersOf(message).content).flatMap(readBlock),
        finish: readFinish(json.stopReason),
        ...defined({ stopSequence }),
      },
    ],
    usage: billedUsage(
      json,
      objectsOf(membersOf(message).content).flatMap(({ toolUse }) => (isObject(toolUse) ? [toolUse] : [])),
    ),
  }
}
