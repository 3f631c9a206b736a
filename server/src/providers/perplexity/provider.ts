import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import { lacks } from '../dialects/plain-rules.ts'
import { cappedTopP } from '../dialects/zhipu.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'sonar-pro',
  'sonar',
  'sonar-reasoning-pro',
  'sonar-reasoning',
  'sonar-deep-research',
  'llama-3-sonar-large-32k-online',
  'llama-3-sonar-large-32k-chat',
  'llama-3-sonar-small-32k-online',
  'llama-3-sonar-small-32k-chat',
  'mixtral-8x7b-instruct',
]

export const perplexity = compatible({
  type: 27,
  name: 'Perplexity',
  label: { zh: 'Perplexity', en: 'Perplexity' },
  color: 'grey',
  baseUrl: 'https://api.perplexity.ai',
  owner: 'perplexity',
  models,
  url: ({ channel, path, query }) => `${channel.baseUrl}${pathBehindVersion(path)}${query}`,
  // Every call searches; these options control it (docs.perplexity.ai/api-reference/chat-completions-post).
  capabilities: { search: () => true },
  adjust: cappedTopP,
  leavesPlain: () => [lacks(['top_p'])],
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  modelList: false,
})
