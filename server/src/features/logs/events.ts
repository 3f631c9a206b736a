import { randomUUID } from 'node:crypto'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { LogStore, NewLog } from './store.ts'

/** Something worth a line in a user's log that is no request: a top-up (1), a management act (3), a gift (4). */
export interface LogEvent {
  readonly userId: number
  readonly username: string
  readonly type: number
  readonly content: string
  /** Quota units, when the event moved some. */
  readonly quota?: number
  readonly ip?: string
}

export type RecordEvent = (event: LogEvent) => Promise<void>

/** Where a row says nothing. */
export const blankLog: Omit<NewLog, 'created_at' | 'request_id' | 'user_id' | 'username' | 'type' | 'content'> = {
  token_name: '',
  token_id: 0,
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
  is_stream: 0,
  channel_id: 0,
  group: '',
  ip: '',
  other: '',
}

/** Writes rows of events; their request id is random, because every row needs one of its own. */
export const eventRecorder =
  (store: Pick<LogStore, 'insert'>, clock: Clock): RecordEvent =>
  ({ userId, username, type, content, quota = 0, ip = '' }) =>
    store.insert({
      ...blankLog,
      user_id: userId,
      username,
      type,
      content,
      quota,
      ip,
      created_at: unixSeconds(clock),
      request_id: randomUUID(),
    })
