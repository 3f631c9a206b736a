import { createHash } from 'node:crypto'

/**
 * What `tokens.key_hash` holds of a key that came from a gateway which stores only the SHA-256 of keys. Its first use
 * replaces it by what is stored of every key. `key` is without `sk-`.
 */
export const importedKeyHash = (key: string): string =>
  importedKeyHashOf(createHash('sha256').update(`sk-${key}`).digest('hex'))

/** The same from the hash itself, in hex, of the whole key with `sk-`. */
export const importedKeyHashOf = (sha256: string): string => `sha256:${sha256}`
