import { useEffect, useState } from 'react'

/**
 * `opened`, but never in the first render. A part that is first rendered open would miss the opening, and could not
 * return the focus.
 */
export const useLazyOpened = (opened: boolean): boolean => {
  const [later, setLater] = useState(false)
  useEffect(() => setLater(opened), [opened])
  return later
}
