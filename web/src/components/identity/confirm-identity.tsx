import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { whenProofIsNeeded } from '../../lib/api/api.ts'

const Dialog = lazy(async () => ({ default: (await import('./confirm-identity-dialog.tsx')).ConfirmIdentityDialog }))

/**
 * Asks people to prove who they are when the server wants that before it does something; the call is then made again.
 * Stands once in the shell. Calls that come while the question is open wait for the same answer.
 */
export const ConfirmIdentity = () => {
  const [asking, setAsking] = useState(false)
  const waiting = useRef<((proved: boolean) => void)[]>([])
  useEffect(() => {
    whenProofIsNeeded(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve)
          setAsking(true)
        }),
    )
    return () => whenProofIsNeeded(undefined)
  }, [])
  const answer = (proved: boolean): void => {
    setAsking(false)
    for (const resolve of waiting.current.splice(0)) resolve(proved)
  }
  if (!asking) return null
  return (
    <Suspense>
      <Dialog onAnswer={answer} />
    </Suspense>
  )
}
