import { expect, it } from 'vitest'
import { createSerialQueue } from './serial-queue.ts'

it('runs jobs one after the other, in order, also after a failure', async () => {
  const queue = createSerialQueue()
  const done: string[] = []
  const job = (name: string, turns: number) => async (): Promise<void> => {
    done.push(`${name} begins`)
    for (let left = turns; left > 0; left -= 1) await new Promise(setImmediate)
    done.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
  }
  const results = [queue.run(job('a', 3)), queue.run(job('b', 1)), queue.run(job('c', 0))]
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
