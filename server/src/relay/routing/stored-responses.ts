import type { Reader } from '../reader.ts'

/** The channel and the account that store a response. */
export interface StoredResponsePlace {
  readonly channelId: number
  /** Keyed hash of the channel key of the call: another account of the same provider does not know the response. */
  readonly keyHash: string
}

/** Finds the channel of a response that its provider stores for later calls (`previous_response_id`, `GET /v1/responses/{id}`). */
export interface StoredResponses {
  note(id: string, maker: Reader, place: { readonly channelId: number; readonly key: string }, until?: number): void
  /** True if this process has noted the response and the key reads it, as far as its memory goes. */
  isNoted(id: string, reader: Reader): boolean
  /** undefined if the response is unknown, `hidden` if the key may not read it. */
  find(id: string, reader: Reader): Promise<StoredResponsePlace | 'hidden' | undefined>
  keyHashOf(key: string): string
}
