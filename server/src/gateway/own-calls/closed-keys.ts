import { tokenStatus, userStatus } from '@tollgate/contract'
import type { Authentication } from '../auth/authentication.ts'
import type { TokenRecord } from '../ports.ts'

/** The key as it was when it was open. */
const opened = (token: TokenRecord): TokenRecord => ({
  ...token,
  status: tokenStatus.enabled,
  expiredTime: -1,
  remainQuota: Math.max(1, token.remainQuota),
  modelLimits: undefined,
  allowIps: '',
  ...(token.user && { user: { ...token.user, status: userStatus.enabled } }),
})

/** Calls of lines are counted by no rate limit: the provider makes them when it likes. */
export const unlimited = (authentication: Authentication): Authentication => ({
  ...authentication,
  rateLimited: () => undefined,
  succeeded: () => {},
})

/** Calls are those of a key also where it has been closed or used up meanwhile, and are counted by no rate limit. */
export const evenIfClosed = (authentication: Authentication): Authentication => {
  const usual = unlimited(authentication)
  return {
    ...usual,
    ofToken(context, token) {
      try {
        return usual.ofToken(context, token)
      } catch (error) {
        if (token === undefined) throw error
        return usual.ofToken(context, opened(token))
      }
    },
  }
}
