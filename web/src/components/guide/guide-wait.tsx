import { Skeleton } from '@mantine/core'
import { type RefObject, useEffect } from 'react'
import { role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { roleIn } from '../../lib/api/staff.ts'
import { readJson, writeJson } from '../../lib/preferences/storage.ts'
import classes from './guide.module.css'

interface Seen {
  /** Pixels. */
  readonly width: number
  readonly height: number
}

const keyOf = (userId: number) => `guide-height:${userId}` as const

const seenBy = (userId: number): Seen | undefined => {
  const seen = readJson(keyOf(userId))
  const isSeen = typeof seen === 'object' && seen !== null && 'width' in seen && 'height' in seen
  return isSeen ? (seen as Seen) : undefined
}

/** Remembers how high the steps stood, for the place that is kept for them the next time. */
export const useRememberedHeight = (place: RefObject<HTMLElement | null>): void => {
  const userId = useSession()?.id ?? 0
  // The browser's storage.
  useEffect(() => {
    const height = place.current?.getBoundingClientRect().height ?? 0
    if (height > 0) writeJson(keyOf(userId), { width: window.innerWidth, height })
  })
}

/**
 * Reserves the height of the steps while they load, so that the list below does not move: their last height, or that of
 * a user who has done none. Before a browser has shown them it is open whether there are any, and what is below appears
 * where it will stay.
 */
export const GuideWait = () => {
  const session = useSession()
  const seen = seenBy(session?.id ?? 0)
  const isKnown = seen?.width === window.innerWidth
  return (
    <Skeleton
      className={classes.wait}
      data-waiting
      data-unknown={!isKnown || undefined}
      data-operator={roleIn(session, 'channels') >= role.admin || undefined}
      style={isKnown ? { height: seen.height } : {}}
    />
  )
}
