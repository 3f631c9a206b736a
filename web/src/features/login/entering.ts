import { useNavigate, useRouter } from '@tanstack/react-router'
import type { SignInResult } from '../../lib/contract.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { safeNext, storeUser } from '../../lib/session.ts'
import { useLoginWords } from './messages.ts'

/** After the login: the page that was asked for, else the tokens, else what exists. */
const useLanding = (): (() => string) => {
  const [search] = useSearchParams()
  const routes = useRouter().routesByPath
  return () => safeNext(search.next) ?? ('/token' in routes ? '/token' : '/personal')
}

/**
 * What every way of signing in ends with: stores the user and goes on to the console. Answers false when a second step
 * has to follow; nothing is stored then.
 */
export const useEntering = (): ((result: SignInResult, more?: { isDefault: boolean }) => Promise<boolean>) => {
  const navigate = useNavigate()
  const landing = useLanding()
  return async (result, more) => {
    if ('require_2fa' in result) return false
    storeUser({ ...result, default_password: result.default_password || more?.isDefault === true })
    await navigate({ href: landing() })
    // The notifications belong to the console, which is loaded by now.
    const { notifyDone } = await import('../../lib/notify.tsx')
    notifyDone(useLoginWords.say('done'))
    return true
  }
}
