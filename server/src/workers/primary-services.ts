import { createLoginThrottle, type LoginThrottle, type ThrottleMemory } from '../features/accounts/throttle.ts'
import type { AccountStore, OnRecall } from '../ledger/holds/account-store.ts'
import { openMemoryStores } from '../ledger/holds/memory-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Services } from '../lib/workers/message-link.ts'
import { type LimitStore, openMemoryLimitStore } from '../limits/limit-store.ts'

/** The calls of an account store that a worker makes in the primary process. */
export type AccountCalls = Omit<AccountStore, 'close' | 'recallMs'>

/** Services that all workers of a node without Redis share: balances with their open holds, and limits. */
export interface PrimaryServices {
  /** For one worker process, which `onRecall` asks for its leases; `ended` when that has exited. */
  openFor(onRecall: OnRecall): { readonly services: Services; ended(): void }
}

/** `left` are names of workers whose journals an earlier primary process may have left charges in. */
export const createPrimaryServices = (clock: Clock, left: readonly string[]): PrimaryServices => {
  const stores = openMemoryStores(left)
  const limits = openMemoryLimitStore()
  const throttles = new Map<string, LoginThrottle & ThrottleMemory>()

  const throttleOf = (guessed: string): LoginThrottle & ThrottleMemory => {
    const throttle = throttles.get(guessed) ?? createLoginThrottle(clock)
    throttles.set(guessed, throttle)
    return throttle
  }

  return {
    openFor(onRecall) {
      let joined: string | undefined
      let epoch = ''
      let store: AccountStore | undefined
      const accounts = (): AccountStore => {
        if (store === undefined) throw new Error('the worker has not joined')
        return store
      }
      const join = (node: string): void => {
        joined = node
        store = stores.storeOf(node, () => epoch, onRecall)
      }
      const use = (name: string): void => {
        epoch = name
      }
      const services: Services = new Map<string, (...values: never[]) => unknown>([
        ['join', join],
        ['epoch', use],
        ['reserve', (...values: Parameters<AccountCalls['reserve']>) => accounts().reserve(...values)],
        ['lease', (...values: Parameters<AccountCalls['lease']>) => accounts().lease(...values)],
        ['recall', (...values: Parameters<AccountCalls['recall']>) => accounts().recall(...values)],
        ['change', (...values: Parameters<AccountCalls['change']>) => accounts().change(...values)],
        ['doubt', (...values: Parameters<AccountCalls['doubt']>) => accounts().doubt(...values)],
        ['takenOver', (...values: Parameters<AccountCalls['takenOver']>) => accounts().takenOver(...values)],
        ['settled', () => accounts().settled()],
        ['beat', () => accounts().beat()],
        ['share', (...values: Parameters<AccountCalls['share']>) => accounts().share(...values)],
        ['forgetSilent', (...values: Parameters<AccountCalls['forgetSilent']>) => accounts().forgetSilent(...values)],
        ['leave', () => accounts().leave()],
        ['tip', () => accounts().tip()],
        ['raiseTip', (...values: Parameters<AccountCalls['raiseTip']>) => accounts().raiseTip(...values)],
        ['closeEpoch', () => accounts().closeEpoch()],
        ['limits.exchange', (...values: Parameters<LimitStore['exchange']>) => limits.exchange(...values)],
        [
          'throttle.attempt',
          (guessed: string, ...keys: Parameters<LoginThrottle['attempt']>) => throttleOf(guessed).attempt(...keys),
        ],
        [
          'throttle.succeeded',
          (guessed: string, ...keys: Parameters<LoginThrottle['succeeded']>) => throttleOf(guessed).succeeded(...keys),
        ],
        [
          'throttle.proved',
          (guessed: string, ...keys: Parameters<LoginThrottle['proved']>) => throttleOf(guessed).proved(...keys),
        ],
        ['throttle.takeChanges', (guessed: string, most: number) => throttleOf(guessed).takeChanges(most)],
        [
          'throttle.restore',
          (guessed: string, ...waits: Parameters<ThrottleMemory['restore']>) => throttleOf(guessed).restore(...waits),
        ],
      ])
      return {
        services,
        ended() {
          if (joined !== undefined) stores.ended(joined)
        },
      }
    },
  }
}
