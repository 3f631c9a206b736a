import { randomInt } from 'node:crypto'
import { packageOnUse } from '../../lib/on-first-use.ts'

const otpauth = packageOnUse<typeof import('otpauth')>('otpauth')

/** Settings that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const secretBytes = 20
/** Codes of one step before and after are accepted: clocks differ, and people take time to type. */
const window = 1

/** A new secret in base 32. */
export const newSecret = (): string => new (otpauth().Secret)({ size: secretBytes }).base32

/** The address that an authenticator reads from a QR code. */
export const enrolmentUri = (enrolment: { secret: string; issuer: string; account: string }): string =>
  new (otpauth().TOTP)({
    ...settings,
    secret: enrolment.secret,
    issuer: enrolment.issuer,
    label: enrolment.account,
  }).toString()

/** The 30-second step that a code belongs to; undefined when it belongs to none near `nowMs`. */
export const stepOf = (secret: string, code: string, nowMs: number): number | undefined => {
  const { Secret, TOTP } = otpauth()
  const delta = TOTP.validate({ ...settings, token: code, secret: Secret.fromBase32(secret), timestamp: nowMs, window })
  return delta === null ? undefined : TOTP.counter({ period: settings.period, timestamp: nowMs }) + delta
}

const recoveryCodeCount = 10
const halfLength = 5
// Without letters and digits that are taken for one another.
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const half = (): string =>
  Array.from({ length: halfLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Ten codes like `k7m2p-x4qhn`, 49 bits each. */
export const newRecoveryCodes = (): string[] => {
  const codes = new Set<string>()
  while (codes.size < recoveryCodeCount) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/** Normalises a typed code for comparison. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase()

export const looksLikeTotp = (code: string): boolean => /^\d{6}$/.test(code)
