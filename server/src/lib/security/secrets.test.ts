import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSecrets, proveKey } from './secrets.ts'

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

it('stops the start when the key does not fit the stored data', async () => {
  let stored: string | undefined
  const marker = {
    read: async () => stored,
    write: async (proof: string) => {
      stored = proof
    },
  }
  await proveKey(withSecret('a'), marker)
  await proveKey(withSecret('a'), marker)
  await expect(proveKey(withSecret('b'), marker)).rejects.toThrow('CRYPTO_SECRET')
})
