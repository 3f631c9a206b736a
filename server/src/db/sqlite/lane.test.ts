import { expect, it, vi } from 'vitest'
import { openLane } from './lane.ts'

it('lets single writes pass at once and in order', async () => {
  const lane = openLane({ waitLimitMs: 1000 })
  const started: number[] = []
  const passed = [1, 2, 3].map((number) =>
    lane.pass(async () => {
      started.push(number)
    }),
  )
  expect(started).toEqual([1, 2, 3])
  await Promise.all(passed)
})

it('gives a transaction the lane alone, first come first served', async () => {
  const lane = openLane({ waitLimitMs: 1000 })
  const order: string[] = []
  const note = async (name: string): Promise<void> => {
    order.push(name)
  }
  const leaveFirst = await lane.take()
  const before = lane.pass(() => note('before'))
  const second = lane.take()
  const after = lane.pass(() => note('after'))
  await note('first')
  leaveFirst()
  const leaveSecond = await second
  leaveFirst()
  await note('second')
  leaveSecond()
  await Promise.all([before, after])
  expect(order).toEqual(['first', 'before', 'second', 'after'])
})

it('fails who waits for too long, and lets the next pass', async () => {
  vi.useFakeTimers()
  const lane = openLane({ waitLimitMs: 1000 })
  const leave = await lane.take()
  const waiting = expect(lane.pass(async () => 'never')).rejects.toThrow('Waited 1000 ms')
  await vi.advanceTimersByTimeAsync(1000)
  await waiting
  const next = lane.pass(async () => 'passed')
  leave()
  await expect(next).resolves.toBe('passed')
  vi.useRealTimers()
})
