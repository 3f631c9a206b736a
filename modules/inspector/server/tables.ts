import type { Id, Time } from '#server/db/schema/columns.ts'

/** A time during which calls of a key, of a user or at a channel are captured. */
export interface InspectionsTable {
  id: Id
  /** `token`, `user` or `channel`. */
  kind: string
  target_id: number
  target_name: string
  reason: string
  started_by: number
  /** Of who started it: calls of higher ones are not captured. */
  started_role: number
  started_name: string
  started_time: Time
  /** When it ends, or was ended. */
  ends_time: Time
}

/** A call with its bodies as they came and went, without secrets. */
export interface CapturesTable {
  id: Id
  inspection_id: number
  request_id: string
  created_time: Time
  expires_time: Time
  user_id: number
  /** Of its caller: administrators of a lower one do not see it. */
  user_role: number
  username: string
  token_name: string
  channel_id: number
  model: string
  path: string
  status: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  took_ms: number
  bytes: number
  pinned: number
  replay_of: number
  /** Encrypted JSON, see `captureContent`. */
  content_cipher: string
}

export interface InspectorTables {
  inspections: InspectionsTable
  captures: CapturesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends InspectorTables {}
}
