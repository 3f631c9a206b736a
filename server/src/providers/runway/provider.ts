import { genericKeyHint } from '../dialects/openai.ts'
import { videoService } from '../dialects/videos.ts'
import { runwayHeaders } from './headers.ts'

/** Models that the console offers for a new channel of this type, newest first. */
const models: readonly string[] = ['gen4.5', 'gen4_turbo', 'veo3.1', 'veo3.1_fast', 'veo3']

/** Runway's API: videos as tasks (docs.dev.runwayml.com). */
export const runway = videoService({
  type: 1002,
  name: 'Runway',
  console: { label: { zh: 'Runway', en: 'Runway' }, color: 'grey', key_hint: genericKeyHint, fields: [] },
  baseUrl: 'https://api.dev.runwayml.com',
  models,
  owner: 'runway',
  headers: runwayHeaders,
})
