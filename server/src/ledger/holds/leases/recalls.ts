import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountStore } from '../account-store.ts'
import type { AccountName } from '../accounts.ts'
import type { NodeAccount } from './node-account.ts'

/** Between two looks whether a lease is back, in milliseconds: doubled up to the longest. */
const firstPause = 1
const longestPause = 200
/** A node that did not answer is not waited for again within this time. Milliseconds. */
const patienceMs = 5_000

/** Asks other nodes for leases of an account. */
export interface Recalls {
  /** Resolves with whether all came back; calls that need the same account wait for the same answer. Never rejects. */
  recall(account: NodeAccount): Promise<boolean>
}

export const createRecalls = (store: Pick<AccountStore, 'recall' | 'recallMs'>, now: () => number): Recalls => {
  const bringBack = async (account: NodeAccount): Promise<boolean> => {
    const name: AccountName = { account: account.account, id: account.id }
    let pause = firstPause
    for (let waited = 0; waited < store.recallMs; waited += pause) {
      if ((await store.recall([name])).length === 0) return true
      await sleep(pause)
      pause = Math.min(pause * 2, longestPause)
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
