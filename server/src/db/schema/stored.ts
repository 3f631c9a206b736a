import type { Generated } from 'kysely'
import type { Time } from './columns.ts'

/** The channel and key of each response that its provider stores for later calls. */
export interface StoredResponsesTable {
  id_hash: string
  user_id: number
  channel_id: number
  key_hash: string
  created_time: Time
  /** The API key of the answered call; 0 for rows from before it was stored. */
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

/** Creator of an object in the account of a channel, by a direct call. */
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

/** Refund due to a user because a cached content was deleted early; the request paid for its storage. */
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

/** A batch that was made by a direct call, until and after it is charged. */
export interface DirectBatchesTable {
  id: Generated<number>
  /** Name of its charge. */
  movement: string
  /** Form of the provider's API. */
  kind: string
  /** The collection of its object, and its id there. */
  collection: string
  object_id: string
  channel_id: number
  /** Keyed hash of the channel key that made it. */
  key_hash: string
  user_id: number
  token_id: number
  project_id: number
  member_id: number
  /** JSON: how its charge names who made it. */
  owner: string
  /** JSON: where its API is. */
  address: string
  /** JSON: the lines of its input by model. */
  inputs: string
  /** JSON: ids of files with its results. */
  files: string
  /** The first of these files; empty while none is known. */
  result_file: string
  /** Quota units that are held until it is charged. */
  held: number
  /** The process that claims them, and the end of its claim; empty for none. */
  holder: string
  holder_until: Time
  /** `open` or `charged`. */
  state: string
  created_time: Time
  /** When its end is looked for. */
  next_time: Time
  /** When a call of its provider last asked for that. */
  nudged_time: Generated<Time>
  attempts: number
}

/** The lines of a file that was uploaded as the input of batches. */
export interface BatchInputsTable {
  /** Hash of the place and the file. */
  id_hash: string
  file_id: string
  channel_id: number
  key_hash: string
  /** JSON: lines by model. */
  inputs: string
  expires_time: Time
}

/** Tables of objects that are stored for later calls, and of work that is due for them. */
export interface StoredTables {
  kept_answers: StoredResponsesTable
  stored_objects: StoredObjectsTable
  made_objects: MadeObjectsTable
  storage_refunds: StorageRefundsTable
  direct_batches: DirectBatchesTable
  batch_inputs: BatchInputsTable
}
