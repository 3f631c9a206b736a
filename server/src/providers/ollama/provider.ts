import { lineFrames } from '../../dialects/frames.ts'
import { ollamaChat } from '../../dialects/ollama/dialect.ts'
import { ollamaEmbeddings } from '../../dialects/ollama/embeddings.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, genericKeyHint, plainHabits } from '../dialects/openai.ts'
import type { Language, Provider } from '../provider.ts'

const own: Language = { name: ollamaChat.name, dialect: () => ollamaChat, path: '/api/chat', frames: lineFrames }

const chat = openaiChat({ ...plainHabits, streamOptions: true, thoughts: 'reasoning_content', effort: () => true })
const compatible: Language = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }

/** An address that ends so is that of the OpenAI-compatible door. */
const door = /\/v1$/

/**
 * Ollama in its own words (docs.ollama.com/api): its OpenAI-compatible door (docs.ollama.com/api/openai-compatibility) knows
 * neither `keep_alive` nor the options of a model. Plain completions still go through that door, and so does everything when the
 * channel's address says so.
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
  languages: [own, compatible],
  languagesOf: (_, { channel }) => [door.test(channel.baseUrl) ? compatible : own],
  otherCalls: true,
  embeddings: { ...ollamaEmbeddings, path: '/api/embed' },
  url: ({ channel, path, query }) => `${channel.baseUrl.replace(door, '')}${path}${query}`,
  headers: bearer,
  modelList: (channel, key) => ({ url: `${channel.baseUrl.replace(door, '')}/api/tags`, headers: bearer({ key }) }),
}
