import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

const scryptMark = 'scrypt:'
const scryptCost = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const saltBytes = 16
const keyBytes = 32

/** Before the argon2id hash of a SHA-256 in hex: the plain SHA-256 of another gateway is never stored. */
const sha256Mark = 'sha256+'

const scryptParts = (stored: string): { salt: Buffer; key: Buffer } | undefined => {
  if (!stored.startsWith(scryptMark)) return undefined
  const bytes = Buffer.from(stored.slice(scryptMark.length), 'base64')
  if (bytes.length !== saltBytes + keyBytes) return undefined
  return { salt: bytes.subarray(0, saltBytes), key: bytes.subarray(saltBytes) }
}

const verifyScrypt = async (password: string, { salt, key }: { salt: Buffer; key: Buffer }): Promise<boolean> =>
  timingSafeEqual(await derive(password, salt, keyBytes, scryptCost), key)

/** SHA-256 in hex, as some gateways stored passwords. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The stored form of a password of which only the SHA-256 is known; `hash` is its argon2id hash. */
export const storedSha256 = (hash: string): string => `${sha256Mark}${hash}`

type Verify = (password: string, stored: string) => Promise<boolean>

/**
 * How a password is compared that was stored by another gateway: bcrypt, scrypt, or argon2id of its SHA-256. Undefined for
 * every other form. `verifyOwn` compares with an argon2id hash.
 */
export const importedVerifier = (
  stored: string,
  verifyOwn: Verify,
): ((password: string) => Promise<boolean>) | undefined => {
  if (isBcryptHash(stored)) return (password) => verifyBcrypt(password, stored)
  const parts = scryptParts(stored)
  if (parts !== undefined) return (password) => verifyScrypt(password, parts)
  if (!stored.startsWith(sha256Mark)) return undefined
  return (password) => verifyOwn(sha256Hex(password), stored.slice(sha256Mark.length))
}

/**
 * Value of `tokens.key_hash` for a key from a gateway that stores only the SHA-256 of keys. The first use of the key replaces it by the
 * usual hash. `key` is without `sk-`.
 */
export const importedKeyHash = (key: string): string =>
  importedKeyHashOf(createHash('sha256').update(`sk-${key}`).digest('hex'))

/** The same from the hash itself, in hex, of the whole key with `sk-`. */
export const importedKeyHashOf = (sha256: string): string => `sha256:${sha256}`
