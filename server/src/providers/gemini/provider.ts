import { geminiContent } from '../../dialects/gemini/dialect.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { models } from './models.ts'

const version = 'v1beta'

const url = ({ channel, model, stream }: ProviderCall): string => {
  const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
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
  languages: [{ dialect: geminiContent(), path: '/v1beta/models' }],
  otherCalls: false,
  url,
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/${version}/openai/models`,
    headers: { authorization: `Bearer ${key}` },
  }),
}
