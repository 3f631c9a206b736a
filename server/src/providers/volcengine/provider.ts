import { bearer, compatible, pathBehindVersion } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'

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
