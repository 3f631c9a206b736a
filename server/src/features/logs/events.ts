import { randomUUID } from 'node:crypto'
import { type LogText, logType } from '@tollgate/contract'
import { blankLog, sentenceColumns } from '../../ledger/logs/sentence-row.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { LogStore } from './store.ts'

/** Something worth a line in a user's log that is no request: a top-up (1), a management act (3), a gift (4). */
interface LogEvent {
  readonly userId: number
  readonly username: string
  readonly type: number
  readonly text: LogText
  /** Quota units, when the event moved some. */
  readonly quota?: number
  readonly ip?: string
}

export type RecordEvent = (event: LogEvent) => Promise<void>

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

/** Writes the lines of top-ups; never rejects: the money has moved by then, so a log that cannot be written is no failure. */
export const topUpEvents =
  (record: RecordEvent, log: Pick<Log, 'warn'>) =>
  (event: Omit<LogEvent, 'type'>): Promise<void> =>
    record({ ...event, type: logType.topUp }).catch((error: unknown) =>
      log.warn('top_up_not_logged', { user_id: event.userId, error }),
    )
