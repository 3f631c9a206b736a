import { createHmac } from 'node:crypto'
import { videoService } from '../dialects/tasks.ts'

/** Seconds of a token, and those that its beginning lies back, for clocks that differ. */
const lifeSeconds = 1_800
const earlySeconds = 5

const encodedPart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * The token of an account: a JWT (HS256) that names the access key and is signed with the secret key (kling.ai/document-api, API
 * authentication). A key without a secret is a token itself. `now` is in milliseconds.
 */
export const klingToken = (key: string, now: number): string => {
  const [accessKey = '', secretKey = '', ...more] = key.split('|').map((part) => part.trim())
  if (accessKey === '' || secretKey === '' || more.length > 0) return key
  const seconds = Math.floor(now / 1000)
  const head = encodedPart({ alg: 'HS256', typ: 'JWT' })
  const body = encodedPart({ iss: accessKey, exp: seconds + lifeSeconds, nbf: seconds - earlySeconds })
  const signature = createHmac('sha256', secretKey).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}

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
