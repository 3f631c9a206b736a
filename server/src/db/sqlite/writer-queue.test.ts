import { expect, it, vi } from 'vitest'
import { createWriterQueue } from './writer-queue.ts'

it('lets single writes pass at once and in order', async () => {
  const queue = createWriterQueue({ waitLimitMs: 1000 })
  const started: number[] = []
  const passed = [1, 2, 3].map((number) =>
    queue.pass(async () => {
      started.push(number)
    }),
  )
  expect(started).toEqual([1, 2, 3])
  await Promise.all(passed)
})

it('gives a transaction the queue alone, first come first served', async () => {
  const queue = createWriterQueue({ waitLimitMs: 1000 })
  const order: string[] = []
  const note = async (name: string): Promise<void> => {
    order.push(name)
  }
  const leaveFirst = await queue.take()
  const before = queue.pass(() => note('before'))
  const second = queue.take()
  const after = queue.pass(() => note('after'))
  await note('first')
  leaveFirst()
  const leaveSecond = await second
  leaveFirst()
  await note('second')
  leaveSecond()
  await Promise.all([before, after])
  expect(order).toEqual(['first', 'before', 'second', 'after'])
})

it('fails a writer that waits too long, and lets the next one in', async () => {
  vi.useFakeTimers()
  const queue = createWriterQueue({ waitLimitMs: 1000 })
  const leave = await queue.take()
  const waiting = expect(queue.pass(async () => 'never')).rejects.toThrow('Waited 1000 ms')
  await vi.advanceTimersByTimeAsync(1000)
  await waiting
  const next = queue.pass(async () => 'passed')
  leave()
  await expect(next).resolves.toBe('passed')
  vi.useRealTimers()
})
