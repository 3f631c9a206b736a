import { useEffect, useState } from 'react'

/** Seconds that are left, 0 when none; the function starts over. */
export const useCountdown = (): [number, (seconds: number) => void] => {
  const [until, setUntil] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const look = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    look()
    const timer = setInterval(look, 250)
    return () => clearInterval(timer)
  }, [until])
  return [left, (seconds) => setUntil(Date.now() + seconds * 1000)]
}
