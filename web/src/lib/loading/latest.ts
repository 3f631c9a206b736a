import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What was given at the latest drawing, for functions that stay the same while what they work with changes. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
