import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const keyBytes = 32

/** Bytes by which an encrypted piece is longer. */
export const tagBytes = 16

/** A new key for the pieces of one file. */
export const newPieceKey = (): Buffer => randomBytes(keyBytes)

/** A key encrypts one piece at each place of one file, so the place is a nonce that is used once. */
const nonceOf = (start: number): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(start), 4)
  return nonce
}

/** Writes AES-256-GCM of the bytes from `start` of a file to the beginning of `target`, with its tag at the end; answers its length. */
export const encryptPiece = (
  { key, start }: { readonly key: Buffer; readonly start: number },
  bytes: Uint8Array,
  target: Buffer,
): number => {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(start), { authTagLength: tagBytes })
  cipher.update(bytes).copy(target)
  // GCM has nothing left at its end.
  cipher.final()
  cipher.getAuthTag().copy(target, bytes.length)
  return bytes.length + tagBytes
}

/** Throws where the key, the place or the bytes differ from those of `encryptPiece`. */
export const decryptPiece = (key: Buffer, start: number, packed: Buffer): Buffer => {
  const end = packed.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(start), { authTagLength: tagBytes })
  decipher.setAuthTag(packed.subarray(end))
  const bytes = decipher.update(packed.subarray(0, end))
  decipher.final()
  return bytes
}
