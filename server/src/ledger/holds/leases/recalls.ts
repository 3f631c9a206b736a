import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountStore } from '../account-store.ts'
import type { AccountName } from '../accounts.ts'
import type { NodeAccount } from './node-account.ts'

/** Between two looks whether a lease is back, in milliseconds; together less than half a second. */
const pauses = [1, 2, 4, 8, 16, 32, 64, 128, 200]
/** Who did not answer, as one that was killed cannot, is not waited for again for so long. */
const patienceMs = 5_000

/** Asks other nodes for leases of an account. */
export interface Recalls {
  /** Resolves with whether all came back; calls that need the same account wait for the same answer. Never rejects. */
  recall(account: NodeAccount): Promise<boolean>
}

export const createRecalls = (store: Pick<AccountStore, 'recall'>, now: () => number): Recalls => {
  const bringBack = async (account: NodeAccount): Promise<boolean> => {
    const name: AccountName = { account: account.account, id: account.id }
    for (const pause of pauses) {
      if ((await store.recall([name])).length === 0) return true
      await sleep(pause)
    }
    return (await store.recall([name])).length === 0
  }

  return {
    recall(account) {
      if (now() < account.recallAt) return Promise.resolve(false)
      account.recalling ??= bringBack(account)
        .catch(() => false)
        .then((isBack) => {
          if (!isBack) account.recallAt = now() + patienceMs
          account.recalling = undefined
          return isBack
        })
      return account.recalling
    },
  }
}
