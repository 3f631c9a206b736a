import type { Id, Time } from '#server/db/schema/columns.ts'

/** A passkey of a user. */
export interface PasskeysTable {
  id: Id
  user_id: number
  credential_hash: string
  /** Base64url, like the public key. */
  credential_id: string
  public_key: string
  counter: number
  /** JSON array of text. */
  transports: string
  name: string
  created_time: Time
  last_used_time: Time
}

export interface PasskeyTables {
  passkeys: PasskeysTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends PasskeyTables {}
}
