import { usageStated } from '../../billing/declared/usage-stated.ts'
import { countOf, defined, listOf } from '../../dialects/conversation/json.ts'
import { mayRunAnywhere } from '../../dialects/facts/models.ts'
import { lineFrames } from '../../dialects/frames.ts'
import { type EmbeddingsDialect, vectorOf } from '../../dialects/media/embeddings.ts'
import { errorOf } from '../../dialects/ollama/answer.ts'
import { ollamaChat } from '../../dialects/ollama/dialect.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { enginePromptCounts } from '../dialects/engine-chat.ts'
import { isSelfHosted } from '../dialects/engine-thinking.ts'
import { bearer, genericKeyHint } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type { Provider, ProviderDialect } from '../provider.ts'

const ownNames: ReadonlySet<string> = new Set(['truncate', 'keep_alive', 'options'])

/** Ollama's embeddings API, with one vector per text (docs.ollama.com/api/embed). */
const ollamaEmbeddings: EmbeddingsDialect = {
  write({ model, texts, dimensions, user, own }, unsupported) {
    if (user !== undefined) unsupported.add('user')
    for (const name of Object.keys(own)) if (!ownNames.has(name)) unsupported.add(name)
    const supported = Object.fromEntries(Object.entries(own).filter(([name]) => ownNames.has(name)))
    return { ...supported, model, input: texts, ...defined({ dimensions }) }
  },
  read(json) {
    const input = countOf(json.prompt_eval_count)
    return {
      vectors: listOf(json.embeddings).map(vectorOf),
      usage: usageStated('ollama', json, { input }),
    }
  },
  errorOf,
}

const nativeLanguage: ProviderDialect = {
  name: ollamaChat.name,
  dialect: () => ollamaChat,
  path: '/api/chat',
  frames: lineFrames,
}

const chat = openaiChat({
  ...plainCapabilities,
  streamOptions: true,
  thoughts: 'reasoning_content',
  effort: () => true,
})
const compatibleLanguage: ProviderDialect = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }

/** Ollama itself counts no prompts; llama.cpp and others are called in its place. */
const promptCounts = enginePromptCounts(compatibleLanguage)

/** End of a base URL that selects the OpenAI-compatible API. */
const compatibleBase = /\/v1$/

/**
 * Ollama's native API (docs.ollama.com/api): its OpenAI-compatible API (docs.ollama.com/api/openai-compatibility) has neither
 * `keep_alive` nor a model's options. Plain completions use the OpenAI-compatible API, and so do all calls when the channel's base
 * URL ends in `/v1`.
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
  languages: [nativeLanguage, compatibleLanguage],
  languagesOf: (_, { channel }) => [compatibleBase.test(channel.baseUrl) ? compatibleLanguage : nativeLanguage],
  otherCalls: true,
  embeddings: { ...ollamaEmbeddings, path: '/api/embed' },
  url: ({ channel, path, query }) => `${channel.baseUrl.replace(compatibleBase, '')}${path}${query}`,
  headers: bearer,
  promptCounts: (model, { baseUrl }) => (isSelfHosted(baseUrl) && mayRunAnywhere(model) ? promptCounts : undefined),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl.replace(compatibleBase, '')}/api/tags`,
    headers: bearer({ key }),
  }),
}
