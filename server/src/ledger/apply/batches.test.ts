import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Backlog } from '../backlog.ts'
import { openBatches } from './batches.ts'

const openWith = (work: (items: readonly number[]) => Promise<void>, failures: unknown[] = []) =>
  openBatches<number>({
    most: 4,
    delayMs: 1,
    retryMs: 1,
    longestRetryMs: 2,
    work,
    failed: (error) => failures.push(error),
    backlog: new Backlog(Number.POSITIVE_INFINITY, () => {}),
  })

describe('batches', () => {
  it('go out one after the other, no larger than allowed, in order', async () => {
    const seen: number[][] = []
    let running = 0
    const batches = openWith(async (items) => {
      running += 1
      expect(running).toBe(1)
      await new Promise(setImmediate)
      running -= 1
      seen.push([...items])
    })
    for (const item of [1, 2, 3]) batches.add(item)
    for (const item of [4, 5, 6]) batches.add(item)
    await batches.flush()
    expect(seen).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ])
    expect(batches.waiting).toBe(0)
  })

  it('are tried again until they arrive', async () => {
    const arrived: number[] = []
    const failures: unknown[] = []
    const batches = openWith(async (items) => {
      if (failures.length < 3) throw new Error('away')
      arrived.push(...items)
    }, failures)
    for (const item of [1, 2, 3, 4]) batches.add(item)
    await batches.flush()
    expect(arrived.toSorted()).toEqual([1, 2, 3, 4])
    expect(failures).toHaveLength(3)
  })

  it('leave behind only the item that is never taken', async () => {
    const arrived = new Set<number>()
    const batches = openWith(async (items) => {
      if (items.includes(3)) throw new Error('poison')
      for (const item of items) arrived.add(item)
    })
    for (const item of [1, 2, 3, 4, 5, 6, 7, 8]) batches.add(item)
    await expect.poll(() => [...arrived].toSorted()).toEqual([1, 2, 4, 5, 6, 7, 8])
    expect(batches.waiting).toBe(1)
    await batches.close()
  })

  it('stop at close and keep what did not arrive', async () => {
    const batches = openWith(async () => {
      throw new Error('away')
    })
    for (const item of [1, 2]) batches.add(item)
    await batches.close()
    expect(batches.waiting).toBe(2)
  })
})

describe('the backlog of several batches', () => {
  it('is what waits in all of them, and full exactly while that is too much', async () => {
    const deeds = fc.array(fc.constantFrom('add here', 'add there', 'turn', 'fail', 'refuse'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(deeds, fc.integer({ min: 0, max: 8 }), async (all, most) => {
        const changes: boolean[] = []
        const backlog: Backlog = new Backlog(most, () => changes.push(backlog.isFull))
        let mood = 'turn'
        const openOne = () =>
          openBatches<string>({
            most: 4,
            delayMs: 0,
            retryMs: 0,
            longestRetryMs: 0,
            work: async () => {
              await new Promise(setImmediate)
              if (mood !== 'turn') throw new Error(mood)
            },
            failed: () => {},
            isAboutItems: () => true,
            refuse: async () => mood === 'refuse',
            backlog,
          })
        const batches = [openOne(), openOne()]
        const check = (): void => {
          const waiting = batches.reduce((sum, one) => sum + one.waiting, 0)
          expect([backlog.waiting, backlog.isFull]).toEqual([waiting, waiting >= most])
        }
        check()
        for (const deed of all) {
          if (deed === 'add here' || deed === 'add there') batches[deed === 'add here' ? 0 : 1]?.add(deed)
          else {
            mood = deed
            await new Promise(setImmediate)
          }
          check()
        }
        mood = 'turn'
        await Promise.all(batches.map((one) => one.flush()))
        check()
        expect(changes.every((isFull, index) => isFull !== changes[index - 1])).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
