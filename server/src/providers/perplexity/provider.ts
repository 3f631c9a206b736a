import { cappedTopP } from '../dialects/limits.ts'
import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import { lacks } from '../dialects/plain-rules.ts'
import { models } from './models.ts'

export const perplexity = compatible({
  type: 27,
  name: 'Perplexity',
  label: { zh: 'Perplexity', en: 'Perplexity' },
  color: 'grey',
  baseUrl: 'https://api.perplexity.ai',
  owner: 'perplexity',
  models,
  url: ({ channel, path, query }) => `${channel.baseUrl}${pathBehindVersion(path)}${query}`,
  // Every call searches; these options say how (docs.perplexity.ai/api-reference/chat-completions-post).
  capabilities: { search: () => true },
  adjust: cappedTopP,
  leavesPlain: () => [lacks(['top_p'])],
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  modelList: false,
})
