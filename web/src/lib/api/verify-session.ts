import { call } from './api.ts'
import { calls } from './contract.ts'
import { forgetUser, storedUser, storeUser } from './session.ts'

let pending: Promise<boolean> | undefined

/**
 * Asks the server once who the cookie belongs to and keeps the answer; resolves to false without a signed-in user.
 * When the server cannot be reached the stored user stays, and so does one who signed in before the answer came.
 */
export const verifySession = (): Promise<boolean> => {
  const before = storedUser()
  pending ??= call(calls.whoAmI)
    .then((user) => {
      if (storedUser() !== before) return storedUser() !== undefined
      if (user) storeUser(user)
      else forgetUser()
      return user !== null
    })
    .catch(() => true)
  return pending
}
