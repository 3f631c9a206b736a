import type { Usage } from '../../billing/usage.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import { readUsage } from '../../dialects/anthropic/answer.ts'
import { searchesIn } from '../../dialects/anthropic/tools-used.ts'
import { isObject, objectsOf } from '../../dialects/conversation/json.ts'
import { readUsage as readGeminiUsage } from '../../dialects/gemini/answer.ts'
import { groundingOf } from '../../dialects/gemini/tools-used.ts'
import { chatExtras } from '../../dialects/openai-chat/tools-used.ts'
import { responseExtras, responseUsage } from '../../dialects/openai-responses/tools-used.ts'
import { type Extras, extrasOf, withExtras } from '../../dialects/tools/tools-used.ts'
import type { RelayEndpoint } from '../call.ts'
import { transcriptUsage } from '../media/transcripts.ts'
import { usageOf, usageOfTotal } from '../usage/usage-of-answer.ts'
import type { Watch } from '../usage/watch.ts'
import { watchAnthropic } from '../usage/watch-anthropic.ts'
import { watchGemini } from '../usage/watch-gemini.ts'
import { watchOpenai } from '../usage/watch-openai.ts'
import { watchResponses } from '../usage/watch-responses.ts'
import { type Said, said } from './answer-text.ts'

/** How answers that go through untouched are understood, in one dialect. */
interface Words {
  usage(answer: Readonly<Record<string, unknown>>): Usage | undefined
  said(answer: unknown): Said
  /** Tools and tier of an answer whose tokens nobody reported. */
  extras(answer: Readonly<Record<string, unknown>>): Extras
  /** `limits` is what a report is believed up to. */
  watch(limits?: UsageLimits): Watch
  /** Whether a body with status 200 says that the upstream failed. */
  isError(answer: Readonly<Record<string, unknown>>): boolean
}

const openai: Words = {
  usage: usageOf,
  said,
  extras: chatExtras,
  watch: watchOpenai,
  isError: (answer) => isObject(answer.error),
}

const anthropic: Words = {
  usage: (answer) => readUsage(answer.usage),
  said: (answer) => watchAnthropic().said(answer),
  extras: ({ content }) => extrasOf({ web_search: searchesIn(objectsOf(content)) }, undefined),
  watch: watchAnthropic,
  isError: (answer) => answer.type === 'error',
}

const gemini: Words = {
  usage: (answer) => withExtras(readGeminiUsage(answer.usageMetadata), groundingOf(answer.candidates)),
  said: (answer) => watchGemini().said(answer),
  extras: ({ candidates }) => groundingOf(candidates),
  watch: watchGemini,
  isError: (answer) => isObject(answer.error),
}

const responses: Words = {
  usage: responseUsage,
  said: (answer) => watchResponses().said(answer),
  extras: responseExtras,
  watch: watchResponses,
  // A response always has the member; null where nothing went wrong.
  isError: (answer) => isObject(answer.error),
}

/** Embeddings and rerank: some providers only know a total, and Gemini has words of its own. */
const vectors: Words = {
  ...openai,
  usage: (answer) => usageOf(answer) ?? usageOfTotal(answer) ?? readGeminiUsage(answer.usageMetadata),
  said: () => ({ text: '', toolCalls: 0 }),
}

/** Pictures and speech: nothing that was said could be counted, and no mark ends their events. */
const media: Words = {
  ...vectors,
  usage: usageOf,
  watch: (limits) => ({ ...watchOpenai(limits), end: '', mayEnd: () => true }),
}

const byEndpoint: Readonly<Partial<Record<RelayEndpoint, Words>>> = {
  messages: anthropic,
  gemini,
  responses,
  embeddings: vectors,
  rerank: vectors,
  images: media,
  speech: media,
  transcripts: { ...media, usage: transcriptUsage },
}

export const wordsOf = (endpoint: RelayEndpoint): Words => byEndpoint[endpoint] ?? openai
