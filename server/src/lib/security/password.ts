import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { importedVerifier } from './imported-credentials.ts'

const derive = promisify(argon2)

// OWASP's first recommendation for argon2id; about 35 ms of one core.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

// Hashing shares the thread pool with journal writes: two at a time leave half of the threads free.
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

const withSlot = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

interface Parsed {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const parse = (text: string): Parsed | undefined => {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const hashWith = (password: string, parameters: Omit<Parsed, 'hash'> & { length: number }): Promise<Buffer> =>
  withSlot(() =>
    derive('argon2id', {
      message: password,
      nonce: parameters.salt,
      memory: parameters.memory,
      passes: parameters.passes,
      parallelism: parameters.parallelism,
      tagLength: parameters.length,
    }),
  )

/** Hashes a password with argon2id, off the main thread, as a PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`). */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes)
  const hash = await hashWith(password, { ...cost, salt, length: hashBytes })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Verified for unknown users, so that they take as long as known ones. */
const dummyHash: Parsed = { ...cost, salt: Buffer.alloc(saltBytes, 1), hash: Buffer.alloc(hashBytes) }

/** True for a hash that another gateway made: it works, and the first right password replaces it by one of ours. */
export const isImportedHash = (stored: string): boolean => importedVerifier(stored, verifyOwn) !== undefined

/**
 * Compares a password with its stored hash. Returns false after the same work when there is no hash (an unknown user) or its format
 * is unknown, so that the duration does not reveal whether the user exists. Hashes of other gateways take their own time.
 */
export const verifyPassword = async (password: string, stored: string | undefined): Promise<boolean> =>
  (stored === undefined ? undefined : importedVerifier(stored, verifyOwn))?.(password) ?? verifyOwn(password, stored)

const verifyOwn = async (password: string, stored: string | undefined): Promise<boolean> => {
  const parsed = stored === undefined ? undefined : parse(stored)
  const expected = parsed ?? dummyHash
  const actual = await hashWith(password, { ...expected, length: expected.hash.length })
  return timingSafeEqual(actual, expected.hash) && parsed !== undefined
}
