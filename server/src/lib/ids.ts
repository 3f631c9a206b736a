import { randomFillSync } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// 248 is the largest multiple of 62 in a byte: bytes above it are thrown away, so every character is equally likely.
const evenlySpread = 248

const pool = Buffer.alloc(4096)
/** Unused random characters, generated in bulk because every call needs some. */
let ready = ''
let used = 0

const moreCharacters = (): string => {
  randomFillSync(pool)
  let made = 0
  for (const byte of pool) {
    if (byte >= evenlySpread) continue
    pool.writeUInt8(alphabet.charCodeAt(byte % alphabet.length), made)
    made += 1
  }
  return pool.toString('latin1', 0, made)
}

/** `length` random letters and digits from the system's secure source. */
export const randomAlphanumerics = (length: number): string => {
  while (ready.length - used < length) {
    ready = ready.slice(used) + moreCharacters()
    used = 0
  }
  used += length
  return ready.slice(used - length, used)
}

/** The key of an API token: 48 characters, shown with `sk-` before it. */
export const newTokenKey = (): string => randomAlphanumerics(48)

/** The value of a session cookie: 43 characters, 256 bits. */
export const newSessionId = (): string => randomAlphanumerics(43)

/** A system access token: 32 characters. */
export const newAccessToken = (): string => randomAlphanumerics(32)

/** How named access tokens begin, so that scanners for secrets know them. */
export const namedAccessTokenStart = 'tgat_'

/** A named access token: 48 characters. */
export const newNamedAccessToken = (): string => namedAccessTokenStart + randomAlphanumerics(43)

let second = 0
let secondText = ''

/** Local time as `YYYYMMDDhhmmss`. */
export const timeText = (nowMs: number): string => {
  const now = new Date(nowMs)
  // The UTC time of a clock that shows the local one.
  const shifted = new Date(nowMs - now.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19).replace(/\D/g, '')
}

/**
 * The id of a request, 31 characters: local time to the second, nine digits of the second's fraction, eight random
 * characters.
 */
export const newRequestId = (nowMs: number = performance.timeOrigin + performance.now()): string => {
  const current = Math.floor(nowMs / 1000)
  if (current !== second) {
    second = current
    secondText = timeText(nowMs)
  }
  const fraction = Math.floor((nowMs - current * 1000) * 1_000_000)
  return `${secondText}${String(fraction).padStart(9, '0')}${randomAlphanumerics(8)}`
}
