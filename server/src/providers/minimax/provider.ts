import { compatible } from '../dialects/openai.ts'
import { openaiReasoning } from '../dialects/openai-reasoning.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './errors.ts'
import { models } from './models.ts'

const its = compatible({
  type: 35,
  name: 'MiniMax',
  label: { zh: 'MiniMax', en: 'MiniMax' },
  color: 'green',
  baseUrl: 'https://api.minimax.chat',
  owner: 'minimax',
  models,
  adjust: openaiReasoning,
  url: ({ channel }) => `${channel.baseUrl}/v1/text/chatcompletion_v2`,
})

export const minimax: Provider = {
  ...its,
  languages: its.languages.map((language) => ({
    ...language,
    dialect: (options) => ({ ...language.dialect(options), errorOf }),
  })),
}
