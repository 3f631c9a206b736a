import type { Members } from '../../dialects/conversation/json.ts'
import { createLosses } from '../../dialects/conversation/losses.ts'
import { fieldOfGemini } from '../../dialects/gemini/embed-contents.ts'
import { type HeaderOf, invalidEmbedding, readEmbeddings, writeEmbeddings } from '../../dialects/media/embeddings.ts'
import { openaiEmbeddings } from '../../dialects/media/openai-embeddings.ts'
import { readRerank, writeRerank } from '../../dialects/media/rerank.ts'
import type { Provider } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { Reached, Retold, Told } from './told.ts'

/** OpenAI's own words for calls that came in Gemini's; what OpenAI does not know would be refused. */
const plain: NonNullable<Provider['embeddings']> = {
  ...openaiEmbeddings,
  path: '/v1/embeddings',
  write(request, losses) {
    for (const name of Object.keys(request.own)) losses.lose(name)
    return openaiEmbeddings.write({ ...request, own: {} }, losses)
  },
}

/** Embeddings in a provider's own words. */
export const retellEmbeddings = (
  { body, embeds }: RelayCall,
  { provider, keys }: Reached,
  model: string,
): Told | undefined => {
  const { embeddings: own } = provider
  const its = own === undefined || own.isFor?.(keys[0] ?? '') === false ? embeds && plain : own
  if (its === undefined) return undefined
  if (embeds?.onlyGoogle !== undefined) throw invalidEmbedding(embeds.onlyGoogle)
  const request = readEmbeddings(body, model)
  const losses = createLosses()
  for (const name of embeds?.lost ?? []) losses.lose(name)
  const written = its.write(request, losses)
  const read = (json: Members, headerOf: HeaderOf): Retold => {
    const answer = its.read(json, request, headerOf)
    return { json: writeEmbeddings(answer, request), usage: answer.usage, calls: 1 }
  }
  const lost = embeds === undefined ? losses.list() : losses.list().map(fieldOfGemini)
  return { retelling: { lost, read, errorOf: its.errorOf }, body: written, path: its.path }
}

/** Reranking in a provider's own words. */
export const retellRerank = ({ body }: RelayCall, { rerank: its }: Provider, model: string): Told | undefined => {
  if (its === undefined) return undefined
  const request = readRerank(body, model)
  const losses = createLosses()
  const written = its.write(request, losses)
  const read = (json: Members, headerOf: HeaderOf): Retold => {
    const answer = its.read(json, request, headerOf)
    return { json: writeRerank(answer, request), usage: answer.usage, calls: Math.max(1, answer.searchUnits ?? 1) }
  }
  return { retelling: { lost: losses.list(), read, errorOf: its.errorOf }, body: written, path: its.path }
}
