import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './errors.ts'
import { models } from './models.ts'
import { pictures, picturesPath } from './pictures.ts'
import { speech, speechPath } from './speech.ts'

/** All but these goes to the one address for conversations. */
const ownPaths: ReadonlySet<string> = new Set([picturesPath, speechPath])

const its = compatible({
  type: 35,
  name: 'MiniMax',
  label: { zh: 'MiniMax', en: 'MiniMax' },
  color: 'green',
  baseUrl: 'https://api.minimax.chat',
  owner: 'minimax',
  models,
  // It goes on after a disconnect and bills the whole answer (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  url: ({ channel, path }) => `${channel.baseUrl}${ownPaths.has(path) ? path : '/v1/text/chatcompletion_v2'}`,
})

export const minimax: Provider = {
  ...its,
  pictures,
  speech,
  languages: its.languages.map((language) => ({
    ...language,
    dialect: (options) => ({ ...language.dialect(options), errorOf }),
  })),
}
