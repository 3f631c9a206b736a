import { markedBy } from '../../billing/declared/usage-stated.ts'
import type { Usage } from '../../billing/usage.ts'
import { promptUsage, usageFromOpenai } from '../../billing/usage-openai.ts'
import { countOf, isObject, type JsonObject, membersOf } from '../../dialects/conversation/json.ts'
import { passthrough as openaiChat, withoutChoices } from '../../dialects/openai-chat/passthrough.ts'
import type { PassthroughDialect } from '../../dialects/passthrough.ts'
import type { RelayCall, RelayEndpoint } from '../call.ts'
import { transcriptUsage } from '../usage/transcript-usage.ts'

/** Usage of an answer that reports a total only (Jina, Voyage), or in a place of its own (SiliconFlow); undefined for others. */
export const totalUsage = (answer: JsonObject): Usage | undefined =>
  promptUsage(answer.usage) ?? usageFromOpenai(membersOf(answer.meta).tokens)

/** Vectors, results and verdicts are lists. */
const holdsList = (answer: JsonObject): boolean => isObject(answer.usage) || Object.values(answer).some(Array.isArray)

/** As Cohere and gateways state them (docs.cohere.com/reference/rerank). */
const searchUnitsIn = ({ meta }: JsonObject): number =>
  Math.max(1, countOf(membersOf(membersOf(meta).billed_units).search_units))

/** Embeddings and rerank: some providers report a total only. */
const vectors: PassthroughDialect = {
  ...withoutChoices,
  // Cohere's answers, and those like them, state what is billed in `meta`.
  usage: (answer) => markedBy(withoutChoices.usage(answer) ?? totalUsage(answer), 'cohere', answer.meta),
  textOf: () => ({ text: '', toolCalls: 0 }),
  isAnswer: holdsList,
}

/** Pictures and speech: no text of theirs can be counted, and no mark ends their streams. */
const media: PassthroughDialect = {
  ...vectors,
  usage: withoutChoices.usage,
  // Without a picture nothing is charged.
  isAnswer: () => true,
  createInspector: (limits) => ({ ...withoutChoices.createInspector(limits), endMark: '', mayEnd: () => true }),
}

const byEndpoint: Readonly<Partial<Record<RelayEndpoint, PassthroughDialect>>> = {
  embeddings: vectors,
  rerank: { ...vectors, calls: searchUnitsIn },
  moderations: { ...withoutChoices, isAnswer: holdsList },
  images: media,
  speech: media,
  transcripts: {
    ...media,
    usage: transcriptUsage,
    isAnswer: ({ text, segments, usage }) => text !== undefined || segments !== undefined || isObject(usage),
  },
}

/** How answers to calls without a conversation are read; OpenAI's way unless the endpoint has one of its own. */
export const passthroughOf = ({ endpoint }: Pick<RelayCall, 'endpoint'>): PassthroughDialect =>
  byEndpoint[endpoint] ?? openaiChat
