import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { moduleSignInMethods } from '../modules/modules.ts'
import { longestCode } from './account-rules.ts'

/** A signed-in browser of the caller. */
export const sessionView = z.object({
  /** A digest of the session, never the cookie's value. */
  id: z.string(),
  user_agent: z.string(),
  /** Address at sign-in. */
  ip: z.string(),
  /** Unix seconds. */
  created_time: z.int(),
  /** To the minute. */
  last_seen_time: z.int(),
  expires_time: z.int(),
  /** True if this call used the session. */
  current: z.boolean(),
})
export type SessionView = z.output<typeof sessionView>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/self/sessions',
  access: 'user',
  summary: 'Browsers in which the caller is signed in, the latest first',
  data: z.array(sessionView),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/self/sessions/:id',
  access: 'user',
  summary: 'Signs one browser of the caller out',
  params: z.object({ id: z.string() }),
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/self/sessions',
  access: 'user',
  summary: 'Signs every other browser of the caller out',
  data: z.object({ ended: z.int() }),
})

export const confirmation = z.object({
  /** The ways in which the caller can confirm the identity; empty when only a new sign-in helps. */
  methods: z.array(z.enum(['totp', ...moduleSignInMethods, 'password'])),
  /** Unix seconds until which the last proof counts; 0 when there is none. */
  confirmed_until: z.int(),
  /** False for people who only ever signed in elsewhere. */
  has_password: z.boolean(),
})
export type Confirmation = z.output<typeof confirmation>

export const getConfirmation = endpoint({
  method: 'GET',
  path: '/api/user/self/confirm',
  access: 'user',
  summary: 'How the caller can prove who it is before secrets are shown',
  data: confirmation,
})

/** Ways to sign in that modules add have calls of their own. */
export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/user/self/confirm',
  access: 'user',
  summary: 'Proves who the caller is, for ten minutes of this session',
  body: z.union([z.object({ code: z.string().max(longestCode) }), z.object({ password: z.string().max(256) })]),
})
