import type { LoginThrottle, RememberedWait, ThrottleMemory } from '../features/accounts/throttle.ts'
import type { LedgerTip } from '../ledger/epoch/epoch-check.ts'
import type { AccountStore, LeaseAnswer, OnRecall, Reservation } from '../ledger/holds/account-store.ts'
import type { AccountName } from '../ledger/holds/accounts.ts'
import { workerWaitMs } from '../ledger/holds/memory-store.ts'
import type { StoreHooks } from '../ledger/holds/shared-accounts.ts'
import type { BusLink } from '../lib/redis/bus.ts'
import { openMessageLink } from '../lib/workers/message-link.ts'
import { pipeToPrimary } from '../lib/workers/process-pipes.ts'
import type { Lease, LimitStore } from '../limits/limit-store.ts'
import type { WorkerMetrics } from '../telemetry/prometheus/prometheus.ts'

/** Services that a worker has in its supervising process. */
export interface PrimaryLink {
  /** Balances and what is pending in them, for all workers. */
  openStore(hooks: StoreHooks): Promise<AccountStore>
  /** Use of limits by all workers. */
  readonly limits: LimitStore
  throttle(guessed: string): LoginThrottle & ThrottleMemory
  /** Through which the metrics of all workers are one answer. */
  metrics(number: number): WorkerMetrics
  /** Carries notices of the bus to the other workers. */
  openBusLink(onMessage: (topic: string, message: string) => void): BusLink
  /** How many connections each worker has on average, where this one has `open`. */
  averageConnections(open: number): Promise<number>
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
export const connectionsService = 'connections'

/** Service by which the primary asks a worker to return leases. */
export const recallService = 'recall'

/** Opens the way to the supervising process; in a worker only. */
export const openPrimaryLink = (): PrimaryLink => {
  let onBus: (topic: string, message: string) => void = () => {}
  let onStop: () => void = () => {}
  let onRecall: OnRecall = () => {}
  let readMetrics: () => Promise<unknown> = async () => []
  const link = openMessageLink({
    pipe: pipeToPrimary(),
    services: new Map<string, (...values: never[]) => unknown>([
      [metricsService, () => readMetrics()],
      [recallService, (accounts: Parameters<OnRecall>[0]) => onRecall(accounts)],
    ]),
    onNotice: (topic, text) => (topic === stopTopic ? onStop() : onBus(topic, text)),
  })
  // The primary is this program, started from the same files: what it answers has the types that it is asked with.
  const ask = <T>(service: string, ...values: readonly unknown[]): Promise<T> => link.ask(service, values) as Promise<T>

  return {
    async openStore({ node, epoch, onRecall: listener }) {
      onRecall = listener
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
        lease: (request) => call<LeaseAnswer>('lease', request),
        change: (changes) => call<readonly AccountName[]>('change', changes),
        doubt: (accounts) => call('doubt', accounts),
        recall: (accounts) => call<readonly AccountName[]>('recall', accounts),
        recallMs: workerWaitMs,
        takenOver: (account) => call<boolean>('takenOver', { account: account.account, id: account.id }),
        // A primary that does not answer ends this process, too.
        settled: () => call<void>('settled').catch(() => undefined),
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
    limits: { exchange: (...values) => ask<readonly Lease[]>('limits.exchange', ...values) },
    throttle: (guessed) => ({
      attempt: (keys) => ask<void>('throttle.attempt', guessed, keys),
      succeeded: (keys) => ask<void>('throttle.succeeded', guessed, keys),
      proved: (keys) => ask<void>('throttle.proved', guessed, keys),
      takeChanges: (most) => ask<readonly RememberedWait[]>('throttle.takeChanges', guessed, most),
      restore: (waits) => ask<void>('throttle.restore', guessed, waits),
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
    averageConnections: (open) => ask<number>(connectionsService, open),
    onStop(stop) {
      onStop = stop
    },
    serving: () => link.notify(servingTopic, ''),
    close: link.close,
  }
}
