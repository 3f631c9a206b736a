import { getSelf, login, logout, makeAccessToken, updateSelf, whoAmI } from '@tollgate/contract'
import { sessionCookie } from '../../http/access.ts'
import type { On } from '../../http/route.ts'
import type { Accounts, Client } from './accounts.ts'

interface Visitor {
  readonly ip: string
  readonly forwarded: boolean
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

const clientOf = (call: Visitor): Client => ({
  ip: call.ip,
  forwarded: call.forwarded,
  userAgent: call.header('user-agent') ?? '',
  sessionId: call.cookie(sessionCookie),
})

/** The console's calls for signing in and for the own account. */
export const accountRoutes = (on: On, accounts: Accounts): void => {
  on(login, async (call) => {
    const { user, cookie } = await accounts.login(call.body, clientOf(call))
    return { data: user, cookies: [cookie] }
  })
  on(logout, async (call) => ({ cookies: [await accounts.logout(clientOf(call))] }))
  on(whoAmI, async ({ caller }) => ({ data: await accounts.whoAmI(caller) }))
  on(getSelf, async ({ caller }) => ({ data: await accounts.self(caller) }))
  on(updateSelf, async (call) => {
    const cookie = await accounts.updateSelf(call.caller, call.body, clientOf(call))
    return cookie ? { cookies: [cookie] } : {}
  })
  on(makeAccessToken, async (call) => ({ data: await accounts.makeAccessToken(call.caller, clientOf(call)) }))
}
