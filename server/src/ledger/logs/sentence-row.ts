import { type LogText, type StoredLogText, writeLogText } from '@tollgate/contract'
import type { LogsTable } from '../../db/schema.ts'

type BlankColumns =
  | 'token_name'
  | 'token_id'
  | 'model_name'
  | 'quota'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'use_time'
  | 'is_stream'
  | 'channel_id'
  | 'group'
  | 'ip'
  | 'other'

/** The other columns of a row of the log that is no request. */
export const blankLog: Pick<LogsTable, BlankColumns> = {
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

/**
 * The columns of a sentence: its code and figures, and its Chinese text for searching and for other readers of the table.
 * `unit` are the quota units of one unit of currency, 0 where the site shows quota units.
 */
export const sentenceColumns = (text: LogText, unit: number): { content: string; other: { text: StoredLogText } } => {
  const stored = { ...text, unit }
  return { content: writeLogText(stored, 'zh') ?? '', other: { text: stored } }
}
