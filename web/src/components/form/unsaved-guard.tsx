import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useUnsaved } from '../../lib/unsaved.ts'
import type { LeaveDialogProps } from './leave-dialog.tsx'

const LeaveDialog = onDemand(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

interface Place {
  readonly pathname: string
  readonly search: Readonly<Record<string, unknown>>
}

interface UnsavedGuardProps extends Pick<LeaveDialogProps, 'title' | 'text'> {
  dirty: boolean
  /** Returns true if this navigation would lose edits; if absent, every change of page would. */
  loses?: (from: Place, to: Place) => boolean
  onDiscard?: () => void
}

const isOtherPage = (from: Place, to: Place): boolean => from.pathname !== to.pathname

/** Asks before unsaved edits are lost, by navigation in the console or by closing the page. */
export const UnsavedGuard = ({ dirty, loses = isOtherPage, onDiscard, ...words }: UnsavedGuardProps) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && loses(current, next),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  useUnsaved(() => dirty)
  const [used, setUsed] = useState(false)
  if (blocker.status === 'blocked' && !used) setUsed(true)
  const leave = (): void => {
    onDiscard?.()
    blocker.proceed?.()
  }
  return (
    used && (
      <LeaveDialog {...words} opened={blocker.status === 'blocked'} onStay={() => blocker.reset?.()} onLeave={leave} />
    )
  )
}
