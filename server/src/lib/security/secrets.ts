import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Purpose of a secret; a text that is encrypted for one purpose cannot be decrypted for another. */
export type SecretPurpose =
  | 'channel_key'
  | 'token_key'
  | 'option'
  | 'redemption'
  | 'session'
  | 'access_token'
  | 'proof'
  | 'second_factor'
  | 'webhook'
  | 'report_key'
  | 'stored_object'
  | 'thoughts'
  | 'capture'
  | 'client_secret'

export interface Secrets {
  /** AES-256-GCM as `v1.<base64url of nonce, tag and cipher text>`; the same text never gives the same cipher text twice. */
  encrypt(purpose: SecretPurpose, text: string): string
  /** Throws `SecretsError` when the key differs or the text was changed. */
  decrypt(purpose: SecretPurpose, cipherText: string): string
  /** Keyed hash (HMAC-SHA-256, hex) for look-ups and for what only needs comparing. */
  digest(purpose: SecretPurpose, value: string): string
}

/** A problem with the key; its message is shown to the operator who starts the server. */
export class SecretsError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'SecretsError'
  }
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const version = 'v1.'

const readKeyFile = (path: string): Buffer => {
  const key = readFileSync(path)
  if (key.length === keyBytes) return key
  throw new SecretsError(`The key file ${path} is damaged: it holds ${key.length} bytes instead of ${keyBytes}.`)
}

/** The key of an installation without CRYPTO_SECRET: generated once, readable by its owner only. */
const ownKey = (path: string): Buffer => {
  if (existsSync(path)) return readKeyFile(path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx', flush: true })
  return readKeyFile(path)
}

const derive = (secret: Buffer | string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'tollgate', use, keyBytes))

const wrongKey =
  'A stored secret cannot be decrypted: CRYPTO_SECRET (or the key file beside the data) is not the one it was encrypted with.'

/**
 * Opens the secrets of this installation: keys derived (HKDF-SHA-256) from `cryptoSecret`, or from a key file that is
 * generated (mode 0600) when there is neither.
 */
export const openSecrets = (parts: { cryptoSecret: string | undefined; keyFile: string }): Secrets => {
  const secret = parts.cryptoSecret ?? ownKey(parts.keyFile)
  const encryptionKey = derive(secret, 'encryption')
  const digestKey = derive(secret, 'digest')

  const open = (purpose: SecretPurpose, packed: Buffer): string => {
    const decipher = createDecipheriv('aes-256-gcm', encryptionKey, packed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(packed.subarray(nonceBytes, nonceBytes + tagBytes))
    return decipher.update(packed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(purpose, cipherText) {
      if (!cipherText.startsWith(version))
        throw new SecretsError('A stored secret is not in a form this version knows.')
      try {
        return open(purpose, Buffer.from(cipherText.slice(version.length), 'base64url'))
      } catch (cause) {
        throw new SecretsError(wrongKey, cause)
      }
    },
    digest: (purpose, value) => createHmac('sha256', digestKey).update(`${purpose}\0${value}`).digest('hex'),
  }
}

interface StoredProof {
  read(): Promise<string | undefined>
  /** Stores the proof unless another node has already stored one. */
  write(proof: string): Promise<void>
}

const writtenProof = async (secrets: Secrets, stored: StoredProof): Promise<string> => {
  const proof = secrets.encrypt('proof', 'tollgate')
  await stored.write(proof)
  return (await stored.read()) ?? proof
}

/**
 * Checks at the start that the key fits the data: stores an encrypted constant with the data, or decrypts the stored one. Throws
 * `SecretsError` for a wrong key, which would otherwise show up as "invalid token" everywhere.
 */
export const proveKey = async (secrets: Secrets, stored: StoredProof): Promise<void> => {
  const proof = (await stored.read()) ?? (await writtenProof(secrets, stored))
  secrets.decrypt('proof', proof)
}
