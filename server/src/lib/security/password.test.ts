import { scryptSync } from 'node:crypto'
import { hash as bcryptHash } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { sha256Hex, storedSha256 } from './imported-credentials.ts'
import { hashPassword, isImportedHash, verifyPassword } from './password.ts'

const salt = Buffer.alloc(16, 7)

describe('passwords', () => {
  it('accepts the password it hashed and no other', async () => {
    const stored = await hashPassword('correct horse 马')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifyPassword('correct horse 马', stored)).toBe(true)
    expect(await verifyPassword('correct horse', stored)).toBe(false)
    expect(await verifyPassword('', stored)).toBe(false)
  })

  it('salts, so one password has two hashes', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  // From the tests of the algorithm's reference implementation.
  it('accepts a hash with other parameters', async () => {
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', stored)).toBe(true)
    expect(await verifyPassword('Password', stored)).toBe(false)
  })

  it.each([undefined, '', 'plain', '$2a$10$abcdefghijklmnopqrstuv'])(
    'refuses everything for the hash %s',
    async (stored) => {
      expect(await verifyPassword('', stored)).toBe(false)
      expect(await verifyPassword('plain', stored)).toBe(false)
    },
  )

  it('accepts what other gateways stored: bcrypt, scrypt, and argon2id of a SHA-256', async () => {
    const stored = [
      await bcryptHash('Pass-王-2026', 4),
      `scrypt:${Buffer.concat([salt, scryptSync('Pass-王-2026', salt, 32, { N: 16_384, r: 8, p: 1 })]).toString('base64')}`,
      storedSha256(await hashPassword(sha256Hex('Pass-王-2026'))),
    ]
    for (const each of stored) {
      expect(isImportedHash(each)).toBe(true)
      expect(await verifyPassword('Pass-王-2026', each)).toBe(true)
      expect(await verifyPassword('Pass-王-2027', each)).toBe(false)
      expect(await verifyPassword('', each)).toBe(false)
    }
    expect(isImportedHash(await hashPassword('own'))).toBe(false)
  })

  it.each([`$2a$31$${'a'.repeat(53)}`, 'scrypt:short', 'sha256+plain', sha256Hex('plain')])(
    'refuses everything for %s, which is no hash it compares with',
    async (stored) => expect(await verifyPassword('plain', stored)).toBe(false),
  )

  it('takes as long for an unknown user as for a wrong password', async () => {
    const stored = await hashPassword('something')
    const timed = async (hash: string | undefined) => {
      const start = performance.now()
      await verifyPassword('guess', hash)
      return performance.now() - start
    }
    // Alternating, and the minimum of several: other load on the machine can only add time.
    const knownUserMs: number[] = []
    const unknownUserMs: number[] = []
    const areAlike = (): boolean => Math.min(...unknownUserMs) > Math.min(...knownUserMs) / 4
    for (let round = 0; round < 5 || (round < 200 && !areAlike()); round += 1) {
      knownUserMs.push(await timed(stored))
      unknownUserMs.push(await timed(undefined))
    }
    expect(areAlike()).toBe(true)
  })
})
