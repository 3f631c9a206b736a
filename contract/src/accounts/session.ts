import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { user } from './users.ts'

/**
 * The user that login stores; `default_password` asks the console to warn that the initial password is still in use.
 */
export const signedInUser = user.extend({
  default_password: z.boolean(),
  /** Pages of organisations in the console: their own, a way to found or join one, or none. */
  organisations: z.enum(['belongs', 'open', 'closed']),
})

/** The first factor was right and the account has a second one: `POST /api/user/login/2fa` is to follow. */
export const secondStepNeeded = z.object({ require_2fa: z.literal(true) })

/** The answer of every way of signing in. */
export const signInResult = z.union([secondStepNeeded, signedInUser])
export type SignInResult = z.output<typeof signInResult>

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  access: 'visitor',
  human: 'login',
  summary: 'Signs in with username or e-mail and password',
  query: z.object({ turnstile: z.string().optional() }),
  body: z.object({ username: z.string(), password: z.string() }),
  data: signInResult,
})

export const logout = endpoint({
  method: 'GET',
  path: '/api/user/logout',
  access: 'visitor',
  summary: 'Ends the session',
  changes: true,
  /** Address that signs the browser out at the identity provider, too; absent if there is no session to end. */
  data: z.object({ url: z.string() }).optional(),
})

/** User of the session cookie, or null; the console asks this once at start. */
export const whoAmI = endpoint({
  method: 'GET',
  path: '/api/session',
  access: 'visitor',
  summary: 'The signed-in user, or null',
  data: signedInUser.nullable(),
})
