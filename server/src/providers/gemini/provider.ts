import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { geminiContent } from '../../dialects/gemini/dialect.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { ModelOptions, Provider, ProviderCall } from '../provider.ts'
import { models } from './models.ts'

const fallbackVersion = 'v1beta'

const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** Thresholds for clients that cannot name their own (providers reference §6.1). */
const dialectOf = ({ gemini: { safety } }: ModelOptions): UpstreamDialect =>
  geminiContent({
    safety: categories.map((category) => ({ category, threshold: safety[category] ?? safety.default ?? 'OFF' })),
  })

const url = ({ channel, model, stream, options, path }: ProviderCall): string => {
  const { versions } = options.gemini
  const version = versions[model] ?? versions.default ?? fallbackVersion
  const asked = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const action = path.endsWith(':countTokens') ? 'countTokens' : asked
  return `${channel.baseUrl}/${version}/models/${encodeURIComponent(model)}:${action}`
}

/** Google's AI Studio (ai.google.dev/api). */
export const gemini: Provider = {
  type: 24,
  name: 'Gemini',
  console: {
    label: { zh: 'Google Gemini', en: 'Google Gemini' },
    color: 'orange',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://generativelanguage.googleapis.com',
  models,
  owner: 'google gemini',
  streamOptions: false,
  languages: [{ name: 'gemini', dialect: dialectOf, path: '/v1beta/models' }],
  otherCalls: false,
  countsTokens: true,
  url,
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/${fallbackVersion}/openai/models`,
    headers: { authorization: `Bearer ${key}` },
  }),
}
