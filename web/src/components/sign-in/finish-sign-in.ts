import { useNavigate, useRouter } from '@tanstack/react-router'
import type { SignInResult } from '../../lib/api/contract.ts'
import { safeNext, storeUser } from '../../lib/api/session.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useSignInWords } from './messages.ts'

interface More {
  /** Signed in with the initial password. */
  readonly isDefault?: boolean
  /** The page that was asked for, where the address does not say it. */
  readonly next?: string | undefined
  /** Where to go when no page was asked for; the tokens otherwise. */
  readonly otherwise?: string
  /** Whether this page's address must not come back. */
  readonly replace?: boolean
}

/** After the login: the page that was asked for, else the tokens, else what exists. */
const useLanding = (): ((more: More | undefined) => string) => {
  const [search] = useSearchParams()
  const routes = useRouter().routesByPath
  return (more) =>
    safeNext(more?.next ?? search.next) ?? more?.otherwise ?? ('/token' in routes ? '/token' : '/personal')
}

/**
 * What every way of signing in ends with: stores the user and goes on to the console. Answers false when a second step
 * has to follow; nothing is stored then.
 */
export const useFinishSignIn = (): ((result: SignInResult, more?: More) => Promise<boolean>) => {
  const navigate = useNavigate()
  const landing = useLanding()
  return async (result, more) => {
    if ('require_2fa' in result) return false
    storeUser({ ...result, default_password: result.default_password || more?.isDefault === true })
    await navigate({ href: landing(more), replace: more?.replace === true })
    // The notifications belong to the console, which is loaded by now.
    const { notifyDone } = await import('../../lib/notify.tsx')
    notifyDone(useSignInWords.say('done'))
    return true
  }
}
