import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'

/** M3E embeddings through an OpenAI-compatible API without a version in its addresses; it has no conversations. */
export const mokaai: Provider = {
  ...compatible({
    type: 44,
    name: 'MokaAI',
    label: { zh: '嵌入模型：MokaAI M3E', en: 'Embeddings: MokaAI M3E' },
    color: 'purple',
    baseUrl: 'https://api.moka.ai',
    owner: 'mokaai',
    models,
    url: ({ channel, path, query }) => `${channel.baseUrl}${pathBehindVersion(path)}${query}`,
    modelList: false,
  }),
  languages: [],
}
