import type { Id, Time } from '#server/db/schema/columns.ts'

/** Videos that keys have begun. A row is written before its provider is asked. */
export interface VideoJobsTable {
  id: Id
  /** The gateway's own id, as clients know it; its charge is named after it. */
  public_id: string
  user_id: number
  token_id: number
  project_id: number
  member_id: number
  /** JSON: how its charge names who made it. */
  owner: string
  /** Entry of the provider; empty until one has accepted it. */
  provider: string
  channel_id: number
  /** Keyed hash of the channel key that made it. */
  key_hash: string
  /** Id at the provider; empty until one has accepted it. */
  upstream_id: string
  /** As the key called it, and as the provider did. */
  model: string
  upstream_model: string
  prompt: string
  /** Milliseconds: requested, then as the provider states it. */
  duration_ms: number
  size: string
  /** Public id of the video that it is a remix of; empty for none. */
  remixed_from: string
  /** JSON: receipt at the price when it began; empty until a provider has accepted it. */
  receipt: string
  /** JSON: the same at the price of the provider; empty where that is not known. */
  cost: string
  /** Quota units that are held until it has ended. */
  held: number
  /** The process that holds, and the end of its claim; empty for none. */
  holder: string
  holder_until: Time
  state: 'submitting' | 'queued' | 'in_progress' | 'completed' | 'failed'
  /** 1 while it has neither been charged nor ended without a charge. */
  is_open: number
  /** Percent. */
  progress: number
  error_code: string
  error_message: string
  /** JSON: where its content is at the provider. */
  result: string
  created_time: Time
  completed_time: Time
  /** When the provider deletes the content; 0 where it does not say. */
  expires_time: Time
  /** When its provider is asked, or its rest deleted. */
  next_time: Time
  attempts: number
  /** When its provider is asked because it has called, or was the last time; 0 where it has not called. */
  nudged_time: Time
  /** 1 once its owner has deleted it. */
  is_deleted: number
}

export interface VideoTables {
  video_jobs: VideoJobsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends VideoTables {}
}
