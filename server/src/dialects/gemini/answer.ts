import { randomUUID } from 'node:crypto'
import { ownMember } from '@tollgate/contract/own-member'
import { withUnexplained } from '../../billing/declared/unexplained-total.ts'
import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { splitCount } from '../../billing/reported/counts.ts'
import { plainGeminiUsage } from '../../billing/reported/plain-usage.ts'
import { statedInUsage } from '../../billing/stated/stated-costs.ts'
import {
  cachedTokens,
  completionTokens,
  noUsage,
  promptTokens,
  type Usage,
  withMore,
  withStated,
  withUnknown,
} from '../../billing/usage.ts'
import type { Answer, AnswerChoice, Finish, Part } from '../conversation/conversation.ts'
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
import { wrapSignature } from '../conversation/signatures.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { withExtras } from '../tools/tools-used.ts'
import { withPackedThoughts } from './carried-thoughts.ts'
import { readCitations, readSearch, writeCitations } from './grounding.ts'
import { readLogprobs, writeLogprobs } from './logprobs.ts'
import { inventedId, readPart, writePart } from './parts.ts'
import { groundingOf, usageTier } from './tools-used.ts'

const finishes: Readonly<Record<string, Finish>> = {
  '': 'stop',
  FINISH_REASON_UNSPECIFIED: 'stop',
  STOP: 'stop',
  MAX_TOKENS: 'length',
  // The limit of one request; only clients of this dialect can send the token that continues the answer.
  CONTINUATION: 'length',
  // The output of the model was invalid, which is no refusal.
  MALFORMED_FUNCTION_CALL: 'failed',
  MALFORMED_RESPONSE: 'failed',
  UNEXPECTED_TOOL_CALL: 'failed',
  TOO_MANY_TOOL_CALLS: 'failed',
  MISSING_THOUGHT_SIGNATURE: 'failed',
}

/**
 * Answers with tool calls also finish with STOP. Every reason outside the table, including new ones, becomes `content_filter`:
 * Google withheld the rest, so the answer must not count as complete (ai.google.dev/api/generate-content#FinishReason).
 */
export const readFinish = (reason: unknown, hasCalls: boolean): Finish => {
  const finish = ownMember(finishes, textOf(reason)) ?? 'content_filter'
  return (finish === 'stop' || finish === 'failed') && hasCalls ? 'tool_calls' : finish
}

const refusals = /^(IMAGE_)?(SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(BLOCKLIST|SPII|LANGUAGE)$/

/** Google's reason for withholding an answer, or for failing to read it; undefined for none. */
export const explanationIn = ({ finishReason, finishMessage }: JsonObject): string | undefined =>
  refusals.test(textOf(finishReason)) || ownMember(finishes, textOf(finishReason)) === 'failed'
    ? textIn(finishMessage)
    : undefined

/** Why Google refused a prompt. */
export const blockedFor = ({ promptFeedback }: JsonObject): string | undefined =>
  textIn(membersOf(promptFeedback).blockReasonMessage)

const reasons: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  pause: 'STOP',
  failed: 'STOP',
}

export const writeFinish = (finish: Finish): string => reasons[finish]

const ofModality = (details: unknown, modality: string): number =>
  objectsOf(details).reduce((sum, detail) => sum + (detail.modality === modality ? countOf(detail.tokenCount) : 0), 0)

/** promptTokenCount includes cached tokens; it excludes thoughts and the results of Google's own tools. */
export const readUsage = (value: unknown): Usage | undefined => plainGeminiUsage(value) ?? readAnyUsage(value)

/** The same in the general way, for reports of every kind. */
export const readAnyUsage = (value: unknown): Usage | undefined => {
  if (!isObject(value)) return undefined
  const undeclared = unknownMembers('gemini', value)
  const isEmpty = value.totalTokenCount === undefined && value.promptTokenCount === undefined
  if (isEmpty && undeclared === undefined) return undefined
  const prompt = countOf(value.promptTokenCount) + countOf(value.toolUsePromptTokenCount)
  const cached = Math.min(countOf(value.cachedContentTokenCount), prompt)
  const ofCache = (modality: string): number => ofModality(value.cacheTokensDetails, modality)
  const ofPrompt = (modality: string): number => ofModality(value.promptTokensDetails, modality) - ofCache(modality)
  // Sessions call an answer a response.
  const details = value.candidatesTokensDetails ?? value.responseTokensDetails
  const ofAnswer = (modality: string): number => ofModality(details, modality)
  const [cacheRead, cachedAudio = 0, cachedImages = 0] = splitCount(cached, [ofCache('AUDIO'), ofCache('IMAGE')])
  const fresh = [ofPrompt('AUDIO'), ofPrompt('IMAGE'), ofPrompt('VIDEO')]
  const [input, audioInput = 0, images = 0, videos = 0] = splitCount(prompt - cached, fresh)
  const made = [ofAnswer('AUDIO'), ofAnswer('IMAGE'), ofAnswer('VIDEO')]
  // Some answers state details without their sum.
  const stated = countOf(value.candidatesTokenCount) || countOf(value.responseTokenCount)
  const answered = stated || made.reduce((sum, count) => sum + count, 0)
  const [output, audioOutput = 0, drawn = 0, filmed = 0] = splitCount(answered, made)
  const reasoning = countOf(value.thoughtsTokenCount)
  const tier = usageTier(value)
  const unknown = withUnexplained(undeclared, {
    dialect: 'gemini',
    name: 'totalTokenCount',
    total: countOf(value.totalTokenCount),
    parts: prompt + answered + reasoning,
  })
  const read = {
    ...noUsage,
    ...(tier === undefined ? {} : { tier }),
    input,
    cacheRead,
    audioInput,
    output: output + reasoning,
    audioOutput,
    reasoning,
    ...withMore({
      audio_cache_read: cachedAudio,
      image_cache_read: cachedImages,
      image_input: images,
      video_input: videos,
      image_output: drawn,
      video_output: filmed,
    }),
  }
  // Gateways of this dialect state an answer's cost beside its tokens.
  return withStated(withUnknown(read, unknown), statedInUsage(value))
}

export const writeUsage = (usage: Usage): JsonObject => {
  const prompt = promptTokens(usage)
  const completion = completionTokens(usage)
  const cached = cachedTokens(usage)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - usage.reasoning,
    totalTokenCount: prompt + completion,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  }
}

const saidIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join('')

const readCandidate = (candidate: JsonObject, position: number, answer: string): AnswerChoice => {
  let calls = 0
  const parts = objectsOf(membersOf(candidate.content).parts)
    .map(readPart)
    .map((part): Part => {
      if (part.kind !== 'tool_call') return part
      calls += 1
      return { ...part, id: part.id || inventedId(calls, answer) }
    })
  const citations = readCitations(membersOf(candidate.groundingMetadata), saidIn(parts))
  const last = parts.findLastIndex(({ kind }) => kind === 'text')
  const cited = parts.map((part, index) =>
    index === last && part.kind === 'text' && citations.length > 0 ? { ...part, citations } : part,
  )
  const search = readSearch(membersOf(candidate.groundingMetadata), answer)
  const first = cited.findIndex(({ kind }) => kind === 'text')
  return {
    index: numberIn(candidate.index) ?? position,
    parts: search === undefined ? cited : cited.toSpliced(Math.max(0, first), 0, search),
    finish: readFinish(candidate.finishReason, calls > 0),
    ...defined({ logprobs: readLogprobs(candidate), explanation: explanationIn(candidate) }),
  }
}

/** Google answers a refused prompt without candidates. */
const blocked = (json: JsonObject): AnswerChoice[] =>
  membersOf(json.promptFeedback).blockReason === undefined
    ? []
    : [{ index: 0, parts: [], finish: 'content_filter', ...defined({ explanation: blockedFor(json) }) }]

/** Reads a generateContent answer (ai.google.dev/api/generate-content#generatecontentresponse). */
export const readAnswer = (json: JsonObject): Answer => {
  const choices = objectsOf(json.candidates).map((candidate, at) =>
    readCandidate(candidate, at, textOf(json.responseId) || randomUUID()),
  )
  return {
    id: textOf(json.responseId),
    model: textOf(json.modelVersion),
    created: 0,
    choices: choices.length > 0 ? choices : blocked(json),
    usage: withExtras(readUsage(json.usageMetadata), groundingOf(json.candidates)),
  }
}

/** Writes a part of an answer. Thinking of other providers is written as `thought` parts, too. */
export const answerPart = (part: Part): JsonObject[] => {
  if (part.kind === 'thinking') {
    const own = part.by === undefined || part.by === 'gemini'
    const wrapped = wrapSignature(part, 'gemini')
    const signature = own || wrapped === undefined ? wrapped : Buffer.from(wrapped).toString('base64')
    if (part.text === '' && signature === undefined) return []
    return [{ text: part.text, thought: true, ...defined({ thoughtSignature: signature }) }]
  }
  if (part.kind === 'text' && part.text === '' && part.signature === undefined) return []
  // writeCitations writes searches to groundingMetadata.
  if (part.kind === 'opaque' && part.search !== undefined) return []
  return writePart(part, createUnsupportedFields())
}

const writeChoice = ({ index, parts, finish, explanation, logprobs }: AnswerChoice): JsonObject => {
  const refused = finish === 'stop' && parts.some(({ kind }) => kind === 'refusal')
  return {
    content: { role: 'model', parts: withPackedThoughts(parts).flatMap(answerPart) },
    finishReason: writeFinish(refused ? 'refusal' : finish),
    ...defined({ finishMessage: explanation }),
    ...writeLogprobs(logprobs),
    ...writeCitations(
      parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []) : [])),
      saidIn(parts),
    ),
    index,
  }
}

export const writeAnswer = (answer: Answer): JsonObject => ({
  candidates: answer.choices.map(writeChoice),
  ...defined({ usageMetadata: answer.usage && writeUsage(answer.usage) }),
  modelVersion: answer.model,
  responseId: answer.id,
})

/**
 * Usage of one turn of a session, which names what the model said a response, where other answers name candidates
 * (ai.google.dev/api/live, UsageMetadata). undefined where nothing is reported.
 */
export const readLiveUsage = (metadata: unknown): Usage | undefined => {
  if (!isObject(metadata)) return undefined
  const { responseTokenCount, responseTokensDetails, candidatesTokenCount, candidatesTokensDetails, ...rest } = metadata
  return readUsage({
    ...rest,
    candidatesTokenCount: responseTokenCount ?? candidatesTokenCount,
    candidatesTokensDetails: responseTokensDetails ?? candidatesTokensDetails,
  })
}
