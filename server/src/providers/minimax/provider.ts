import { failureInBaseResp as errorOf } from '../../dialects/base-resp.ts'
import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'
import { pictures, picturesPath } from './pictures.ts'
import { speech, speechPath } from './speech.ts'

/** All other paths are sent to the address of chat completions. */
const ownPaths: ReadonlySet<string> = new Set([picturesPath, speechPath])

const openaiCompatible = compatible({
  type: 35,
  name: 'MiniMax',
  label: { zh: 'MiniMax', en: 'MiniMax' },
  color: 'green',
  baseUrl: 'https://api.minimax.chat',
  owner: 'minimax',
  models,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  url: ({ channel, path }) => `${channel.baseUrl}${ownPaths.has(path) ? path : '/v1/text/chatcompletion_v2'}`,
})

export const minimax: Provider = {
  ...openaiCompatible,
  pictures,
  speech,
  languages: openaiCompatible.languages.map((language) => ({
    ...language,
    dialect: (options) => ({ ...language.dialect(options), errorOf }),
  })),
}
