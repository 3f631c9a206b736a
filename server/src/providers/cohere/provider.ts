import { cohereChat } from '../../dialects/cohere/dialect.ts'
import { cohereEmbeddings } from '../../dialects/cohere/embeddings.ts'
import { cohereRerank } from '../../dialects/cohere/rerank.ts'
import { bearer, genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'command-a-plus-05-2026',
  'command-a-03-2025',
  'command-a-reasoning-08-2025',
  'command-a-vision-07-2025',
  'command-r7b-12-2024',
  'command-r-plus-08-2024',
  'command-r-08-2024',
  'embed-v4.0',
  'embed-multilingual-v3.0',
  'embed-english-v3.0',
  'rerank-v4.0-pro',
  'rerank-v4.0-fast',
  'rerank-v3.5',
  'rerank-multilingual-v3.0',
  'rerank-english-v3.0',
  'command-r-plus',
  'command-r',
  'command',
  'command-nightly',
  'command-light',
  'command-light-nightly',
]

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
