import type { AttentionReason, ChannelHealth, HealthPoint } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { RelayChannel } from '../../relay/ports.ts'

/** So many of the latest calls decide that a channel answers none. */
const latestCalls = 3
/** Below this share of answered calls of an hour a channel counts as failing, if it was called often enough. */
const failingShare = 0.9
const enoughCalls = 10
const pointsPerHour = 4
/** In the currency of the provider; a channel that sold nothing yesterday may be empty, too. */
const leastBalance = 1

/** All that decides on one channel. */
export interface ChannelCondition {
  readonly enabled: boolean
  readonly autoDisabled: boolean
  readonly points: readonly HealthPoint[]
  /** Models that routing skips. */
  readonly avoided: number
  /** Keys that were disabled because the provider refused them. */
  readonly refusedKeys: number
  /** Undefined where it was never read. */
  readonly balance: number | undefined
  /** Sales of the last day, in units of currency. */
  readonly soldInDay: number
  readonly unpriced: number
}

const callsOf = (points: readonly HealthPoint[]) => {
  const answered = points.reduce((sum, point) => sum + point.answered, 0)
  return { answered, calls: points.reduce((sum, point) => sum + point.failed, answered) }
}

/** The newest points that hold enough calls to judge by, or all. */
const latestPoints = (points: readonly HealthPoint[]): readonly HealthPoint[] => {
  let calls = 0
  const first = points.findLastIndex(({ answered, failed }) => {
    calls += answered + failed
    return calls >= latestCalls
  })
  return first < 0 ? points : points.slice(first)
}

const isFailing = (points: readonly HealthPoint[]): boolean => {
  const latest = callsOf(latestPoints(points))
  const hour = callsOf(points.slice(-pointsPerHour))
  return (
    (latest.calls > 0 && latest.answered === 0) ||
    (hour.calls >= enoughCalls && hour.answered < hour.calls * failingShare)
  )
}

/** Reasons for which a channel needs attention, worst first. A channel that an operator switched off never does. */
export const attentionOf = (channel: ChannelCondition): AttentionReason[] => {
  if (!channel.enabled) return channel.autoDisabled ? ['disabled'] : []
  const { balance } = channel
  const applies: readonly (readonly [AttentionReason, boolean])[] = [
    ['failing', isFailing(channel.points)],
    ['cooling', channel.avoided > 0],
    ['key_refused', channel.refusedKeys > 0],
    ['balance_low', balance !== undefined && balance < Math.max(leastBalance, channel.soldInDay)],
    ['unpriced', channel.unpriced > 0],
  ]
  return applies.filter(([, is]) => is).map(([reason]) => reason)
}

export interface AttentionParts {
  readonly database: Database
  all(): readonly RelayChannel[]
  /** The last 24 hours of all channels that were called. */
  health(): Promise<readonly ChannelHealth[]>
  avoidedModels(channelId: number): readonly string[]
  isPriced(model: string): boolean
  quotaPerUnit(): number
}

/** Reasons by the id of the channel; channels that need none are absent. `health` replaces a read of its own. */
export type Attention = (
  health?: Promise<readonly ChannelHealth[]>,
) => Promise<ReadonlyMap<number, readonly AttentionReason[]>>

/** Looks at all channels. Lists, figures and the screen of the present ask it, so that they agree. */
export const createAttention = (parts: AttentionParts): Attention => {
  const { query } = parts.database
  const refused = async (): Promise<ReadonlyMap<number, number>> => {
    const rows = await query
      .selectFrom('channel_keys')
      .select(['channel_id', (eb) => eb.fn.countAll().as('keys')])
      .where('status', '=', 3)
      .groupBy('channel_id')
      .execute()
    return new Map(rows.map((row) => [row.channel_id, Number(row.keys)]))
  }
  const balances = async (): Promise<ReadonlyMap<number, number>> => {
    const rows = await query
      .selectFrom('channels')
      .select(['id', 'balance'])
      .where('balance_updated_time', '>', 0)
      .execute()
    return new Map(rows.map(({ id, balance }) => [id, balance]))
  }
  return async (read = parts.health()) => {
    const [health, refusedKeys, balance] = await Promise.all([read, refused(), balances()])
    const healthById = new Map(health.map((entry) => [entry.channel_id, entry]))
    const found = parts.all().map((channel) => {
      const day = healthById.get(channel.id)
      const reasons = attentionOf({
        enabled: channel.enabled,
        autoDisabled: channel.autoDisabled === true,
        points: day?.points ?? [],
        avoided: parts.avoidedModels(channel.id).length,
        refusedKeys: refusedKeys.get(channel.id) ?? 0,
        balance: balance.get(channel.id),
        soldInDay: (day?.quota ?? 0) / parts.quotaPerUnit(),
        unpriced: [...channel.models].filter((model) => !parts.isPriced(model)).length,
      })
      return [channel.id, reasons] as const
    })
    return new Map(found.filter(([, reasons]) => reasons.length > 0))
  }
}
