import { ownMember } from '@tollgate/contract/own-member'
import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { noUsage, type Usage, withUnknown } from '../../billing/usage.ts'
import type { Answer, Citation, Finish, Part } from '../conversation/conversation.ts'
import {
  countOf,
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import type { UpstreamError } from '../dialect.ts'

const finishes: Readonly<Record<string, Finish>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop_sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
}

export const readFinish = (reason: unknown): Finish => ownMember(finishes, textOf(reason)) ?? 'stop'

const failures: Readonly<Record<string, string>> = {
  ERROR: 'the model failed while it answered',
  TIMEOUT: 'the model took too long',
}

/** The error of a finish reason that means a failure; undefined for other reasons. */
export const failureOf = (reason: unknown): UpstreamError | undefined => {
  const message = ownMember(failures, textOf(reason))
  return message === undefined ? undefined : { message, type: textOf(reason) }
}

/** Reads `tokens` before `billed_units`, which exclude the tokens that Cohere adds to a prompt. Input includes cached tokens. */
export const readUsage = (value: unknown): Usage | undefined => {
  if (!isObject(value)) return undefined
  const stated = isObject(value.tokens) ? value.tokens : membersOf(value.billed_units)
  const input = countOf(stated.input_tokens)
  const output = countOf(stated.output_tokens)
  const unknown = unknownMembers('cohere', value)
  if (input + output === 0 && unknown === undefined) return undefined
  const cacheRead = Math.min(countOf(value.cached_tokens), input)
  const reasoning = Math.min(countOf(stated.reasoning_tokens), output)
  return withUnknown({ ...noUsage, input: input - cacheRead, cacheRead, output, reasoning }, unknown)
}

/** The URL and title of a source; undefined for results of the client's tools, which have neither. */
const sourceCitation = (source: JsonObject): Citation | undefined => {
  const document = isObject(source.document) ? source.document : membersOf(source.tool_output)
  const url = textIn(document.url)
  const title = textIn(document.title)
  return url === undefined && title === undefined ? undefined : defined({ url, title })
}

export const readCitations = (citation: JsonObject): Citation[] => {
  const place = {
    citedText: textIn(citation.text),
    start: numberIn(citation.start),
    end: numberIn(citation.end),
  }
  return objectsOf(citation.sources)
    .map(sourceCitation)
    .filter((source) => source !== undefined)
    .map((source) => ({ ...source, ...defined(place) }))
}

const readBlock = (block: JsonObject): Part | undefined => {
  if (block.type === 'thinking') return { kind: 'thinking', text: textOf(block.thinking) }
  return block.type === 'text' ? { kind: 'text', text: textOf(block.text) } : undefined
}

const withCitations = (parts: readonly Part[], citations: readonly JsonObject[]): Part[] =>
  parts.map((part, index) => {
    if (part.kind !== 'text') return part
    const cited = citations.filter(({ content_index: at }) => at === undefined || at === index).flatMap(readCitations)
    return cited.length === 0 ? part : { ...part, citations: cited }
  })

const readCall = (call: JsonObject): Part => {
  const { name, arguments: text } = membersOf(call.function)
  return { kind: 'tool_call', id: textOf(call.id), name: textOf(name), arguments: textOf(text) }
}

const partsOf = (message: JsonObject): Part[] => {
  const blocks = objectsOf(message.content).map(readBlock)
  const content = withCitations(
    blocks.filter((part) => part !== undefined),
    objectsOf(message.citations),
  )
  // The plan for the tool calls becomes text before them.
  const plan = textOf(message.tool_plan)
  const planned: Part[] = plan === '' ? [] : [{ kind: 'text', text: plan }]
  return [...planned, ...content, ...objectsOf(message.tool_calls).map(readCall)]
}

/** Reads a chat answer (docs.cohere.com/reference/chat). */
export const readAnswer = (json: JsonObject): Answer => ({
  id: textOf(json.id),
  model: '',
  created: 0,
  choices: [{ index: 0, parts: partsOf(membersOf(json.message)), finish: readFinish(json.finish_reason) }],
  usage: readUsage(json.usage),
})

/** In an error `message` is a string, in an answer an object. */
export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  if (typeof json.message !== 'string') return failureOf(json.finish_reason)
  return { message: json.message, ...defined({ type: textIn(json.error_type) }) }
}
