import type { JsonObject } from './conversation/json.ts'

/** Whether an account cannot read a ciphertext. */
export type Unreadable = (seal: string) => boolean

/**
 * Reasoning that OpenAI encrypts for the account that made it, in requests of the dialect in which it was made. Other accounts refuse
 * it with `invalid_encrypted_content` (developers.openai.com/api/docs/guides/reasoning).
 */
export interface SealRules {
  /** Ciphertexts of a request, in their order. */
  in(body: JsonObject): readonly string[]
  /** The members of the request that change where some cannot be read. */
  without(body: JsonObject, isUnreadable: Unreadable): JsonObject
}
