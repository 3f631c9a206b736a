import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The value of the latest render, for stable functions that use changing values. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
