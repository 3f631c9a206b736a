import { genericKeyHint } from '../dialects/openai.ts'
import { videoService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'viduq3-pro',
  'viduq3-turbo',
  'viduq2',
  'viduq2-pro',
  'viduq2-turbo',
  'viduq1',
  'vidu2.0',
  'vidu1.5',
]

/** Vidu's own API: videos as tasks (platform.vidu.com/docs). */
export const vidu = videoService({
  type: 52,
  name: 'Vidu',
  console: { label: { zh: 'Vidu', en: 'Vidu' }, color: 'purple', key_hint: genericKeyHint, fields: [] },
  baseUrl: 'https://api.vidu.com',
  models,
  owner: 'vidu',
  headers: ({ key }) => ({ authorization: `Token ${key}` }),
})
