import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { scopes } from './scopes.ts'

/** How many tokens that have not expired a user may have. */
export const mostAccessTokens = 50
export const longestTokenName = 50

/** The last moment that times of this API can name: the end of the year 9999. */
const lastMoment = 253_402_300_799

/** A named token for the console's API. Its text is shown once, when it is made. */
export const accessToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The last characters of the token. */
  hint: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** Unix seconds. */
  created_time: z.int(),
  /** Unix seconds; 0 for never. */
  expires_time: z.int(),
  /** To the minute; 0 when it was never used. */
  last_used_time: z.int(),
  /** Empty when it was never used. */
  last_used_ip: z.string(),
})
export type AccessToken = z.output<typeof accessToken>

export const listAccessTokens = endpoint({
  method: 'GET',
  path: '/api/user/self/access_tokens',
  access: 'user',
  summary: "The caller's named access tokens, the latest first",
  data: z.array(accessToken),
})

/** `scopes` may not ask for more than the caller may. */
export const makeNamedAccessToken = endpoint({
  method: 'POST',
  path: '/api/user/self/access_tokens',
  access: 'user',
  confirm: 'always',
  summary: 'Makes a named access token and shows it once',
  body: z.object({
    name: z.string().trim().min(1).max(longestTokenName),
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
    /** Unix seconds; 0 for never. */
    expires_time: z.int().nonnegative().max(lastMoment),
  }),
  data: accessToken.extend({ token: z.string() }),
})

export const revokeAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/user/self/access_tokens/:id',
  access: 'user',
  summary: 'Ends a named access token of the caller',
  params: idParams,
})

export const listUserAccessTokens = endpoint({
  method: 'GET',
  path: '/api/user/:id/access_tokens',
  access: 'admin',
  summary: "A user's named access tokens, the latest first",
  params: idParams,
  data: z.array(accessToken),
})

export const revokeUserAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/access_tokens/:token',
  access: 'admin',
  summary: 'Ends a named access token of a user',
  params: idParams.extend({ token: z.coerce.number().int().positive() }),
})
