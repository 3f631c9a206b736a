import { randomUUID } from 'node:crypto'
import { type LogText, type StoredLogText, writeLogText } from '@tollgate/contract'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { LogStore, NewLog } from './store.ts'

/** Something worth a line in a user's log that is no request: a top-up (1), a management act (3), a gift (4). */
export interface LogEvent {
  readonly userId: number
  readonly username: string
  readonly type: number
  readonly text: LogText
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

/** The columns of a sentence: its code and figures, and its Chinese text for searching and for other readers of the table. */
export const sentenceColumns = (text: LogText, unit: number): { content: string; other: { text: StoredLogText } } => {
  const stored = { ...text, unit }
  return { content: writeLogText(stored, 'zh') ?? '', other: { text: stored } }
}

/**
 * Writes rows of events; their request id is random, because every row needs one of its own. `unit` answers the quota units
 * of one unit of currency, or 0 where the site shows quota units.
 */
export const eventRecorder =
  (store: Pick<LogStore, 'insert'>, unit: () => number, clock: Clock): RecordEvent =>
  async ({ userId, username, type, text, quota = 0, ip = '' }) => {
    const { content, other } = sentenceColumns(text, unit())
    await store.insert({
      ...blankLog,
      user_id: userId,
      username,
      type,
      content,
      other: JSON.stringify(other),
      quota,
      ip,
      created_at: unixSeconds(clock),
      request_id: randomUUID(),
    })
  }
