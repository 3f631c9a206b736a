import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { whenProofIsNeeded } from '../../lib/api/api.ts'
import { useApiMessages } from '../../lib/api/api-messages.ts'
import { noteFocus } from '../../lib/focus-back.ts'
import { notifyInfo } from '../../lib/notify.tsx'

const Dialog = lazy(async () => ({ default: (await import('./confirm-identity-dialog.tsx')).ConfirmIdentityDialog }))

/**
 * Asks people to prove who they are when the server wants that before it does something; the call is then made again.
 * Stands once in the shell. Calls that come while the question is open wait for the same answer; who closes it has given them
 * up, which is said once, as a remark that goes away.
 */
export const ConfirmIdentity = () => {
  const [asking, setAsking] = useState(false)
  const waiting = useRef<((proved: boolean) => void)[]>([])
  const giveFocusBack = useRef(() => {})
  useEffect(() => {
    whenProofIsNeeded(
      () =>
        new Promise((resolve) => {
          // The button that was pressed is disabled while its call is under way.
          if (waiting.current.length === 0) giveFocusBack.current = noteFocus()
          waiting.current.push(resolve)
          setAsking(true)
        }),
    )
    return () => whenProofIsNeeded(undefined)
  }, [])
  const answer = (proved: boolean): void => {
    setAsking(false)
    if (!proved) notifyInfo(useApiMessages.say('unproved'))
    for (const resolve of waiting.current.splice(0)) resolve(proved)
    giveFocusBack.current()
  }
  if (!asking) return null
  return (
    <Suspense>
      <Dialog onAnswer={answer} />
    </Suspense>
  )
}
