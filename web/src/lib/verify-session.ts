import { call } from './api.ts'
import { calls } from './contract.ts'
import { forgetUser, storeUser } from './session.ts'

let asked: Promise<boolean> | undefined

/**
 * Asks the server once who the cookie belongs to and keeps the answer; resolves to false when nobody is signed in.
 * When the server cannot be reached the stored user stays.
 */
export const verifySession = (): Promise<boolean> => {
  asked ??= call(calls.whoAmI)
    .then((user) => {
      if (user) storeUser(user)
      else forgetUser()
      return user !== null
    })
    .catch(() => true)
  return asked
}
