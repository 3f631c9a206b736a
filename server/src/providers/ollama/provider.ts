import { lineFrames } from '../../dialects/frames.ts'
import { ollamaChat } from '../../dialects/ollama/dialect.ts'
import { ollamaEmbeddings } from '../../dialects/ollama/embeddings.ts'
import { bearer, genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

/**
 * Ollama in its own words (docs.ollama.com/api): its OpenAI-compatible door knows neither `keep_alive` nor the options of a
 * model. Plain completions still go through that door.
 */
export const ollama: Provider = {
  type: 4,
  name: 'Ollama',
  console: {
    label: { zh: 'Ollama', en: 'Ollama' },
    color: 'grey',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'http://localhost:11434',
  models: ['llama3-7b'],
  owner: 'ollama',
  streamOptions: true,
  languages: [{ name: ollamaChat.name, dialect: () => ollamaChat, path: '/api/chat', frames: lineFrames }],
  otherCalls: true,
  embeddings: { ...ollamaEmbeddings, path: '/api/embed' },
  url: ({ channel, path, query }) => `${channel.baseUrl}${path}${query}`,
  headers: bearer,
  modelList: (channel, key) => ({ url: `${channel.baseUrl}/api/tags`, headers: bearer({ key }) }),
}
