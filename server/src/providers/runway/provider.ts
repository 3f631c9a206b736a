import { genericKeyHint } from '../dialects/openai.ts'
import { videoService } from '../dialects/tasks.ts'

/** The version of the API that every call names (docs.dev.runwayml.com/api-details/versioning). */
const version = '2024-11-06'

export const runwayHeaders = ({ key }: { readonly key: string }): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'x-runway-version': version,
})

/** Models that the console offers for a new channel of this type, newest first. */
const models: readonly string[] = ['gen4.5', 'gen4_turbo', 'veo3.1', 'veo3.1_fast']

/** Runway's API: videos as tasks (docs.dev.runwayml.com). */
export const runway = videoService({
  type: 1002,
  name: 'Runway',
  console: {
    label: { zh: 'Runway', en: 'Runway' },
    color: 'grey',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://api.dev.runwayml.com',
  models,
  owner: 'runway',
  headers: runwayHeaders,
})
