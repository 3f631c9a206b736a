import type { Step } from '../strict/model.ts'
import { answerAlone, counts, refuseAlone } from '../strict/upstream.ts'
import { type Answer, json, startScriptedUpstream, type UpstreamCall } from '../support/scripted-upstream.ts'
import type { UpstreamKind } from './client.ts'

/** A provider that keeps no script: the model's name says what it does, so that several clients can be tried at once. */
export interface SideUpstream {
  readonly url: string
  /** Channels for what is no conversation. */
  readonly channels: readonly Readonly<Record<string, unknown>>[]
  /** The models of these channels. */
  readonly more: readonly string[]
  close(): Promise<void>
}

/** Statuses that providers refuse with. */
export const statuses = [400, 429, 500, 503] as const

type Purpose = 'plain' | 'silent' | 'breaking' | `${(typeof statuses)[number]}`

const bases: Readonly<Record<UpstreamKind, string>> = {
  chat: 'gpt-4o',
  deepseek: 'deepseek-chat',
  responses: 'gpt-5.1-codex',
  anthropic: 'claude-haiku-4-5',
  gemini: 'gemini-3-flash-preview',
}

/** A model of its own for each thing that the provider of a kind does here. */
export const sideModels = (kind: UpstreamKind): Readonly<Record<Purpose, string>> => ({
  plain: `${bases[kind]}-plain`,
  silent: `${bases[kind]}-silent`,
  breaking: `${bases[kind]}-breaking`,
  400: `${bases[kind]}-400`,
  429: `${bases[kind]}-429`,
  500: `${bases[kind]}-500`,
  503: `${bases[kind]}-503`,
})

/** Answer without a pause. */
export const plainStep: Step = { text: '“42” ✓ — 好。', calls: [] }
/** Answer after the silence. */
export const afterSilence: Step = { text: 'Back again.', calls: [] }
const silenceMs = 18_000

export const embeddingModel = 'text-embedding-3-small'
export const rerankModel = 'rerank-v3.5'
export const codeModel = 'codestral-latest'
const cohereEmbedding = 'embed-v4.0'
const voyageRerank = 'rerank-2.5'
const geminiEmbedding = 'gemini-embedding-001'
export const sideNames = { cohereEmbedding, voyageRerank, geminiEmbedding }

const channels = [
  { name: 'embeddings', type: 1, models: embeddingModel },
  { name: 'Gemini embeddings', type: 24, models: geminiEmbedding },
  { name: 'Cohere', type: 34, models: [rerankModel, cohereEmbedding, voyageRerank].join(',') },
  { name: 'Mistral', type: 42, models: codeModel },
]

const vector = [0.1, 0.2, 0.3]

const countOf = (input: unknown): number => (Array.isArray(input) ? input.length : 1)

const modelOf = ({ path, raw }: UpstreamCall): string => {
  const { model } = JSON.parse(raw || '{}') as { model?: string }
  return model ?? decodeURIComponent(/\/models?\/([^:/?]+)/.exec(path)?.[1] ?? '')
}

interface SideBody {
  readonly input?: unknown
  readonly texts?: readonly string[]
  readonly documents?: readonly string[]
  readonly requests?: readonly unknown[]
}

const embeddings = ({ input }: SideBody) => ({
  object: 'list',
  model: embeddingModel,
  data: Array.from({ length: countOf(input) }, (_, index) => ({ object: 'embedding', index, embedding: vector })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
})

const cohereEmbeddings = ({ texts = [] }: SideBody) => ({
  id: 'embed-1',
  texts,
  embeddings: { float: texts.map(() => vector) },
  meta: { api_version: { version: '2' }, billed_units: { input_tokens: 7 } },
  response_type: 'embeddings_by_type',
})

const reranked = ({ documents = [] }: SideBody) => ({
  id: 'rerank-1',
  results: documents.map((_, index) => ({ index: documents.length - 1 - index, relevance_score: 0.9 - index / 10 })),
  meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
})

const middle = () => ({
  id: 'fim-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: codeModel,
  choices: [{ index: 0, message: { role: 'assistant', content: 'return a + b' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
})

const geminiVectors = ({ requests = [{}] }: SideBody) => ({ embeddings: requests.map(() => ({ values: vector })) })

const others: readonly (readonly [RegExp, (body: SideBody) => unknown])[] = [
  [/\/embeddings$/, embeddings],
  [/\/embed$/, cohereEmbeddings],
  [/\/rerank$/, reranked],
  [/\/fim\/completions$/, middle],
  [/:batchEmbedContents/, geminiVectors],
  [/:embedContent/, () => ({ embedding: { values: vector } })],
  ...counts.map(([path, counted]) => [path, () => counted] as const),
]

const answer: Answer = (call) => {
  const other = others.find(([path]) => path.test(call.path))
  if (other !== undefined) {
    json(other[1](JSON.parse(call.raw || '{}') as SideBody))(call)
    return
  }
  const [, purpose = ''] = /-(plain|silent|breaking|\d{3})$/.exec(modelOf(call)) ?? []
  if (purpose === 'plain') answerAlone(call, plainStep)
  else if (purpose === 'silent') setTimeout(() => answerAlone(call, afterSilence), silenceMs)
  else if (purpose === 'breaking')
    answerAlone(call, { text: 'I will be cut off here.', calls: [] }, { breaksOff: true })
  else refuseAlone(call, Number(purpose) || 404, `the provider says ${purpose}`)
}

export const startSideUpstream = async (): Promise<SideUpstream> => {
  const upstream = await startScriptedUpstream()
  upstream.answer = answer
  return {
    url: upstream.url,
    channels,
    more: channels.flatMap((channel) => channel.models.split(',')),
    close: () => upstream.close(),
  }
}
