import { createHmac } from 'node:crypto'

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
