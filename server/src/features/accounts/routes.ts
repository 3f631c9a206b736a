import {
  createAccessToken,
  deleteSelf,
  getSelf,
  login,
  logout,
  makeAccessToken,
  secondStep,
  updateSelf,
  whoAmI,
} from '@tollgate/contract'
import { clientOf } from '../../http/client.ts'
import type { On } from '../../http/route.ts'
import type { ProviderSession } from '../../verification/provider-session.ts'
import type { AccountSignIn } from './accounts.ts'
import { secondStepCookie } from './sign-in.ts'

/** The console's calls for signing in and for the own account. */
export const accountRoutes = (
  on: On,
  accounts: AccountSignIn,
  /** Address that signs the browser out at the identity provider, too; undefined if that is not wanted or not possible. */
  signOutAt: (at: ProviderSession) => Promise<string | undefined>,
): void => {
  on(login, (call) => accounts.login(call.body, clientOf(call)))
  on(secondStep, (call) => accounts.finishSecondStep(call.cookie(secondStepCookie), call.body.code, clientOf(call)))
  on(logout, async (call) => {
    const { cookie, at } = await accounts.logout(clientOf(call))
    const url = at && (await signOutAt(at))
    return { cookies: [cookie], ...(url === undefined ? {} : { data: { url } }) }
  })
  on(whoAmI, async ({ caller }) => ({ data: await accounts.whoAmI(caller) }))
  on(getSelf, async ({ caller }) => ({ data: await accounts.self(caller) }))
  on(updateSelf, async (call) => {
    const cookie = await accounts.updateSelf(call.caller, call.body, clientOf(call))
    return cookie ? { cookies: [cookie] } : {}
  })
  on(deleteSelf, async (call) => ({ cookies: [await accounts.deleteSelf(call.caller, clientOf(call))] }))
  for (const making of [makeAccessToken, createAccessToken]) {
    on(making, async (call) => ({ data: await accounts.makeAccessToken(call.caller, clientOf(call)) }))
  }
}
