import { createHash } from 'node:crypto'

/**
 * Value of `tokens.key_hash` for a key from a gateway that stores only the SHA-256 of keys. The first use of the key replaces it by the
 * usual hash. `key` is without `sk-`.
 */
export const importedKeyHash = (key: string): string =>
  importedKeyHashOf(createHash('sha256').update(`sk-${key}`).digest('hex'))

/** The same from the hash itself, in hex, of the whole key with `sk-`. */
export const importedKeyHashOf = (sha256: string): string => `sha256:${sha256}`
