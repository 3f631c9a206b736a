import { ownMember } from '@tollgate/contract/own-member'
import { anthropicMessages } from '../../dialects/anthropic/dialect.ts'
import { openaiResponses } from '../../dialects/openai-responses/dialect.ts'
import { engineChat, enginePromptCounts } from '../dialects/engine-chat.ts'
import { engineThinking } from '../dialects/engine-thinking.ts'
import { placedEvents } from '../dialects/placed-events.ts'
import type { Provider, ProviderDialect } from '../provider.ts'

/** Suffixes of an engine's address: engines print it with `/v1`, their documentation names the whole path of chat completions. */
const ending = /\/v1(\/chat\/completions)?$/

/** The address of the engine itself: channels name it with or without `/v1`. */
const engineAddress = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(ending, '')

const messages = anthropicMessages()

const chatLanguage: ProviderDialect = engineChat('OwnServer')
const promptCounts = enginePromptCounts(chatLanguage)
const further: Readonly<Record<string, ProviderDialect>> = {
  responses: {
    name: openaiResponses.name,
    dialect: () => openaiResponses,
    path: '/v1/responses',
    frames: placedEvents,
  },
  messages: { name: messages.name, dialect: () => messages, path: '/v1/messages' },
}

const authorization = (key: string): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` })

/** APIs that a channel lists in `other` beside those of all engines. */
const apisIn = (other: string): readonly string[] => other.toLowerCase().split(/[\s,，]+/)

const languagesAt = (other: string): readonly ProviderDialect[] => {
  const named = apisIn(other)
    .map((name) => ownMember(further, name))
    .filter((language) => language !== undefined)
  return [chatLanguage, ...new Set(named)]
}

/**
 * An inference engine of the operator's own: vLLM, llama.cpp, SGLang, TGI, LM Studio, transformers serve, Xinference. They share OpenAI's
 * chat completions with `reasoning_content`, `top_k` and `chat_template_kwargs`.
 */
export const ownServer: Provider = {
  type: 1001,
  name: 'OwnServer',
  console: {
    label: { zh: '自建推理服务', en: 'Own server' },
    color: 'teal',
    key_hint: { zh: '无需密钥时留空', en: 'Leave empty if not required' },
    fields: [
      {
        column: 'base_url',
        label: { zh: '服务地址（vLLM、llama.cpp、SGLang 等）', en: 'Server URL (vLLM, llama.cpp, SGLang …)' },
        placeholder: 'http://localhost:8000/v1',
        required: true,
      },
      {
        column: 'other',
        label: {
          zh: '还支持的接口（responses、messages、infill）',
          en: 'Other supported APIs (responses, messages, infill)',
        },
        placeholder: 'responses, messages',
      },
    ],
  },
  baseUrl: '',
  models: [],
  owner: 'own-server',
  keyOptional: true,
  streamOptions: true,
  languages: [chatLanguage],
  languagesOf: (_, { channel }) => languagesAt(channel.other),
  otherCalls: true,
  infills: ({ other }) => (apisIn(other).includes('infill') ? { path: '/infill', form: 'infill' } : undefined),
  url: ({ channel, path, query }) => `${engineAddress(channel.baseUrl)}${path}${query}`,
  headers: ({ key }) => authorization(key),
  modelList: (channel, key) => ({
    url: `${engineAddress(channel.baseUrl)}/v1/models`,
    headers: authorization(key),
  }),
  adjust: engineThinking,
  leavesPlain: () => [],
  promptCounts: () => promptCounts,
  engine: {
    probes: ['/health', '/v1/models'],
  },
}
