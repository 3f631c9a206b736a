import type { Expected } from '../../billing/reserve.ts'
import { listOf, membersOf } from '../../dialects/conversation/json.ts'
import type { RelayCall, RelayEndpoint } from '../call.ts'
import { maxTokensOf, numberOf, spokenLength, tierAsked } from '../usage/expected-tokens.ts'
import { dearestPictures } from '../usage/pictures.ts'
import type { UsualOutput } from './usual-output.ts'

/** Calls whose answers are made of completion tokens. */
const writing: ReadonlySet<RelayEndpoint> = new Set(['chat', 'messages', 'responses', 'gemini', 'completions'])

type Body = RelayCall['body']

const generationOf = (body: Body) => membersOf(body.generationConfig ?? body.generation_config)

/** A list of texts or of lists of tokens is as many prompts; a list of tokens is one. */
const promptsOf = ({ endpoint, body: { prompt } }: RelayCall): number =>
  endpoint === 'completions' && typeof listOf(prompt)[0] !== 'number' ? Math.max(1, listOf(prompt).length) : 1

/** How many answers a client wants, in any dialect. All of `best_of` are billed, also those that are not shown. */
export const answersOf = (call: RelayCall): number => {
  const { body } = call
  const { candidateCount, candidate_count: candidates } = generationOf(body)
  const each = Math.max(1, numberOf(body.n), numberOf(body.best_of), numberOf(candidateCount ?? candidates))
  return each * promptsOf(call)
}

const cacheMark = '"cache_control"'
const hourMark = '"1h"'

/** For how long a prompt asks to be cached; only Anthropic asks money for that. */
const cachedFor = ({ endpoint, raw }: RelayCall): Expected['cached'] => {
  if ((endpoint !== 'messages' && endpoint !== 'chat') || !raw.includes(cacheMark)) return undefined
  return raw.includes(hourMark) ? '1h' : '5m'
}

const maySpeak = ({ endpoint, body }: RelayCall): boolean => {
  if (endpoint === 'chat') return listOf(body.modalities).includes('audio')
  if (endpoint !== 'gemini') return false
  const { responseModalities, response_modalities: modalities } = generationOf(body)
  return listOf(responseModalities ?? modalities).includes('AUDIO')
}

/** Documents that one search of a rerank call covers (docs.cohere.com/docs/how-does-cohere-pricing-work). */
const documentsPerSearch = 100

export interface ExpectedCall extends Expected {
  readonly answers: number
  /** True where the client set no maximum, so that `outputTokens` is what the model usually writes. */
  readonly unbounded: boolean
}

/** What a call may come to, whose prompt has so many tokens at most. */
export const expectedCall = (
  call: RelayCall,
  { preConsumedTokens }: { readonly preConsumedTokens: number },
  usual: UsualOutput,
  promptTokens: number,
): ExpectedCall => {
  const { endpoint, body } = call
  const maxTokens = writing.has(endpoint) ? maxTokensOf(body) : 0
  const unbounded = writing.has(endpoint) && maxTokens < 1
  return {
    promptTokens,
    outputTokens: unbounded ? usual.of(call.model) : maxTokens,
    unbounded,
    answers: answersOf(call),
    leastTokens: Math.max(preConsumedTokens, spokenLength(call)),
    calls: endpoint === 'rerank' ? Math.ceil(listOf(body.documents).length / documentsPerSearch) : 1,
    cached: cachedFor(call),
    spoken: maySpeak(call),
    images: endpoint === 'images' ? dearestPictures(call) : undefined,
    tier: tierAsked(body),
  }
}
