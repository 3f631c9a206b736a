import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Purpose of a secret; a text that is encrypted for one purpose cannot be decrypted for another. */
export type SecretPurpose =
  | 'digest_key'
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
  | 'kept_file'
  | 'batch_chunk'
  | 'thoughts'
  | 'capture'
  | 'client_secret'
  | 'identity_provider'
  | 'provider_session'
  | 'site_key'
  | 'domain_proof'
  | 'live_token'
  | 'job_hook'
  | 'channel_hook'
  | 'live_handle'

export interface Secrets {
  /** AES-256-GCM as `v1.<base64url of nonce, tag and cipher text>`; the same text never gives the same cipher text twice. */
  encrypt(purpose: SecretPurpose, text: string): string
  /** Throws `SecretsError` when the key differs or the text was changed. */
  decrypt(purpose: SecretPurpose, cipherText: string): string
  /** True for texts encrypted with the current secret, false for those that need a previous one or cannot be decrypted. */
  isCurrent(purpose: SecretPurpose, cipherText: string): boolean
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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx', flush: true })
  return readKeyFile(path)
}

const derive = (secret: Buffer | string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'tollgate', use, keyBytes))

const wrongKey =
  'A stored secret cannot be decrypted: CRYPTO_SECRET (or the key file beside the data) is not the one it was encrypted with.'

export interface SecretSources {
  readonly cryptoSecret: string | undefined
  /** Secrets that only decrypt: those before a rotation, or the next one. */
  readonly previousSecrets?: readonly string[]
  /** Holds the key of an installation without `cryptoSecret`; where there is one beside it, it counts as a previous secret. */
  readonly keyFile: string
}

/** A cipher text of one purpose, opened with one key. Throws for another key. */
const openWith = (key: Buffer, purpose: SecretPurpose, packed: Buffer): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, packed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(packed.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(packed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

const opens = (key: Buffer, purpose: SecretPurpose, packed: Buffer): boolean => {
  try {
    openWith(key, purpose, packed)
    return true
  } catch {
    return false
  }
}

const packedOf = (cipherText: string): Buffer => Buffer.from(cipherText.slice(version.length), 'base64url')

const allSecrets = ({ cryptoSecret, previousSecrets = [], keyFile }: SecretSources): (string | Buffer)[] =>
  cryptoSecret === undefined
    ? [ownKey(keyFile), ...previousSecrets]
    : [cryptoSecret, ...previousSecrets, ...(existsSync(keyFile) ? [readKeyFile(keyFile)] : [])]

/**
 * Opens the secrets of this installation: keys derived (HKDF-SHA-256) from `cryptoSecret`, or from a key file that is
 * generated (mode 0600) when there is neither. `digestKey` replaces the key of digests: they must outlive a rotation, because
 * what they were made of is not stored.
 */
export const openSecrets = (sources: SecretSources, digestKey?: Buffer): Secrets => {
  const [current, ...previous] = allSecrets(sources)
  const encryptionKey = derive(current ?? '', 'encryption')
  const previousKeys = previous.map((secret) => derive(secret, 'encryption'))
  const hashKey = digestKey ?? derive(current ?? '', 'digest')

  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(purpose))
      const body = cipher.update(text, 'utf8')
      // GCM has nothing left at its end.
      cipher.final()
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(purpose, cipherText) {
      if (!cipherText.startsWith(version))
        throw new SecretsError('A stored secret is not in a form this version knows.')
      const packed = packedOf(cipherText)
      let firstCause: unknown
      for (const key of [encryptionKey, ...previousKeys]) {
        try {
          return openWith(key, purpose, packed)
        } catch (cause) {
          firstCause ??= cause
        }
      }
      throw new SecretsError(wrongKey, firstCause)
    },
    isCurrent: (purpose, cipherText) =>
      cipherText.startsWith(version) && opens(encryptionKey, purpose, packedOf(cipherText)),
    digest: (purpose, value) => createHmac('sha256', hashKey).update(`${purpose}\0${value}`).digest('hex'),
  }
}

/** The key of digests of the installation whose secret made this proof; undefined where none of the sources did. */
const digestKeyOf = (sources: SecretSources, proof: string): Buffer | undefined => {
  const secret = allSecrets(sources).find((entry) => opens(derive(entry, 'encryption'), 'proof', packedOf(proof)))
  return secret === undefined ? undefined : derive(secret, 'digest')
}

/** A text that is stored once for the whole installation. */
interface StoredText {
  read(): Promise<string | undefined>
  /** Stores it unless another node has already stored one. */
  write(text: string): Promise<void>
}

/** Stored values with which a secret can be checked and replaced. */
export interface StoredProofs {
  /** An encrypted constant. */
  readonly proof: StoredText
  /** The key of digests, encrypted; absent until the first secret was replaced, because it follows from that one. */
  readonly digestKey: StoredText
}

const writtenOnce = async (stored: StoredText, text: () => string): Promise<string> => {
  const found = await stored.read()
  if (found !== undefined) return found
  const own = text()
  await stored.write(own)
  return (await stored.read()) ?? own
}

/**
 * Opens the secrets of this installation and checks that they fit the data: stores an encrypted constant with the data, or
 * decrypts the stored one. Digests keep the key of the first secret, whatever it was replaced by.
 * @throws SecretsError for a wrong secret, which would otherwise show up as "invalid token" everywhere.
 */
export const openProvenSecrets = async (sources: SecretSources, stored: StoredProofs): Promise<Secrets> => {
  const secrets = openSecrets(sources)
  const proof = await writtenOnce(stored.proof, () => secrets.encrypt('proof', 'tollgate'))
  secrets.decrypt('proof', proof)
  if ((await stored.digestKey.read()) === undefined && secrets.isCurrent('proof', proof)) return secrets
  const written = await writtenOnce(stored.digestKey, () =>
    secrets.encrypt('digest_key', (digestKeyOf(sources, proof) ?? Buffer.alloc(0)).toString('base64')),
  )
  return openSecrets(sources, Buffer.from(secrets.decrypt('digest_key', written), 'base64'))
}
