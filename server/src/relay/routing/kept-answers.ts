/** Where an answer lies that its provider keeps. */
export interface KeptPlace {
  readonly channelId: number
  /** Keyed hash of the key that asked for it: another account of the same provider does not know the answer. */
  readonly keyHash: string
}

/** Answers that providers keep for later calls (`previous_response_id`, `GET /v1/responses/{id}`). */
export interface KeptAnswers {
  note(id: string, userId: number, place: { readonly channelId: number; readonly key: string }): void
  /** undefined for answers of others, too. */
  find(id: string, userId: number): Promise<KeptPlace | undefined>
  keyHashOf(key: string): string
}
