import { createStore } from '../preferences/store.ts'
import { storedUser } from './session.ts'

/** `asking`: the sign-in dialog stands over the page. `put_off`: it was closed, and a bar offers it again. */
export type Renewal = 'none' | 'asking' | 'put_off'

export const renewalStore = createStore<Renewal>('none')

let offered = false
const waiting: ((again: boolean) => void)[] = []

const settle = (state: Renewal, again: boolean): void => {
  renewalStore.set(state)
  for (const resolve of waiting.splice(0)) resolve(again)
}

/** The console can ask for a sign-in over its page from now on. Answers with the way to end that. */
export const offerRenewal = (): (() => void) => {
  offered = true
  return () => {
    offered = false
    settle('none', false)
  }
}

/** True if a session that ends can be renewed on this page. */
export const mayRenew = (): boolean => offered && storedUser() !== undefined

/**
 * Asks the user of this page to sign in again. Resolves to true once they have, to false if they put it off; from then on
 * reads are not worth another question.
 */
export const renewSession = (isRead: boolean): Promise<boolean> => {
  if (!mayRenew() || (isRead && renewalStore.get() === 'put_off')) return Promise.resolve(false)
  return new Promise((resolve) => {
    waiting.push(resolve)
    renewalStore.set('asking')
  })
}

/** The user of this page has signed in again: what waits is sent. */
export const sessionRenewed = (): void => settle('none', true)

/** The dialog was closed without a sign-in: what waits fails. */
export const putOffRenewal = (): void => settle('put_off', false)
