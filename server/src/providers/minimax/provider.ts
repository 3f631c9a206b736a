import { failureInBaseResp as errorOf } from '../../dialects/base-resp.ts'
import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { pictures, picturesPath } from './pictures.ts'
import { speech, speechPath } from './speech.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'MiniMax-M3',
  'MiniMax-M2.5',
  'MiniMax-M2.5-lightning',
  'MiniMax-M2.1',
  'MiniMax-M2.1-lightning',
  'MiniMax-M2',
  'speech-2.6-hd',
  'speech-2.6-turbo',
  'speech-02-hd',
  'speech-02-turbo',
  'image-01',
  'abab6.5-chat',
  'abab6.5s-chat',
  'abab6-chat',
  'abab5.5-chat',
  'abab5.5s-chat',
]

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
