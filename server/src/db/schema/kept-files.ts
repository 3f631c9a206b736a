import type { Generated } from 'kysely'
import type { Time } from './columns.ts'

/** A file that a key stores at the gateway. */
export interface KeptFilesTable {
  id: string
  /** Payer of the key that made it. */
  user_id: number
  token_id: number
  /** 0 for none, as `member_id`. */
  project_id: number
  member_id: number
  filename: string
  purpose: string
  content_type: string
  /** Bytes that are written so far. */
  bytes: number
  /** The key of its pieces, encrypted. */
  key_cipher: string
  /** `writing` or `ready`. */
  state: string
  /** Milliseconds since 1970, and three digits more. */
  order_number: number
  created_time: Time
  /** 0 for never. */
  expires_time: Time
  /** Row of `kept_file_places`; 0 for the database. */
  place_id: number
  /** Names what was written at once; null in rows from before there were places. */
  object_name: string | null
}

/** A part of the bytes of a file. */
export interface KeptFilePiecesTable {
  id: Generated<number>
  file_id: string
  /** Number of the file's bytes before it. */
  start_byte: number
  bytes: number
  /** Base64 of the encrypted bytes and their tag. */
  content: string
}

/** A folder or a bucket with the bytes of files. */
export interface KeptFilePlacesTable {
  id: Generated<number>
  address: string
  /** Stands in an object there. */
  mark: string
  /** `new` until the mark is written, then `ready`. */
  state: string
  created_time: Time
}

/** Objects of a deleted file that are to be deleted. */
export interface KeptFileRemovalsTable {
  id: Generated<number>
  place_id: number
  object_name: string
  /** Of the file, so far as they were noted. */
  bytes: number
  due_time: Time
}

export interface KeptFileTables {
  kept_file_places: KeptFilePlacesTable
  kept_file_removals: KeptFileRemovalsTable
  kept_files: KeptFilesTable
  kept_file_pieces: KeptFilePiecesTable
}
