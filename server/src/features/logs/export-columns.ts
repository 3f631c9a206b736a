import { type Log, type LogOther, logType } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { type CsvCell, csvLine, csvMark } from '../../http/csv.ts'

/** One column of an exported table. */
interface ExportColumn {
  readonly name: string
  readonly operator?: true
  readonly value: (log: Log, other: LogOther) => CsvCell
}

const typeWords = new Map<number, string>(Object.entries(logType).map(([word, type]) => [type, word]))

const columns: readonly ExportColumn[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'time', value: ({ created_at }) => new Date(created_at * 1000).toISOString() },
  { name: 'type', value: ({ type }) => typeWords.get(type) ?? type },
  { name: 'user_id', operator: true, value: ({ user_id }) => user_id },
  { name: 'username', operator: true, value: ({ username }) => username },
  { name: 'token_name', value: ({ token_name }) => token_name },
  { name: 'group', value: ({ group }) => group },
  { name: 'model_name', value: ({ model_name }) => model_name },
  { name: 'upstream_model_name', value: (_, { upstream_model_name }) => upstream_model_name ?? '' },
  { name: 'channel', operator: true, value: ({ channel }) => channel },
  { name: 'channel_name', operator: true, value: ({ channel_name }) => channel_name },
  { name: 'retry', operator: true, value: (_, { admin_info }) => (admin_info?.use_channel ?? []).join(' > ') },
  { name: 'use_time', value: ({ use_time }) => use_time },
  { name: 'first_token_ms', value: (_, { frt }) => (frt === undefined || frt < 0 ? '' : frt) },
  { name: 'is_stream', value: ({ is_stream }) => is_stream },
  { name: 'prompt_tokens', value: ({ prompt_tokens }) => prompt_tokens },
  { name: 'cache_tokens', value: (_, { cache_tokens }) => cache_tokens ?? 0 },
  { name: 'completion_tokens', value: ({ completion_tokens }) => completion_tokens },
  { name: 'quota', value: ({ quota }) => quota },
  { name: 'cost', operator: true, value: (_, { admin_info }) => admin_info?.cost?.quota ?? '' },
  {
    name: 'margin',
    operator: true,
    value: ({ quota }, { admin_info }) => (admin_info?.cost === undefined ? '' : quota - admin_info.cost.quota),
  },
  { name: 'status', value: (_, { status }) => status ?? '' },
  { name: 'error_code', value: (_, { error_code }) => error_code ?? '' },
  { name: 'content', value: ({ content }) => content },
  { name: 'request_id', value: ({ request_id }) => request_id },
  { name: 'ip', value: ({ ip }) => ip },
]

const otherOf = (log: Log): LogOther => parseObject(log.other)

/** Logs as CSV lines; the first chunk is preceded by `csvHead`. */
export const csvLines = (logs: readonly Log[], { operator }: { operator: boolean }): string => {
  const written = columns.filter((column) => operator || !column.operator)
  const line = (log: Log): string => {
    const other = otherOf(log)
    return csvLine(written.map(({ value }) => value(log, other)))
  }
  return logs.map(line).join('')
}

/** The names of the columns. */
export const csvHead = ({ operator }: { operator: boolean }): string =>
  csvMark + csvLine(columns.filter((column) => operator || !column.operator).map(({ name }) => name))
