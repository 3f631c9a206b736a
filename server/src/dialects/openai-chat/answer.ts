import { ownMember } from '@tollgate/contract/own-member'
import { usageFromOpenai, usageFromTimings } from '../../billing/usage-openai.ts'
import type { Answer, AnswerChoice, Citation, Finish, Part } from '../conversation/conversation.ts'
import { dataUrl, sourceOfUrl } from '../conversation/data-url.ts'
import {
  defined,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { readMessage } from './read-message.ts'
import { withChatExtras } from './tools-used.ts'
import { writeUsage } from './usage.ts'
import { reasoningDetails } from './write-messages.ts'

const finishes: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Names of other providers.
  eos: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  end_turn: 'stop',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  // DeepSeek ran out of capacity and stopped early.
  insufficient_system_resource: 'length',
  // Zhipu: a filter removed the rest of the answer.
  sensitive: 'content_filter',
  // Zhipu and OpenRouter: the provider failed.
  network_error: 'failed',
  error: 'failed',
}

export const readFinish = (reason: unknown): Finish => ownMember(finishes, textOf(reason)) ?? 'stop'

const reasons: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  failed: 'stop',
}

export const writeFinish = (finish: Finish): string => reasons[finish]

export const readCitation = (annotation: JsonObject): Citation[] => {
  if (annotation.type !== 'url_citation') return []
  const citation = membersOf(annotation.url_citation)
  return [
    defined({
      url: textIn(citation.url),
      title: textIn(citation.title),
      start: numberIn(citation.start_index),
      end: numberIn(citation.end_index),
    }),
  ]
}

/**
 * Sources that stand beside the choices: Perplexity lists title and URL, xAI only URLs (docs.perplexity.ai/api-reference,
 * docs.x.ai).
 */
export const readSources = ({ search_results: results, citations }: JsonObject): Citation[] => {
  const found = objectsOf(results).map(({ url, title }) => defined({ url: textIn(url), title: textIn(title) }))
  if (found.length > 0) return found
  return listOf(citations).flatMap((url) => (typeof url === 'string' ? [{ url }] : []))
}

export const writeCitation = ({ url, title, start, end }: Citation): JsonObject => ({
  type: 'url_citation',
  url_citation: { url: url ?? '', title: title ?? '', start_index: start ?? 0, end_index: end ?? 0 },
})

/** Reads citations and pictures too, which the message holds beside its content. */
const partsOf = (message: JsonObject, sources: readonly Citation[]): Part[] => {
  const { parts } = readMessage({ ...message, role: 'assistant' })
  const annotated = objectsOf(message.annotations).flatMap(readCitation)
  const citations = annotated.length > 0 ? annotated : sources
  const images = objectsOf(message.images).map(
    (image): Part => ({ kind: 'image', source: sourceOfUrl(textOf(membersOf(image.image_url).url)) }),
  )
  const cited = parts.map((part) => (part.kind === 'text' && citations.length > 0 ? { ...part, citations } : part))
  return [...cited, ...images]
}

const readChoice = (choice: JsonObject, position: number, sources: readonly Citation[]): AnswerChoice => ({
  index: numberIn(choice.index) ?? position,
  parts: partsOf(membersOf(choice.message), sources),
  finish: readFinish(choice.finish_reason),
  ...defined({ logprobs: choice.logprobs ?? undefined }),
})

/** A chat completion (platform.openai.com/docs/api-reference/chat/object). */
export const readAnswer = (json: JsonObject): Answer => ({
  id: textOf(json.id),
  model: textOf(json.model),
  created: numberIn(json.created) ?? 0,
  choices: objectsOf(json.choices).map((choice, at) => readChoice(choice, at, readSources(json))),
  usage: withChatExtras(usageFromOpenai(json.usage) ?? usageFromTimings(json.timings), json),
  ...defined({ serviceTier: textIn(json.service_tier), fingerprint: textIn(json.system_fingerprint) }),
})

const textsOf = (parts: readonly Part[], kind: 'text' | 'thinking' | 'refusal'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('')

const audioMember = (parts: readonly Part[]): JsonObject => {
  const audio = parts.find((part) => part.kind === 'audio')
  if (audio?.source.kind !== 'base64') return {}
  const { id = 'audio', transcript = '', source } = audio
  return { audio: { id, data: source.data, expires_at: 0, transcript } }
}

const writeMessage = (parts: readonly Part[]): JsonObject => {
  const thoughts = parts.filter((part) => part.kind === 'thinking')
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const hasText = parts.some(({ kind }) => kind === 'text')
  const images = parts.flatMap((part) =>
    part.kind === 'image' && part.source.kind !== 'file'
      ? [part.source.kind === 'url' ? part.source.url : dataUrl(part.source)]
      : [],
  )
  const citations = parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []) : []))
  const refusal = textsOf(parts, 'refusal')
  const signed = thoughts.some(({ signature, encrypted }) => signature !== undefined || encrypted !== undefined)
  return {
    role: 'assistant',
    content: hasText ? textsOf(parts, 'text') : null,
    refusal: refusal === '' ? null : refusal,
    ...(thoughts.length > 0 ? { reasoning_content: textsOf(parts, 'thinking') } : {}),
    ...(signed ? { reasoning_details: thoughts.flatMap(reasoningDetails) } : {}),
    ...audioMember(parts),
    ...(citations.length > 0 ? { annotations: citations.map(writeCitation) } : {}),
    ...(images.length > 0 ? { images: images.map((url) => ({ type: 'image_url', image_url: { url } })) } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((call) => ({
            id: call.id,
            ...(call.custom
              ? { type: 'custom', custom: { name: call.name, input: call.arguments } }
              : { type: 'function', function: { name: call.name, arguments: call.arguments || '{}' } }),
            ...(call.signature === undefined
              ? {}
              : { extra_content: { google: { thought_signature: call.signature } } }),
          })),
        }
      : {}),
  }
}

const writeChoice = (choice: AnswerChoice): JsonObject => ({
  index: choice.index,
  message: writeMessage(choice.parts),
  logprobs: choice.logprobs ?? null,
  finish_reason: writeFinish(choice.finish),
})

export const writeAnswer = (answer: Answer): JsonObject => ({
  id: answer.id,
  object: 'chat.completion',
  created: answer.created,
  model: answer.model,
  choices: answer.choices.map(writeChoice),
  ...defined({
    usage: answer.usage && writeUsage(answer.usage),
    service_tier: answer.serviceTier,
    system_fingerprint: answer.fingerprint,
  }),
})
