import { expect, it } from 'vitest'
import { runAll } from './run-all.ts'

it('continues after a failure and names the failed ones, in order', async () => {
  const outcome = await runAll([1, 2, 3, 4, 5, 6], async (n) => {
    if (n % 3 === 0) throw new Error(`no ${n}`)
  })
  expect(outcome.done).toEqual([1, 2, 4, 5])
  expect(outcome.failed).toEqual([
    { item: 3, reason: 'no 3' },
    { item: 6, reason: 'no 6' },
  ])
})

it('never does more than four things at once', async () => {
  let running = 0
  let most = 0
  await runAll(Array.from({ length: 12 }), async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  })
  expect(most).toBeLessThanOrEqual(4)
})
