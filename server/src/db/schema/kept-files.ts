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

export interface KeptFileTables {
  kept_files: KeptFilesTable
  kept_file_pieces: KeptFilePiecesTable
}
