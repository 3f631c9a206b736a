import { type ThirdParty, thirdParties } from '@tollgate/contract'
import { z } from 'zod'
import type { Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { Challenges } from '../../verification/challenges.ts'
import { type Kept, kept } from './code-provider.ts'

const begun = z.object({
  /** Absent when a client asked for a state without saying for whom. */
  provider: z.enum(thirdParties).optional(),
  purpose: z.enum(['login', 'bind']),
  aff: z.string(),
  /** Whether a fresh proof of who holds the session was asked for. */
  confirmed: z.boolean(),
  kept,
})

/** What a browser was sent away for. */
export interface Begun extends z.output<typeof begun> {
  /** Who asked to bind; 0 for signing in. */
  readonly userId: number
}

export interface States {
  /** Begins a way to a provider; the state comes back only with the browser's cookie. */
  begin(
    start: {
      readonly provider?: ThirdParty
      readonly purpose: 'login' | 'bind'
      readonly userId: number
      readonly aff: string
      readonly confirmed: boolean
      readonly kept?: Kept
    },
    browser: string | undefined,
  ): Promise<{ state: string; cookie: Cookie }>
  /** Ends it. Throws AppError('oauth_state_wrong') for another browser, another provider, and the second time. */
  take(state: string, provider: ThirdParty, browser: string | undefined): Promise<Begun>
}

/** Tells browsers apart that are on their way to a provider; the value is a secret of that browser. */
export const browserCookie = 'third_party'
const cookieLength = 43
const isCookie = (value: string | undefined): value is string => /^[A-Za-z0-9]{43}$/.test(value ?? '')

const purpose = 'third_party'
const seconds = 600

/** States: single use, kept on the server, bound to browser, provider and purpose. */
export const createStates = (challenges: Challenges): States => ({
  async begin({ userId, ...start }, cookie) {
    // One cookie serves all ways that a browser has begun, so that two tabs do not break each other.
    const browser = isCookie(cookie) ? cookie : randomAlphanumerics(cookieLength)
    const data = { kept: {}, ...start }
    const state = await challenges.begin({ purpose, browser, userId, data, seconds })
    return { state, cookie: { name: browserCookie, value: browser, maxAgeSeconds: seconds } }
  },

  async take(state, provider, browser) {
    const challenge = state !== '' && isCookie(browser) ? { id: state, purpose, browser } : undefined
    const found = challenge && (await challenges.take(challenge, begun))
    if (found === undefined) throw new AppError('oauth_state_wrong')
    const expected = found.data.provider
    // What only the server knows of an OIDC sign-in (nonce, verifier) cannot come from a state without a provider.
    if (expected === undefined ? provider === 'oidc' : expected !== provider) throw new AppError('oauth_state_wrong')
    return { ...found.data, userId: found.userId }
  },
})
