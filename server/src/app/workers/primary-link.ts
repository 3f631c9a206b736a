import type { LoginThrottle } from '../../features/accounts/throttle.ts'
import type { RateAnswer, RateLimit } from '../../gateway/ports.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import type { LedgerTip } from '../../ledger/epoch/epoch-check.ts'
import type { AccountStore, Reservation } from '../../ledger/holds/account-store.ts'
import type { StoreHooks } from '../../ledger/holds/shared-accounts.ts'
import type { BusLink } from '../../lib/redis/bus.ts'
import { openMessageLink } from '../../lib/workers/message-link.ts'
import { pipeToPrimary } from '../../lib/workers/process-pipes.ts'
import type { WorkerMetrics } from '../../telemetry/prometheus/prometheus.ts'

/** What a worker has in the process that supervises it. */
export interface PrimaryLink {
  /** Balances and what is pending in them, for all workers. */
  openStore(hooks: StoreHooks): Promise<AccountStore>
  readonly rateLimit: RateLimit
  readonly limiter: RateLimiter
  throttle(guessed: string): LoginThrottle
  /** Through which the metrics of all workers are one answer. */
  metrics(number: number): WorkerMetrics
  /** Carries notices of the bus to the other workers. */
  openBusLink(onMessage: (topic: string, message: string) => void): BusLink
  /** Called when the process is to stop. */
  onStop(stop: () => void): void
  /** Says that this worker accepts connections. */
  serving(): void
  close(): void
}

/** Topics that are not of the bus. */
export const stopTopic = 'worker.stop'
export const servingTopic = 'worker.serving'
/** Of a worker its own metrics, of the primary those of all other workers. */
export const metricsService = 'metrics'

/** Opens the way to the supervising process; in a worker only. */
export const openPrimaryLink = (): PrimaryLink => {
  let onBus: (topic: string, message: string) => void = () => {}
  let onStop: () => void = () => {}
  let readMetrics: () => Promise<unknown> = async () => []
  const link = openMessageLink({
    pipe: pipeToPrimary(),
    services: new Map([[metricsService, () => readMetrics()]]),
    onNotice: (topic, text) => (topic === stopTopic ? onStop() : onBus(topic, text)),
  })
  // The primary is this program, started from the same files: what it answers has the types that it is asked with.
  const ask = <T>(service: string, ...values: readonly unknown[]): Promise<T> => link.ask(service, values) as Promise<T>

  return {
    async openStore({ node, epoch }) {
      await ask('join', node)
      let current = ''
      const call = <T>(service: string, ...values: readonly unknown[]): Promise<T> => {
        if (epoch() !== current) {
          current = epoch()
          void ask('epoch', current).catch(() => undefined)
        }
        return ask<T>(service, ...values)
      }
      return {
        reserve: (request) => call<Reservation>('reserve', request),
        change: (changes) => call('change', changes),
        doubt: (accounts) => call('doubt', accounts),
        beat: () => call<boolean>('beat'),
        share: (shares) => call('share', shares),
        forgetSilent: (namePrefix, silentMs) => call('forgetSilent', namePrefix, silentMs),
        leave: () => call('leave'),
        tip: () => call<LedgerTip>('tip'),
        raiseTip: (highest, mark) => call<boolean>('raiseTip', highest, ...(mark === undefined ? [] : [mark])),
        closeEpoch: () => call('closeEpoch'),
        close: () => undefined,
      }
    },
    rateLimit: {
      enter: (userId, limits) => ask<RateAnswer>('rateLimit.enter', userId, limits),
      succeeded(userId, limits) {
        if (limits.successCount > 0) void ask('rateLimit.succeeded', userId, limits).catch(() => undefined)
      },
    },
    limiter: {
      take: (key, limit) => (limit.enabled ? ask<boolean>('limiter.take', key, limit) : true),
      giveBack: (key) => ask<void>('limiter.giveBack', key),
    },
    throttle: (guessed) => ({
      attempt: (keys) => ask<void>('throttle.attempt', guessed, keys),
      succeeded: (keys) => ask<void>('throttle.succeeded', guessed, keys),
      proved: (keys) => ask<void>('throttle.proved', guessed, keys),
    }),
    metrics: (number) => ({
      number,
      serve(read) {
        readMetrics = read
      },
      others: () => ask<readonly unknown[]>(metricsService),
    }),
    openBusLink(onMessage) {
      onBus = onMessage
      return {
        send: link.notify,
        ready: async () => {},
        close: async () => {
          onBus = () => {}
        },
      }
    },
    onStop(stop) {
      onStop = stop
    },
    serving: () => link.notify(servingTopic, ''),
    close: link.close,
  }
}
