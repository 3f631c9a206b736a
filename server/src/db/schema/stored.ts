import type { Generated } from 'kysely'
import type { Time } from './columns.ts'

/** The channel and key of each response that its provider stores for later calls. */
export interface StoredResponsesTable {
  id_hash: string
  user_id: number
  channel_id: number
  key_hash: string
  created_time: Time
  /** The API key whose call it answered; 0 for rows from before it was written. */
  token_id: Generated<number>
}

/** A response, chat completion, conversation or item that the gateway stores for a key. */
export interface StoredObjectsTable {
  id_hash: string
  kind: string
  token_id: number
  thread_hash: string
  /** Milliseconds since 1970, and three digits more. */
  order_number: number
  expires_time: Time
  content_cipher: string
}

/** Who has made an object in the account of a channel by a direct call. */
export interface MadeObjectsTable {
  /** Hash of channel, object and maker. */
  id_hash: string
  /** Hash of the object's name alone. */
  name_hash: string
  channel_id: number
  /** Keyed hash of the channel key that made it; empty where that is not known. */
  key_hash: string
  user_id: number
  /** The key that made it; 0 where that is not known. */
  token_id: Generated<number>
  /** 0 for none, as `member_id`. */
  project_id: number
  member_id: number
  expires_time: Time
}

/** What has to go back to a user because a cached content was deleted early; the request paid to keep it. */
export interface StorageRefundsTable {
  request_id: string
  user_id: number
  channel_id: number
  content_name: string
  quota: number
  created_time: Time
  /** When it is tried again. */
  next_time: Time
  attempts: number
  /** Why the last attempt failed, shortened. */
  last_error: string
}

/** What is stored for later calls, and what is left to do for it. */
export interface StoredTables {
  kept_answers: StoredResponsesTable
  stored_objects: StoredObjectsTable
  made_objects: MadeObjectsTable
  storage_refunds: StorageRefundsTable
}
