import { compatible } from '../dialects/openai.ts'

export const deepseek = compatible({
  type: 43,
  name: 'DeepSeek',
  label: { zh: 'DeepSeek', en: 'DeepSeek' },
  color: 'blue',
  baseUrl: 'https://api.deepseek.com',
  owner: 'deepseek',
  models: ['deepseek-chat', 'deepseek-reasoner'],
  url: ({ channel, path, query }) =>
    path === '/v1/completions' ? `${channel.baseUrl}/beta/completions${query}` : `${channel.baseUrl}${path}${query}`,
})
