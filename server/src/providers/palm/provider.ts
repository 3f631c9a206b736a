import { aiStudio } from '../dialects/gemini.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

/**
 * Google has switched PaLM off; its keys and its address work for Gemini (ai.google.dev/palm_docs/palm). A channel of this type
 * calls Gemini, and its model mapping replaces `PaLM-2` by a current model.
 */
export const palm: Provider = {
  type: 11,
  name: 'PaLM',
  console: {
    label: { zh: 'Google PaLM2', en: 'Google PaLM2' },
    color: 'orange',
    key_hint: genericKeyHint,
    note: {
      zh: '谷歌已停用 PaLM，本类型改用 Gemini 接口，请用模型重定向把 PaLM-2 指向谷歌当前提供的模型。',
      en: 'Google has retired PaLM, so this type uses the Gemini API. Map PaLM-2 to a current Google model.',
    },
    fields: [],
  },
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: ['PaLM-2'],
  owner: 'google palm',
  streamOptions: false,
  otherCalls: false,
  ...aiStudio,
}
