import { bearer, compatible, pathBehindVersion } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'doubao-seed-2-1-pro-260915',
  'doubao-seed-2-1-lite-260915',
  'doubao-seed-2-1-turbo-260628',
  'doubao-seed-2-0-pro-260215',
  'doubao-seed-2-0-lite-260215',
  'doubao-seed-2-0-mini-260215',
  'doubao-seed-2-0-code-preview-260215',
  'doubao-seedream-4-0-250828',
  'doubao-seedream-3-0-t2i-250415',
  'Doubao-pro-128k',
  'Doubao-pro-32k',
  'Doubao-pro-4k',
  'Doubao-lite-128k',
  'Doubao-lite-32k',
  'Doubao-lite-4k',
  'Doubao-embedding',
]

const ark = compatible({
  type: 45,
  name: 'VolcEngine',
  label: { zh: '字节火山方舟、豆包、DeepSeek通用', en: 'Volcengine Ark, Doubao, DeepSeek' },
  color: 'blue',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  owner: 'volcengine',
  models,
  streamOptions: true,
  capabilities: { thoughts: 'reasoning_content' },
  url: ({ channel, path, query, model }) =>
    model.startsWith('bot') && path === '/v1/chat/completions'
      ? `${channel.baseUrl}/api/v3/bots/chat/completions${query}`
      : `${channel.baseUrl}/api/v3${pathBehindVersion(path)}${query}`,
  modelList: (channel, key) => ({ url: `${channel.baseUrl}/api/v3/models`, headers: bearer({ key }) }),
})

export const volcengine: Provider = {
  ...ark,
  // volcengine.com/docs/82379/1494384; `max_completion_tokens` includes it.
  reasoningBeside: true,
}
