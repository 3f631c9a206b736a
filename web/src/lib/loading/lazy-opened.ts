import { useEffect, useState } from 'react'

/**
 * `opened`, but never at the first drawing. What is drawn only once it is asked for would miss that it opens, and with it
 * whom to give the focus back to.
 */
export const useLazyOpened = (opened: boolean): boolean => {
  const [later, setLater] = useState(false)
  useEffect(() => setLater(opened), [opened])
  return later
}
