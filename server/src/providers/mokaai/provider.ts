import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = ['m3e-large', 'm3e-base', 'm3e-small']

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
