import { compatible } from '../dialects/openai.ts'

/**
 * A thinking model needs the reasoning of its earlier tool calls in the next request
 * (api-docs.deepseek.com/guides/thinking_mode).
 */
export const deepseek = compatible({
  type: 43,
  name: 'DeepSeek',
  label: { zh: 'DeepSeek', en: 'DeepSeek' },
  color: 'blue',
  baseUrl: 'https://api.deepseek.com',
  owner: 'deepseek',
  models: ['deepseek-v4-pro', 'deepseek-flash', 'deepseek-v4-flash', 'deepseek-chat', 'deepseek-reasoner'],
  capabilities: { thoughts: 'reasoning_content', wantsThoughts: true },
  url: ({ channel, path, query }) =>
    path === '/v1/completions' ? `${channel.baseUrl}/beta/completions${query}` : `${channel.baseUrl}${path}${query}`,
})
