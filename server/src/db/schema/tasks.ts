import type { ColumnType, Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface MidjourneysTable {
  id: Id
  code: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  /** Milliseconds, like start and finish. */
  submit_time: number
  start_time: number
  finish_time: number
  image_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  quota: number
  buttons: string
  properties: string
  /** The call that began it; null for rows of the reference. */
  request_id: ColumnType<string | null, string | null | undefined, never>
  /** Keyed hash of the channel's key that began it. */
  key_hash: ColumnType<string | null, string | null | undefined, never>
  /** The API key that began it; 0 for rows from before it was written. */
  token_id: Generated<number>
}

export interface TasksTable {
  id: Id
  created_at: Time
  updated_at: Time
  task_id: string
  platform: string
  user_id: number
  channel_id: number
  quota: number
  action: string
  status: string
  fail_reason: string
  submit_time: Time
  start_time: Time
  finish_time: Time
  progress: string
  properties: string
  data: string
  /** As in `midjourneys`. */
  request_id: ColumnType<string | null, string | null | undefined, never>
  key_hash: ColumnType<string | null, string | null | undefined, never>
  token_id: Generated<number>
}

/** Tasks that their services have called about; a row goes when its task has ended. */
export interface TaskCallsTable {
  /** The call that began it. */
  request_id: string
  platform: 'midjourney' | 'suno'
  created_time: Time
  /** The last look that a call has asked for. */
  nudged_time: Time
  /** From then on its service is asked, or the lease of that ends. */
  look_time: Time
}

/** Tasks of pictures, songs and videos. */
export interface TaskTables {
  task_calls: TaskCallsTable
  midjourneys: MidjourneysTable
  tasks: TasksTable
}
