import { useRef, useState } from 'react'

const everyMs = 50

/** A map that many small changes come to: they are drawn together, so that hundreds of results do not draw hundreds of times. */
export const useBatchedState = <K, V>(): [ReadonlyMap<K, V>, (key: K, value: V) => void] => {
  const [shown, setShown] = useState<ReadonlyMap<K, V>>(new Map())
  const waiting = useRef<[K, V][]>([])
  const draw = (): void => {
    const entries = waiting.current
    waiting.current = []
    setShown((before) => new Map([...before, ...entries]))
  }
  const keep = (key: K, value: V): void => {
    waiting.current.push([key, value])
    if (waiting.current.length === 1) setTimeout(draw, everyMs)
  }
  return [shown, keep]
}
