import { lazy, Suspense, useEffect, useRef } from 'react'
import { offerRenewal, renewalStore } from '../../../lib/api/renew-session.ts'
import { verifySession } from '../../../lib/api/verify-session.ts'
import { useStore } from '../../../lib/preferences/store.ts'

const Dialog = lazy(async () => ({ default: (await import('./renew-dialog.tsx')).RenewDialog }))

/** Offers, once the session is known, that its user signs in again over the page. Gives the focus back afterwards. */
const useRenewal = () => {
  const state = useStore(renewalStore)
  const focused = useRef<HTMLElement>(undefined)
  const isAsking = state === 'asking'
  useEffect(() => {
    let end: (() => void) | undefined
    let isGone = false
    // A session that had ended before the page came has nothing typed to keep: the login page follows.
    void verifySession().finally(() => {
      if (!isGone) end = offerRenewal()
    })
    return () => {
      isGone = true
      end?.()
    }
  }, [])
  useEffect(() => {
    if (!isAsking) return undefined
    if (document.activeElement instanceof HTMLElement) focused.current = document.activeElement
    return () => void setTimeout(() => focused.current?.isConnected && focused.current.focus())
  }, [isAsking])
  return isAsking
}

/** Stands once in the shell: the sign-in dialog over the page after the session has ended. */
export const RenewSession = () => {
  const isAsking = useRenewal()
  return (
    isAsking && (
      <Suspense>
        <Dialog />
      </Suspense>
    )
  )
}
