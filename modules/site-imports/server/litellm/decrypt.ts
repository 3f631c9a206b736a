import { createDecipheriv, createHash } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'

const gcmMark = 'v2:gcm:'
const gcmNonce = 12
const gcmTag = 16
const boxNonce = 24

/**
 * Reads the values that LiteLLM encrypts with its salt key: NaCl's secretbox, or AES-256-GCM in later versions. Undefined for
 * a text that this key does not open.
 */
export const createDecrypter = (saltKey: string): ((text: string) => string | undefined) => {
  const key = createHash('sha256').update(saltKey).digest()

  const fromGcm = (packed: Buffer): string => {
    const decipher = createDecipheriv('aes-256-gcm', key, packed.subarray(0, gcmNonce), { authTagLength: gcmTag })
    decipher.setAuthTag(packed.subarray(-gcmTag))
    return decipher.update(packed.subarray(gcmNonce, -gcmTag), undefined, 'utf8') + decipher.final('utf8')
  }

  const fromBox = (packed: Buffer): string =>
    Buffer.from(xsalsa20poly1305(key, packed.subarray(0, boxNonce)).decrypt(packed.subarray(boxNonce))).toString('utf8')

  return (text) => {
    if (saltKey === '') return undefined
    try {
      if (text.startsWith(gcmMark)) return fromGcm(Buffer.from(text.slice(gcmMark.length), 'base64'))
      return fromBox(Buffer.from(text, 'base64'))
    } catch {
      return undefined
    }
  }
}
