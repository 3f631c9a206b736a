import { compatible } from '../dialects/openai.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { models } from './models.ts'

const base = 'https://api.jina.ai'
const deepSearch = 'https://deepsearch.jina.ai'

/** Conversations have a host of their own. */
const url = ({ channel: { baseUrl }, path, query }: ProviderCall): string => {
  const host = baseUrl === base && path === '/v1/chat/completions' ? deepSearch : baseUrl
  return `${host}${path}${query}`
}

/** Embeddings and reranking in the words that everybody else took from it, and DeepSearch in OpenAI's (docs.jina.ai). */
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
