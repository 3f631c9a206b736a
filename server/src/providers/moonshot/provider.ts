import { compatible } from '../dialects/openai.ts'

/**
 * A thinking model needs the reasoning of its earlier tool calls in the next request
 * (platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model).
 */
export const moonshot = compatible({
  type: 25,
  name: 'Moonshot',
  label: { zh: 'Moonshot', en: 'Moonshot' },
  color: 'green',
  baseUrl: 'https://api.moonshot.cn',
  owner: 'moonshot',
  models: [
    'kimi-k3.1-pro',
    'kimi-k3',
    'kimi-k2.7-code',
    'kimi-k2.6',
    'kimi-k2.5',
    'moonshot-v1-8k',
    'moonshot-v1-32k',
    'moonshot-v1-128k',
  ],
  capabilities: { thoughts: 'reasoning_content', wantsThoughts: true },
})
