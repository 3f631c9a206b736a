import {
  type ChannelHealth,
  type HealthKind,
  type HealthPoint,
  healthKinds,
  type ModelHealth,
} from '@tollgate/contract'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { bucketSeconds, percentile } from './counts.ts'
import type { LiveHealth } from './live.ts'
import { type HealthStore, type HealthSum, type LastError, pieceSeconds } from './store.ts'

const dayS = 86_400
/** Two days, so that yesterday can still be looked at when a day is asked for. */
const keptS = 2 * dayS
const pointsPerDay = dayS / pieceSeconds

export interface HealthParts {
  readonly store: HealthStore
  readonly live: LiveHealth
  readonly clock: Clock
}

/** The `last_error` of what it answers is as it is stored, see `readCause`. */
export interface HealthService {
  /** The last 24 hours of these channels, or of all that were called. */
  list(ids: readonly number[]): Promise<ChannelHealth[]>
  /** One channel with its models; all zero when it was not called. */
  one(id: number, models: readonly string[]): Promise<ChannelHealth & { models: ModelHealth[] }>
  /** Writes down what has happened since. */
  flush(): Promise<void>
  purge(): Promise<void>
}

const answeredIn = (kinds: HealthSum['kinds']): number => kinds.ok + kinds.slow
const failedIn = ({ auth, quota, rate_limited, server_error, timeout }: HealthSum['kinds']): number =>
  auth + quota + rate_limited + server_error + timeout

const added = (a: readonly number[], b: readonly number[]): number[] => b.map((count, index) => count + (a[index] ?? 0))

const none: HealthSum = {
  channelId: 0,
  model: '',
  piece: 0,
  kinds: Object.fromEntries(healthKinds.map((kind) => [kind, 0])) as Record<HealthKind, number>,
  durations: [],
  firstContents: 0,
  firstContentMs: 0,
  quota: 0,
}

const together = (sums: readonly HealthSum[]): HealthSum =>
  sums.reduce(
    (all, sum) => ({
      ...sum,
      kinds: Object.fromEntries(healthKinds.map((kind) => [kind, all.kinds[kind] + sum.kinds[kind]])) as Record<
        HealthKind,
        number
      >,
      durations: added(all.durations, sum.durations),
      firstContents: all.firstContents + sum.firstContents,
      firstContentMs: all.firstContentMs + sum.firstContentMs,
      quota: all.quota + sum.quota,
    }),
    none,
  )

const figuresOf = (sum: HealthSum, errors: readonly LastError[]) => {
  const answered = answeredIn(sum.kinds)
  const calls = answered + failedIn(sum.kinds)
  const p95 = percentile(sum.durations, 0.95)
  const last = errors.reduce<LastError | undefined>(
    (latest, error) => (latest && latest.time >= error.time ? latest : error),
    undefined,
  )
  return {
    calls,
    success_rate: calls === 0 ? null : answered / calls,
    p95_ms: p95?.ms ?? null,
    p95_exceeded: p95?.exceeded ?? false,
    first_content_ms: sum.firstContents === 0 ? null : Math.round(sum.firstContentMs / sum.firstContents),
    quota: sum.quota,
    kinds: { ...sum.kinds },
    last_error: last?.text ?? '',
    last_error_time: last?.time ?? 0,
  }
}

const pointsOf = (sums: readonly HealthSum[], since: number): HealthPoint[] => {
  const points = Array.from({ length: pointsPerDay }, (_, index) => ({
    time: since + index * pieceSeconds,
    answered: 0,
    failed: 0,
  }))
  for (const { piece, kinds } of sums) {
    const point = points[Math.floor((piece - since) / pieceSeconds)]
    if (!point) continue
    point.answered += answeredIn(kinds)
    point.failed += failedIn(kinds)
  }
  return points
}

/** Results of channels' calls, from the buckets that all nodes write. */
export const createHealthService = ({ store, live, clock }: HealthParts): HealthService => {
  /** The start of the first of the half hours that end with the running one. */
  const dayAgo = (): number => (Math.floor(unixSeconds(clock) / pieceSeconds) + 1) * pieceSeconds - dayS

  const channelOf = (
    id: number,
    sums: readonly HealthSum[],
    errors: readonly LastError[],
    since: number,
  ): ChannelHealth => ({
    channel_id: id,
    ...figuresOf(together(sums), errors),
    points: pointsOf(sums, since),
    avoided: live.avoidedModels(id).length,
  })

  const flush = async (): Promise<void> => {
    const harvest = live.take()
    if (harvest.length === 0) return
    try {
      await store.add(harvest)
    } catch (error) {
      live.putBack(harvest)
      throw error
    }
  }

  return {
    list: async (ids) => {
      // Includes counts not written yet, so that the latest calls are shown.
      await flush()
      const since = dayAgo()
      const [sums, errors] = await Promise.all([store.sums(ids, since, 'piece'), store.lastErrors(ids, since)])
      const byChannel = Map.groupBy(sums, ({ channelId }) => channelId)
      const errorsOf = Map.groupBy(errors, ({ channelId }) => channelId)
      return [...byChannel].map(([id, own]) => channelOf(id, own, errorsOf.get(id) ?? [], since))
    },
    one: async (id, models) => {
      await flush()
      const since = dayAgo()
      const [sums, byModel, errors] = await Promise.all([
        store.sums([id], since, 'piece'),
        store.sums([id], since, 'model_name'),
        store.lastErrors([id], since),
      ])
      const called = new Map(byModel.map((sum) => [sum.model, sum]))
      const names = new Set([...called.keys(), ...live.avoidedModels(id), ...models])
      return {
        ...channelOf(id, sums, errors, since),
        models: [...names].map((model) => ({
          model,
          ...figuresOf(
            called.get(model) ?? none,
            errors.filter((error) => error.model === model),
          ),
          ...live.stateOf(id, model),
        })),
      }
    },
    flush,
    purge: () => store.purge(Math.floor((unixSeconds(clock) - keptS) / bucketSeconds) * bucketSeconds),
  }
}
