import { z } from 'zod'
import type { Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { Challenges } from '../../verification/challenges.ts'
import { kept, type SignInState } from './code-provider.ts'
import type { LinkedProvider } from './profile.ts'

const begun = z.object({
  /** Absent when the client requested a state without naming a provider. */
  provider: z.string().optional(),
  purpose: z.enum(['login', 'bind']),
  aff: z.string(),
  /** True when the session was confirmed before the state was issued; otherwise binding requires a confirmation. */
  confirmed: z.boolean(),
  kept,
})

/** The sign-in or binding that a state was issued for. */
export interface PendingSignIn extends z.output<typeof begun> {
  /** The user who binds; 0 for signing in. */
  readonly userId: number
}

export interface States {
  /** Issues a state; `take` accepts it only with the browser's cookie. */
  begin(
    start: {
      readonly provider?: LinkedProvider
      readonly purpose: 'login' | 'bind'
      readonly userId: number
      readonly aff: string
      readonly confirmed: boolean
      readonly kept?: SignInState
    },
    browser: string | undefined,
  ): Promise<{ state: string; cookie: Cookie }>
  /** Consumes a state. Throws AppError('oauth_state_wrong') for another browser, another provider, and the second time. */
  take(state: string, provider: LinkedProvider, browser: string | undefined): Promise<PendingSignIn>
}

/** Cookie that binds states to a browser; its value is secret. */
export const browserCookie = 'third_party'
const cookieLength = 43
const isCookie = (value: string | undefined): value is string => /^[A-Za-z0-9]{43}$/.test(value ?? '')

/** Providers whose address clients may write themselves. */
const plain: ReadonlySet<LinkedProvider> = new Set(['github', 'linuxdo', 'telegram'])

const purpose = 'third_party'
const seconds = 600

/** States: single use, kept on the server, bound to browser, provider and purpose. */
export const createStates = (challenges: Challenges): States => ({
  async begin({ userId, ...start }, cookie) {
    // All states of a browser share one cookie, so that two tabs can sign in at once.
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
    // The others need the stored nonce and verifier, which a state without a provider does not have.
    if (expected === undefined ? !plain.has(provider) : expected !== provider) throw new AppError('oauth_state_wrong')
    return { ...found.data, userId: found.userId }
  },
})
