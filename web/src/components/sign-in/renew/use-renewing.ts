import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { calls, type SignInResult } from '../../../lib/api/contract.ts'
import { putOffRenewal, sessionRenewed } from '../../../lib/api/renew-session.ts'
import { type SessionUser, storedUser, storeOtherUser, storeUser } from '../../../lib/api/session.ts'
import { useLatest } from '../../../lib/loading/latest.ts'

type SignedIn = Exclude<SignInResult, { require_2fa: true }>

/** State of a renewed sign-in: the expected account, another one that signed in instead, and the steps. */
export const useRenewing = () => {
  const [user] = useState(storedUser)
  const [other, setOther] = useState<Pick<SessionUser, 'id' | 'username'>>()
  const [needsCode, setNeedsCode] = useState(false)
  const known = useRef<number>(undefined)

  const arrive = (signedIn: SignedIn): void => {
    if (signedIn.id === user?.id) {
      storeUser(signedIn)
      sessionRenewed()
    } else if (signedIn.id !== known.current) {
      known.current = signedIn.id
      storeOtherUser(signedIn)
      setOther(signedIn)
    }
  }
  /** The answer of a first factor: the end, or a question for the second. */
  const enter = (result: SignInResult): void => {
    known.current = undefined
    if ('require_2fa' in result) setNeedsCode(true)
    else arrive(result)
  }
  const latest = useLatest(arrive)
  useEffect(() => {
    /** The sign-in may have happened in another window. */
    const look = (): void => {
      void call(calls.whoAmI).then(
        (signedIn) => signedIn && latest.current(signedIn),
        () => undefined,
      )
    }
    addEventListener('focus', look)
    addEventListener('storage', look)
    return () => {
      removeEventListener('focus', look)
      removeEventListener('storage', look)
    }
  }, [latest])
  return {
    user,
    other,
    needsCode,
    enter,
    startOver: () => {
      setOther(undefined)
      setNeedsCode(false)
    },
    putOff: putOffRenewal,
    /** Loads the page anew for the account that is signed in now; the browser warns of edits. */
    goOnAsOther: () => location.reload(),
  }
}
