import { type HealthKind, healthKinds } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { ChannelHealthTable } from '../../db/schema.ts'
import { printedCause } from '../../lib/json/stored-error.ts'
import { Counts, durationBounds } from './counts.ts'
import type { Harvest } from './live.ts'

/** UTF-16 units of a stored error. */
const longestError = 1000

type Counted = Exclude<
  keyof ChannelHealthTable,
  'id' | 'channel_id' | 'model_name' | 'bucket' | 'last_error' | 'last_error_time'
>

const durationColumns = Array.from(
  { length: durationBounds.length + 1 },
  (_, index) => `took_${index}` as `took_${number}` & Counted,
)
const counted: readonly Counted[] = [...healthKinds, 'first_contents', 'first_content_ms', 'spent', ...durationColumns]

/** Seconds of a piece of time that is summed for itself. */
export const pieceSeconds = 900

/** Sums of buckets; `piece` is 0 and `model` empty where the sum covers all of them. */
export interface HealthSum {
  readonly channelId: number
  readonly model: string
  /** Start of the piece, unix seconds. */
  readonly piece: number
  readonly kinds: Readonly<Record<HealthKind, number>>
  readonly durations: readonly number[]
  readonly firstContents: number
  readonly firstContentMs: number
  readonly quota: number
}

export interface LastError {
  readonly channelId: number
  readonly model: string
  /** As it is stored, see `readCause`. */
  readonly text: string
  /** Unix seconds. */
  readonly time: number
}

export interface HealthStore {
  /** Adds to what other nodes have written of the same five minutes. */
  add(harvest: readonly Harvest[]): Promise<void>
  /** Buckets from `since` (unix seconds) on, summed by channel and by time or model. An empty `ids` means all channels. */
  sums(ids: readonly number[], since: number, by: 'piece' | 'model_name'): Promise<HealthSum[]>
  lastErrors(ids: readonly number[], since: number): Promise<LastError[]>
  purge(before: number): Promise<void>
}

const rowOf = ({ channelId, model, counts }: Harvest) => ({
  channel_id: channelId,
  model_name: model,
  bucket: counts.bucket,
  ...counts.kinds,
  first_contents: counts.firstContents,
  first_content_ms: Math.round(counts.firstContentMs),
  spent: counts.quota,
  ...(Object.fromEntries(durationColumns.map((name, index) => [name, counts.durations[index] ?? 0])) as Record<
    (typeof durationColumns)[number],
    number
  >),
  last_error: printedCause({ text: counts.lastError, ...counts.lastSentence }, longestError),
  last_error_time: counts.lastErrorTime,
})

const rowsPerStatement = 100
const key = ['channel_id', 'model_name', 'bucket'] as const

/** One row per channel, model and five minutes: two of the same cannot travel in one statement. */
const merged = (harvest: readonly Harvest[]): Harvest[] => {
  const byPlace = new Map<string, Harvest>()
  for (const entry of harvest) {
    const place = `${entry.channelId}|${entry.counts.bucket}|${entry.model}`
    const sum = byPlace.get(place)?.counts ?? new Counts(entry.counts.bucket)
    sum.add(entry.counts)
    byPlace.set(place, { ...entry, counts: sum })
  }
  return [...byPlace.values()]
}

const chunks = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, index) =>
    rows.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  )

const hasError = ({ counts }: { counts: Counts }): boolean => counts.lastErrorTime > 0

/** The table of five-minute buckets. */
export const openHealthStore = (database: Database): HealthStore => ({
  add: async (harvest) => {
    // In one order, so that nodes that write at once do not wait for each other in a circle.
    const rows = merged(harvest).sort(
      (a, b) => a.channelId - b.channelId || a.counts.bucket - b.counts.bucket || (a.model < b.model ? -1 : 1),
    )
    await database.transaction(async (trx) => {
      for (const chunk of chunks(rows.filter((row) => !hasError(row)))) {
        await upsert(trx, 'channel_health', chunk.map(rowOf), { key, add: counted })
      }
      for (const chunk of chunks(rows.filter(hasError))) {
        await upsert(trx, 'channel_health', chunk.map(rowOf), {
          key,
          add: counted,
          set: ['last_error', 'last_error_time'],
        })
      }
    })
  },
  sums: async (ids, since, by) => {
    const part: RawBuilder<string | number> =
      by === 'model_name'
        ? sql.ref<string>('model_name')
        : sql<number>`${sql.ref('bucket')} - ${sql.ref('bucket')} % ${sql.lit(pieceSeconds)}`
    const rows = await database.query
      .selectFrom('channel_health')
      .select(['channel_id', part.as(by)])
      .select((eb) => counted.map((name) => eb.fn.sum<number>(name).as(name)))
      .where('bucket', '>=', since)
      .$if(ids.length > 0, (query) => query.where('channel_id', 'in', [...ids]))
      .groupBy(['channel_id', part])
      .orderBy('channel_id')
      .orderBy(by)
      .execute()
    return rows.map((row) => sumOf(row as unknown as Record<string, number | string>))
  },
  lastErrors: async (ids, since) => {
    const rows = await database.query
      .selectFrom('channel_health as own')
      .select(['channel_id', 'model_name', 'last_error', 'last_error_time'])
      .where('bucket', '>=', since)
      .where('last_error_time', '>', 0)
      .$if(ids.length > 0, (query) => query.where('channel_id', 'in', [...ids]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('channel_health as later')
              .select(sql<number>`1`.as('one'))
              .whereRef('later.channel_id', '=', 'own.channel_id')
              .whereRef('later.model_name', '=', 'own.model_name')
              .whereRef('later.bucket', '>', 'own.bucket')
              .where('later.last_error_time', '>', 0),
          ),
        ),
      )
      .execute()
    return rows.map(({ channel_id, model_name, last_error, last_error_time }) => ({
      channelId: channel_id,
      model: model_name,
      text: last_error,
      time: last_error_time,
    }))
  },
  purge: async (before) => {
    await database.query.deleteFrom('channel_health').where('bucket', '<', before).execute()
  },
})

const sumOf = (row: Readonly<Record<string, number | string>>): HealthSum => {
  const count = (name: string): number => Number(ownMember(row, name) ?? 0)
  return {
    channelId: count('channel_id'),
    model: String(row.model_name ?? ''),
    piece: count('piece'),
    kinds: Object.fromEntries(healthKinds.map((kind) => [kind, count(kind)])) as Record<HealthKind, number>,
    durations: durationColumns.map(count),
    firstContents: count('first_contents'),
    firstContentMs: count('first_content_ms'),
    quota: count('spent'),
  }
}
