import { videoService } from '../dialects/videos.ts'
import { klingToken } from './credential.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'kling-v3',
  'kling-v2-6',
  'kling-v2-5-turbo',
  'kling-v2-1-master',
  'kling-v2-1',
  'kling-v2-master',
  'kling-v1-6',
  'kling-v1-5',
  'kling-v1',
]

/** Kling's own API: videos as tasks (kling.ai/document-api). */
export const kling = videoService({
  type: 50,
  name: 'Kling',
  console: {
    label: { zh: '可灵 Kling', en: 'Kling' },
    color: 'green',
    key_hint: { zh: '按照如下格式输入：AccessKey|SecretKey', en: 'AccessKey|SecretKey' },
    fields: [],
  },
  baseUrl: 'https://api-singapore.klingai.com',
  models,
  owner: 'kling',
  headers: ({ key }) => ({ authorization: `Bearer ${klingToken(key, Date.now())}` }),
  // Its tokens name the time.
  freshHead: true,
})
