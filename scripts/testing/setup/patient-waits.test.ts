import { expect, it, vi } from 'vitest'
import './patient-waits.ts'

it('waits longer than a second for what is to come', async () => {
  vi.useFakeTimers()
  let isThere = false
  setTimeout(() => {
    isThere = true
  }, 1500)
  await vi.waitUntil(() => isThere)
  isThere = false
  setTimeout(() => {
    isThere = true
  }, 1500)
  await vi.waitFor(() => expect(isThere).toBe(true))
  vi.useRealTimers()
})
