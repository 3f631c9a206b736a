import type { Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'

/** A way to sign in that an account owns beside its password, such as a key of a device; it counts as both factors. */
export interface SignInWay {
  /** Its name among the methods by which people confirm who they are. */
  readonly method: string
  /** True if the account has one. */
  has(query: Database['query'], userId: number): Promise<boolean>
  /** Takes all of them from an account, when an administrator resets its second factor. */
  removeAll(trx: Transaction<Tables>, userId: number): Promise<void>
}

export interface SignInWays {
  /** Adds a way, before the first call is served. */
  add(way: SignInWay): void
  /** Names of the ways that an account has, in the order in which they were added. */
  methodsOf(userId: number): Promise<readonly string[]>
  /** True if any way opens the account, as the transaction sees it where one is passed. */
  openAccount(userId: number, trx?: Transaction<Tables>): Promise<boolean>
  removeAll(trx: Transaction<Tables>, userId: number): Promise<void>
}

/** The ways to sign in that modules add. */
export const createSignInWays = ({ query }: Pick<Database, 'query'>): SignInWays => {
  const ways: SignInWay[] = []
  return {
    add: (way) => void ways.push(way),
    async methodsOf(userId) {
      const owned = await Promise.all(ways.map((way) => way.has(query, userId)))
      return ways.filter((_, index) => owned[index]).map(({ method }) => method)
    },
    async openAccount(userId, trx = undefined) {
      for (const way of ways) if (await way.has(trx ?? query, userId)) return true
      return false
    },
    async removeAll(trx, userId) {
      for (const way of ways) await way.removeAll(trx, userId)
    },
  }
}
