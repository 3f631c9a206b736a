import type { JsonObject } from '../../../dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../../dialects/conversation/unsupported-fields.ts'
import {
  type HeaderOf,
  invalidEmbedding,
  openaiEmbeddings,
  readEmbeddings,
  writeEmbeddings,
} from '../../../dialects/media/embeddings.ts'
import { readRerank, writeRerank } from '../../../dialects/media/rerank.ts'
import type { Provider } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import type { AdaptedAnswer, AdapterChannel, MediaAdapter } from './media-adapter.ts'

/** OpenAI's embeddings for calls that came in another dialect; what OpenAI does not know would be refused. */
const plain: NonNullable<Provider['embeddings']> = {
  ...openaiEmbeddings,
  path: '/v1/embeddings',
  write(request, fields) {
    for (const name of Object.keys(request.own)) fields.add(name)
    return openaiEmbeddings.write({ ...request, own: {} }, fields)
  },
}

/** Embeddings in a provider's own API. */
export const embeddingAdapter = (
  { body, embeds }: RelayCall,
  { provider, keys }: AdapterChannel,
  model: string,
): MediaAdapter | undefined => {
  const { embeddings: own } = provider
  const dialect = own === undefined || own.isFor?.(keys[0] ?? '') === false ? embeds && plain : own
  if (dialect === undefined) return undefined
  if (embeds?.onlyAsIs !== undefined) throw invalidEmbedding(embeds.onlyAsIs)
  const request = readEmbeddings(body, model)
  const fields = createUnsupportedFields()
  for (const name of embeds?.unsupported ?? []) fields.add(name)
  const written = dialect.write(request, fields)
  const read = (json: JsonObject, headerOf: HeaderOf): AdaptedAnswer => {
    const answer = dialect.read(json, request, headerOf)
    return { json: writeEmbeddings(answer, request), usage: answer.usage, calls: 1 }
  }
  const unsupported = embeds === undefined ? fields.list() : fields.list().map(embeds.client.fieldOf)
  return { unsupported, body: written, path: dialect.path, read, errorOf: dialect.errorOf }
}

/** Reranking in a provider's own API. */
export const rerankAdapter = (
  { body }: RelayCall,
  { rerank: dialect }: Provider,
  model: string,
): MediaAdapter | undefined => {
  if (dialect === undefined) return undefined
  const request = readRerank(body, model)
  const fields = createUnsupportedFields()
  const written = dialect.write(request, fields)
  const read = (json: JsonObject, headerOf: HeaderOf): AdaptedAnswer => {
    const answer = dialect.read(json, request, headerOf)
    return { json: writeRerank(answer, request), usage: answer.usage, calls: Math.max(1, answer.searchUnits ?? 1) }
  }
  return { unsupported: fields.list(), body: written, path: dialect.path, read, errorOf: dialect.errorOf }
}
