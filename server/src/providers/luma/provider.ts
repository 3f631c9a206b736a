import { bearer, genericKeyHint } from '../dialects/openai.ts'
import { videoService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type, newest first. */
const models: readonly string[] = ['ray-2', 'ray-flash-2', 'ray-1-6']

/**
 * Luma's Dream Machine: videos as generations (docs.lumalabs.ai). Its pictures are addresses; it takes no bytes.
 */
export const luma = videoService({
  type: 1003,
  name: 'Luma',
  console: {
    label: {
      zh: 'Luma',
      en: 'Luma',
    },
    color: 'light-blue',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://api.lumalabs.ai',
  models,
  owner: 'luma',
  headers: bearer,
})
