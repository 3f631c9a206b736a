import type { JsonObject } from './conversation/json.ts'

/** Whether an account cannot read a ciphertext. */
export type Unreadable = (seal: string) => boolean

/**
 * Reasoning that OpenAI encrypts, and thoughts that Claude signs, for the account that made them, in requests of the dialect in which
 * they were made. Other accounts refuse the former with `invalid_encrypted_content` (developers.openai.com/api/docs/guides/reasoning),
 * and do not read the latter (platform.claude.com/docs/en/build-with-claude/preserved-thinking).
 */
export interface SealRules {
  /** Members in JSON without one of which a request holds none. */
  readonly names: readonly Buffer[]
  /** Ciphertexts and signatures of a request, in their order; those of other makers with their marks taken off. */
  in(body: JsonObject): readonly string[]
  /** The members of the request that change where some cannot be read. */
  without(body: JsonObject, isUnreadable: Unreadable): JsonObject
}
