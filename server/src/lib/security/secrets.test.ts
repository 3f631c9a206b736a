import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openProvenSecrets, openSecrets } from './secrets.ts'

const directory = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
afterAll(() => rmSync(directory, { recursive: true }))

const withSecret = (cryptoSecret: string) => openSecrets({ cryptoSecret, keyFile: join(directory, 'unused') })

describe('secrets', () => {
  it.each(['', 'sk-abc', '密钥 🔑', 'x'.repeat(100_000)])('decrypts what it encrypted (%#)', (text) => {
    const secrets = withSecret('a')
    expect(secrets.decrypt('channel_key', secrets.encrypt('channel_key', text))).toBe(text)
  })

  it('never makes the same cipher text twice', () => {
    const secrets = withSecret('a')
    expect(secrets.encrypt('option', 'same')).not.toBe(secrets.encrypt('option', 'same'))
  })

  it('refuses a cipher text with any byte changed', () => {
    const secrets = withSecret('a')
    const packed = Buffer.from(secrets.encrypt('option', 'hello').slice(3), 'base64url')
    for (let at = 0; at < packed.length; at += 1) {
      const changed = Buffer.from(packed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => secrets.decrypt('option', `v1.${changed.toString('base64url')}`)).toThrow('cannot be decrypted')
    }
  })

  it('refuses a cipher text of another purpose, of another key, cut short or of an unknown form', () => {
    const secrets = withSecret('a')
    const cipherText = secrets.encrypt('option', 'hello')
    expect(() => secrets.decrypt('channel_key', cipherText)).toThrow('cannot be decrypted')
    expect(() => withSecret('b').decrypt('option', cipherText)).toThrow('CRYPTO_SECRET')
    expect(() => secrets.decrypt('option', cipherText.slice(0, 20))).toThrow('cannot be decrypted')
    expect(() => secrets.decrypt('option', 'plain text')).toThrow('not in a form')
  })

  it('makes equal digests for one purpose and key only', () => {
    const digest = withSecret('a').digest('token_key', 'value')
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(withSecret('a').digest('token_key', 'value')).toBe(digest)
    expect(withSecret('a').digest('session', 'value')).not.toBe(digest)
    expect(withSecret('b').digest('token_key', 'value')).not.toBe(digest)
  })
})

describe('the key file', () => {
  it('is generated once, readable by its owner only, and used again', () => {
    const keyFile = join(directory, 'data', 'secret.key')
    const cipherText = openSecrets({ cryptoSecret: undefined, keyFile }).encrypt('option', 'kept')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(keyFile)).toHaveLength(32)
    expect(openSecrets({ cryptoSecret: undefined, keyFile }).decrypt('option', cipherText)).toBe('kept')
  })

  it('is refused when damaged', () => {
    const keyFile = join(directory, 'short.key')
    writeFileSync(keyFile, 'short')
    expect(() => openSecrets({ cryptoSecret: undefined, keyFile })).toThrow('is damaged: it holds 5 bytes')
  })
})

/** Stored proof and digest key of an installation. */
const storedProofs = () => {
  const texts = new Map<string, string>()
  const stored = (name: string) => ({
    read: async () => texts.get(name),
    write: async (text: string) => {
      texts.set(name, text)
    },
  })
  return { proof: stored('proof'), digestKey: stored('digest key') }
}
const sources = (cryptoSecret: string | undefined, ...previousSecrets: string[]) => ({
  cryptoSecret,
  previousSecrets,
  keyFile: join(directory, 'own', 'secret.key'),
})

it('stops the start when the key does not fit the stored data', async () => {
  const stored = storedProofs()
  await openProvenSecrets(sources('a'), stored)
  await openProvenSecrets(sources('a'), stored)
  await expect(openProvenSecrets(sources('b'), stored)).rejects.toThrow('CRYPTO_SECRET')
})

describe('a previous secret', () => {
  it('decrypts and does not encrypt', async () => {
    const old = withSecret('a').encrypt('option', 'text')
    const both = openSecrets(sources('b', 'x', 'a'))
    expect(both.decrypt('option', old)).toBe('text')
    expect(both.isCurrent('option', old)).toBe(false)
    expect(both.isCurrent('option', both.encrypt('option', 'text'))).toBe(true)
    expect(() => withSecret('a').decrypt('option', both.encrypt('option', 'text'))).toThrow('CRYPTO_SECRET')
    expect(() => both.decrypt('channel_key', old)).toThrow('CRYPTO_SECRET')
  })

  it('is the key file of an installation that gets a CRYPTO_SECRET, and digests stay', async () => {
    const stored = storedProofs()
    const own = await openProvenSecrets(sources(undefined), stored)
    const moved = await openProvenSecrets(sources('chosen'), stored)
    expect(moved.decrypt('option', own.encrypt('option', 'text'))).toBe('text')
    expect(moved.digest('token_key', 'key')).toBe(own.digest('token_key', 'key'))
    expect(own.digest('token_key', 'key')).not.toBe(withSecret('chosen').digest('token_key', 'key'))
  })
})
