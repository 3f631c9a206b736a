import { useNavigate } from '@tanstack/react-router'
import type { SignInResult } from '../../lib/api/contract.ts'
import { safeNext, storeUser } from '../../lib/api/session.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useStartPath } from '../page.ts'
import { useSignInMessages } from './messages.ts'

interface More {
  /** Signed in with the initial password. */
  readonly isDefault?: boolean
  /** The requested page, where the address does not contain it. */
  readonly next?: string | undefined
  /** The page to open when none was requested; by default the start page. */
  readonly otherwise?: string
  /** True if "back" must not return to this page's address. */
  readonly replace?: boolean
  /** Text of the notification instead of the success of the login. */
  readonly done?: string
}

/** The page after the login: the requested one, else the start page. */
const useLanding = (): ((more: More | undefined) => string) => {
  const [search] = useSearchParams()
  const start = useStartPath()
  return (more) => safeNext(more?.next ?? search.next) ?? more?.otherwise ?? start
}

/**
 * The last step of every way of signing in: stores the user and opens the console. Returns false if a second factor
 * must follow; nothing is stored then.
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
    notifyDone(more?.done ?? useSignInMessages.say('done'))
    return true
  }
}
