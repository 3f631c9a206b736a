import { compatible } from '../dialects/openai.ts'
import type { Provider, ProviderCall } from '../provider.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = ['jina-clip-v1', 'jina-reranker-v2-base-multilingual']

const base = 'https://api.jina.ai'
const deepSearch = 'https://deepsearch.jina.ai'

/** Conversations (DeepSearch) have their own host. */
const url = ({ channel: { baseUrl }, path, query }: ProviderCall): string => {
  const host = baseUrl === base && path === '/v1/chat/completions' ? deepSearch : baseUrl
  return `${host}${path}${query}`
}

/**
 * Embeddings and reranking (Jina's rerank API is the one that clients use), and DeepSearch as chat completions (docs.jina.ai).
 */
export const jina: Provider = compatible({
  type: 38,
  name: 'Jina',
  label: { zh: 'Jina', en: 'Jina' },
  color: 'blue',
  baseUrl: base,
  owner: 'jina',
  models,
  url,
  modelList: false,
})
