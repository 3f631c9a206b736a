import { createHmac } from 'node:crypto'

const dayMs = 24 * 60 * 60 * 1000

const encodedPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The JWT that Zhipu expects for a key `id.secret`; other keys are returned unchanged. `now` is milliseconds since 1970. */
export const zhipuToken = (key: string, now: number): string => {
  const [id = '', secret = '', ...more] = key.split('.')
  if (id === '' || secret === '' || more.length > 0) return key
  const head = encodedPart({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
  const body = encodedPart({ api_key: id, exp: now + dayMs, timestamp: now })
  const signature = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}
