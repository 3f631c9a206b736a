import type { Transaction } from 'kysely'
import { tagsIn } from '../../billing/call-tags.ts'
import { fitting } from '../../db/column-lengths.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { FinishedCall } from '../../relay/ports.ts'
import { hourOf, timedPart } from '../apply/call-groups.ts'
import { hashOf, inChunks } from '../usage/hours.ts'
import { entryOf } from '../usage/sums.ts'

const place = ['created_at', 'dimensions_hash'] as const

const figures = [
  'count',
  'failures',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'missed_tokens',
  'cache_saved',
  'cache_lost',
  'cost',
  'costed_count',
  'costed_quota',
  'reasoning_tokens',
  'timed_tokens',
  'timed_ms',
] as const

type Row = ReturnType<typeof blankRow>

/** Tables of figures by a name that calls may have: none, one or several. */
const tables = {
  call_session_hours: {
    column: 'session',
    namesOf: ({ session }: FinishedCall) => (session === undefined ? [] : [session]),
  },
  call_tag_hours: { column: 'tag', namesOf: ({ tags }: FinishedCall) => (tags === undefined ? [] : tagsIn(tags)) },
  call_end_user_hours: {
    column: 'end_user',
    namesOf: ({ endUser }: FinishedCall) => (endUser === undefined ? [] : [endUser]),
  },
} as const
type NamedTable = keyof typeof tables

const dimensionsOf = (record: FinishedCall, name: string) => ({
  name: fitting('call_session_hours', 'session', name),
  user_id: record.userId,
  token_id: record.tokenId,
  channel_id: record.channelId,
  model_name: fitting('call_session_hours', 'model_name', record.model),
})

const blankRow = (hour: number, dimensions: ReturnType<typeof dimensionsOf>) => ({
  created_at: hour,
  dimensions_hash: hashOf(dimensions),
  ...dimensions,
  count: 0,
  failures: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  missed_tokens: 0,
  cache_saved: 0,
  cache_lost: 0,
  cost: 0,
  costed_count: 0,
  costed_quota: 0,
  reasoning_tokens: 0,
  timed_tokens: 0,
  timed_ms: 0,
})

const add = (row: Row, record: FinishedCall): void => {
  const { kind, times = 1, quota, promptTokens, completionTokens, measures, cost } = record
  if (kind === 'error') {
    row.failures += times
    return
  }
  row.count += 1
  row.quota += quota
  row.prompt_tokens += promptTokens
  row.completion_tokens += completionTokens
  row.cached_tokens += measures?.cached ?? 0
  row.cache_write_tokens += measures?.cacheWrite ?? 0
  row.missed_tokens += measures?.missed ?? 0
  row.cache_saved += measures?.cacheSaved ?? 0
  row.cache_lost += measures?.cacheLost ?? 0
  row.reasoning_tokens += measures?.reasoning ?? 0
  const timed = timedPart(record)
  row.timed_tokens += timed.tokens
  row.timed_ms += timed.ms
  if (cost === undefined) return
  row.cost += cost
  row.costed_count += 1
  row.costed_quota += quota
}

const byPlace = (left: Row, right: Row): number =>
  left.created_at - right.created_at || (left.dimensions_hash < right.dimensions_hash ? -1 : 1)

const addNamed = async (
  trx: Transaction<Tables>,
  table: NamedTable,
  records: readonly FinishedCall[],
): Promise<void> => {
  const { column, namesOf } = tables[table]
  const rows = new Map<string, Row>()
  for (const record of records) {
    for (const name of namesOf(record)) {
      const dimensions = dimensionsOf(record, name)
      const hour = hourOf(Math.floor(record.at / 1000))
      const row = entryOf(rows, [hour, ...Object.values(dimensions)].join('\0'), () => blankRow(hour, dimensions))
      add(row, record)
    }
  }
  // The same order in every transaction, so that nodes do not lock each other out.
  const stored = [...rows.values()].sort(byPlace).map(({ name, ...row }) => ({ ...row, [column]: name }))
  await inChunks(stored, (some) => upsert(trx, table, some as never, { key: place, add: figures }))
}

/** Adds to the hourly figures of sessions, cost tags and end users, in the transaction that adds the charges or failures. */
export const addNamedHours = async (trx: Transaction<Tables>, records: readonly FinishedCall[]): Promise<void> => {
  await addNamed(trx, 'call_session_hours', records)
  await addNamed(trx, 'call_tag_hours', records)
  await addNamed(trx, 'call_end_user_hours', records)
}
