/** The channel and the account that store a response. */
export interface StoredResponsePlace {
  readonly channelId: number
  /** Keyed hash of the channel key of the call: another account of the same provider does not know the response. */
  readonly keyHash: string
}

/** Finds the channel of a response that its provider stores for later calls (`previous_response_id`, `GET /v1/responses/{id}`). */
export interface StoredResponses {
  note(id: string, userId: number, place: { readonly channelId: number; readonly key: string }, until?: number): void
  /** True if this process has noted the response for the user, as far as its memory goes. */
  isNoted(id: string, userId: number): boolean
  /** undefined if the response is unknown or belongs to another user. */
  find(id: string, userId: number): Promise<StoredResponsePlace | undefined>
  keyHashOf(key: string): string
}
