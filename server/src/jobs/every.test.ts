import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { every } from './every.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('continues after a failure and reports it', async () => {
  const failures: unknown[] = []
  let turns = 0
  const work = async (): Promise<void> => {
    turns += 1
    if (turns === 1) throw new Error('once')
  }
  every(1000, work, (error) => failures.push(error))
  await vi.advanceTimersByTimeAsync(2500)
  expect({ turns, failures: failures.length }).toEqual({ turns: 2, failures: 1 })
})

it('never runs twice at once, and not after it was stopped', async () => {
  let running = 0
  let most = 0
  let turns = 0
  const stop = every(
    100,
    async () => {
      turns += 1
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 250))
      running -= 1
    },
    () => {},
  )
  await vi.advanceTimersByTimeAsync(1000)
  stop()
  const before = turns
  await vi.advanceTimersByTimeAsync(1000)
  expect(most).toBe(1)
  expect(turns).toBe(before)
})
