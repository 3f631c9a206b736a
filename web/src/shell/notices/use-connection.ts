import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { connectionStore, lookForServer } from '../../lib/api/connection.ts'
import { useStore } from '../../lib/preferences/store.ts'

const lookEveryMs = 3000

/** True if the server can be reached. While it cannot, it is tried every three seconds; when it is back, shown data is read again. */
export const useConnection = (): boolean => {
  const client = useQueryClient()
  const isConnected = useStore(connectionStore)
  const wasConnected = useRef(true)
  useEffect(() => {
    const lose = (): void => connectionStore.set(false)
    addEventListener('offline', lose)
    return () => removeEventListener('offline', lose)
  }, [])
  useEffect(() => {
    if (isConnected) {
      if (!wasConnected.current) void client.invalidateQueries()
      wasConnected.current = true
      return undefined
    }
    wasConnected.current = false
    const look = (): void => void lookForServer()
    const timer = setInterval(look, lookEveryMs)
    addEventListener('online', look)
    return () => {
      clearInterval(timer)
      removeEventListener('online', look)
    }
  }, [isConnected, client])
  return isConnected
}
