import { cohereChat } from '../../dialects/cohere/dialect.ts'
import { cohereEmbeddings } from '../../dialects/cohere/embeddings.ts'
import { cohereRerank } from '../../dialects/cohere/rerank.ts'
import { bearer, genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'

/** Cohere's API version 2 (docs.cohere.com/reference). Version 1 supports neither all messages nor tools. */
export const cohere: Provider = {
  type: 34,
  name: 'Cohere',
  console: {
    label: { zh: 'Cohere', en: 'Cohere' },
    color: 'purple',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://api.cohere.ai',
  models,
  owner: 'cohere',
  streamOptions: false,
  languages: [{ name: cohereChat.name, dialect: () => cohereChat, path: '/v2/chat' }],
  otherCalls: false,
  embeddings: { ...cohereEmbeddings, path: '/v2/embed' },
  rerank: { ...cohereRerank, path: '/v2/rerank' },
  url: ({ channel, path }) => `${channel.baseUrl}${path}`,
  headers: bearer,
  modelList: (channel, key) => ({ url: `${channel.baseUrl}/v1/models?page_size=1000`, headers: bearer({ key }) }),
}
