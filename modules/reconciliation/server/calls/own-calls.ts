import { logOther, logType } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import type { Database } from '#server/db/database.ts'
import type { OwnUsage } from '../own-usage.ts'
import { dollarsOf } from '../report.ts'

/** One call of the log. */
export interface OwnCall extends OwnUsage {
  /** Ours; empty for none. */
  readonly requestId: string
  /** The provider's, of every attempt that has one; the last attempt first. */
  readonly providerIds: readonly string[]
  /** Unix seconds, no later than it began. */
  readonly beganAt: number
  /** It ended without an answer and without a charge. */
  readonly failed: boolean
}

/** Moments in unix seconds, `until` not included. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** Reads the calls of channels in pages, channel by channel, oldest first. */
export type ReadOwnCalls = (channelIds: readonly number[], span: Span) => AsyncIterable<readonly OwnCall[]>

const pageSize = 500

const columns = [
  'id',
  'created_at',
  'type',
  'model_name',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'request_id',
  'other',
] as const

interface Row {
  readonly created_at: number
  readonly type: number
  readonly model_name: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly use_time: number
  readonly request_id: string
  readonly other: string
}

const audio = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0)

/** Rows of other programs may hold other things; they have no ids then. */
const callOf = (row: Row, quotaPerUnit: number): OwnCall => {
  const { data: other = {} } = logOther.safeParse(parseJson(row.other))
  const { receipt, admin_info: info } = other
  const cacheRead = other.cache_tokens ?? 0
  const written = other.cache_creation_tokens ?? 0
  const hourLines = receipt?.lines.filter(({ item }) => item === 'cache_write_1h') ?? []
  const cacheWrite1h = hourLines.reduce((sum, { quantity }) => sum + quantity, 0)
  const [audioInput, audioOutput] = [audio(other.audio_input), audio(other.audio_output)]
  const tier = receipt?.tier?.name
  const usage: Usage & { calls: number } = {
    ...noUsage,
    input: Math.max(0, row.prompt_tokens - cacheRead - written - audioInput),
    cacheRead,
    cacheWrite: Math.max(0, written - cacheWrite1h),
    cacheWrite1h,
    audioInput,
    output: Math.max(0, row.completion_tokens - audioOutput),
    audioOutput,
    calls: 1,
    ...(tier === undefined ? {} : { tier }),
  }
  const cost = info?.cost
  return {
    requestId: row.request_id,
    providerIds: (info?.attempts ?? []).flatMap(({ request_id }) => request_id ?? []).toReversed(),
    at: row.created_at,
    beganAt: row.created_at - row.use_time - 1,
    failed: row.type === logType.error,
    model: row.model_name,
    upstreamModel: receipt?.model ?? other.upstream_model_name ?? row.model_name,
    usage,
    above: receipt?.context_above ?? 0,
    ...(cost === undefined ? {} : { cost: dollarsOf(cost.quota, quotaPerUnit) }),
    detailed: true,
  }
}

/** Reads along the index of channels, a page after the other: no page is larger than another, however many calls there are. */
export const createReadOwnCalls = ({ query }: Database, quotaPerUnit: () => number): ReadOwnCalls =>
  async function* (channelIds, { from, until }) {
    const perUnit = quotaPerUnit()
    for (const channelId of channelIds) {
      let [at, id] = [from, 0]
      for (;;) {
        const rows = await query
          .selectFrom('logs')
          .select(columns)
          .where('channel_id', '=', channelId)
          .where('created_at', '>=', at)
          .where('created_at', '<', until)
          .where((eb) => eb.or([eb('created_at', '>', at), eb('id', '>', id)]))
          .where('type', 'in', [logType.consume, logType.error])
          .orderBy('created_at')
          .orderBy('id')
          .limit(pageSize)
          .execute()
        if (rows.length > 0) yield rows.map((row) => callOf(row, perUnit))
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageSize) break
        at = last.created_at
        id = last.id
      }
    }
  }
