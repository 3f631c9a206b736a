import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { reasonOf } from '../lib/reason-of.ts'

/** How a backup is encrypted: for the holders of keys (`age1…`), or with a passphrase. */
export type Encryption =
  | { readonly kind: 'recipients'; readonly recipients: readonly string[] }
  | { readonly kind: 'passphrase'; readonly passphrase: string }

/** Secrets that decrypt a backup: secret keys (`AGE-SECRET-KEY-…`), or the passphrase. */
export type BackupSecrets =
  | { readonly kind: 'identities'; readonly identities: readonly string[] }
  | { readonly kind: 'passphrase'; readonly passphrase: string }

// The two declarations of the same stream of the web, Node's and the one of browsers, do not know each other.
const toWeb = (stream: Readable): globalThis.ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>)

/** Encrypts in the format of `age` (age-encryption.org/v1), which its own tools open, too. */
export const encrypted = async (source: Readable, how: Encryption): Promise<Readable> => {
  const encrypter = new Encrypter()
  if (how.kind === 'passphrase') encrypter.setPassphrase(how.passphrase)
  else for (const recipient of how.recipients) encrypter.addRecipient(recipient)
  return fromWeb(await encrypter.encrypt(toWeb(source)))
}

/** @throws Error when the key or the passphrase does not fit, or the head is damaged. What follows may still turn out to be damaged. */
export const decrypted = async (source: Readable, how: BackupSecrets): Promise<Readable> => {
  const decrypter = new Decrypter()
  if (how.kind === 'passphrase') decrypter.addPassphrase(how.passphrase)
  else for (const identity of how.identities) decrypter.addIdentity(identity)
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)))
  } catch (cause) {
    if (!reasonOf(cause).startsWith('no identity matched'))
      throw new Error(`The encrypted backup is damaged (${reasonOf(cause)}).`, { cause })
    const what = how.kind === 'passphrase' ? 'The passphrase does not open' : 'None of the keys opens'
    throw new Error(`${what} this backup.`, { cause })
  }
}
