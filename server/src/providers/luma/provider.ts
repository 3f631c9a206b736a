import { bearer, genericKeyHint } from '../dialects/openai.ts'
import { videoService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type, newest first. */
const models: readonly string[] = ['ray-3.2', 'ray-2', 'ray-flash-2', 'ray-1-6']

/**
 * Luma: videos as generations. Ray 3.2 is made by the Agents API (docs.agents.lumalabs.ai), models before it by Dream Machine
 * (docs.lumalabs.ai), whose pictures are addresses.
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
