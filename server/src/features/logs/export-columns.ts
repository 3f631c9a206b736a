import { type LogEntry, type LogOther, logType } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { type CsvCell, csvLine, csvMark } from '../../http/csv.ts'

/** One column of an exported table. */
interface ExportColumn {
  readonly name: string
  readonly operator?: true
  /** The last line has its sum; where it is money, `value` is quota and written in dollars. */
  readonly sum?: 'count' | 'money'
  readonly value: (log: LogEntry, other: LogOther) => CsvCell
}

/** Which columns are written, and how. */
export interface ExportHow {
  readonly operator: boolean
  /** Names of columns; all where it is empty. */
  readonly columns: readonly string[]
  /** Quota units of a dollar. */
  readonly quotaPerUnit: number
}

const typeWords = new Map<number, string>(Object.entries(logType).map(([word, type]) => [type, word]))

const columns: readonly ExportColumn[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'time', value: ({ created_at }) => new Date(created_at * 1000).toISOString() },
  { name: 'type', value: ({ type }) => typeWords.get(type) ?? type },
  { name: 'user_id', operator: true, value: ({ user_id }) => user_id },
  { name: 'username', operator: true, value: ({ username }) => username },
  { name: 'token_name', value: ({ token_name }) => token_name },
  { name: 'organisation', operator: true, value: ({ place }) => place?.organisation.name ?? '' },
  { name: 'project', operator: true, value: ({ place }) => place?.project.name ?? '' },
  { name: 'member', operator: true, value: ({ place }) => place?.member?.name ?? '' },
  { name: 'tags', value: ({ tags }) => tagsText(tags) },
  { name: 'end_user', value: ({ end_user }) => end_user ?? '' },
  { name: 'group', value: ({ group }) => group },
  { name: 'model_name', value: ({ model_name }) => model_name },
  { name: 'upstream_model_name', value: (_, { upstream_model_name }) => upstream_model_name ?? '' },
  { name: 'channel', operator: true, value: ({ channel }) => channel },
  { name: 'channel_name', operator: true, value: ({ channel_name }) => channel_name },
  { name: 'retry', operator: true, value: (_, { admin_info }) => (admin_info?.use_channel ?? []).join(' > ') },
  { name: 'use_time', value: ({ use_time }) => use_time },
  { name: 'duration_ms', value: ({ use_time }, { duration_ms }) => duration_ms ?? use_time * 1000 },
  { name: 'first_token_ms', value: (_, { frt }) => (frt === undefined || frt < 0 ? '' : frt) },
  { name: 'is_stream', value: ({ is_stream }) => is_stream },
  { name: 'prompt_tokens', sum: 'count', value: ({ prompt_tokens }) => prompt_tokens },
  { name: 'cache_tokens', sum: 'count', value: (_, { cache_tokens }) => cache_tokens ?? 0 },
  { name: 'completion_tokens', sum: 'count', value: ({ completion_tokens }) => completion_tokens },
  { name: 'quota', sum: 'count', value: ({ quota }) => quota },
  { name: 'amount_usd', sum: 'money', value: ({ quota }) => quota },
  { name: 'provisional', value: (_, { receipt }) => reasonsText(receipt) },
  { name: 'cost', operator: true, sum: 'count', value: (_, { admin_info }) => admin_info?.cost?.quota ?? '' },
  {
    name: 'margin',
    operator: true,
    sum: 'count',
    value: ({ quota }, { admin_info }) => (admin_info?.cost === undefined ? '' : quota - admin_info.cost.quota),
  },
  { name: 'status', value: (_, { status }) => status ?? '' },
  { name: 'error_code', value: (_, { error_code }) => error_code ?? '' },
  { name: 'content', value: ({ content }) => content },
  { name: 'request_id', value: ({ request_id }) => request_id },
  { name: 'ip', value: ({ ip }) => ip },
  { name: 'client', value: (_, { client }) => client ?? '' },
]

/** `tier openai hyper; usage openai fresh_tokens`; empty for charges that are certain. */
const reasonsText = (receipt: LogOther['receipt']): string =>
  (receipt?.provisional ?? []).map(({ kind, place, name }) => `${kind} ${place} ${name}`).join('; ')

/** `cost_centre=7; env=test`; empty without tags. */
const tagsText = (tags: LogEntry['tags'] = {}): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

const otherOf = (log: LogEntry): LogOther => parseObject(log.other)

const usd = (quota: number, quotaPerUnit: number): CsvCell => ({ decimal: (quota / quotaPerUnit).toFixed(6) })

/** A CSV file that is written chunk by chunk: its head, the lines of some logs, and at the end the sums of all of them. */
export const createLogCsv = ({ operator, columns: chosen, quotaPerUnit }: ExportHow) => {
  const written = columns.filter(
    (column) => (operator || !column.operator) && (chosen.length === 0 || chosen.includes(column.name)),
  )
  const sums = written.map(() => 0)
  const line = (log: LogEntry): string => {
    const other = otherOf(log)
    return csvLine(
      written.map(({ value, sum }, place) => {
        const cell = value(log, other)
        if (sum === undefined || typeof cell !== 'number') return cell
        sums[place] = (sums[place] ?? 0) + cell
        return sum === 'money' ? usd(cell, quotaPerUnit) : cell
      }),
    )
  }
  return {
    head: (): string => csvMark + csvLine(written.map(({ name }) => name)),
    lines: (logs: readonly LogEntry[]): string => logs.map(line).join(''),
    /** Its first cell says `total`. */
    total: (): string =>
      csvLine(
        written.map(({ sum }, place) => {
          if (sum !== undefined) return sum === 'money' ? usd(sums[place] ?? 0, quotaPerUnit) : (sums[place] ?? 0)
          return place === 0 ? 'total' : ''
        }),
      ),
  }
}
