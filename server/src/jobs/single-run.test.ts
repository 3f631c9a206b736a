import { describe, expect, it } from 'vitest'
import { openSingleRun } from './single-run.ts'

/** A run that ends when it is told to. */
const held = () => {
  let runs = 0
  let end: (error?: Error) => void = () => {}
  const run = openSingleRun(() => {
    runs += 1
    return new Promise((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error))
    })
  })
  return { run, runs: () => runs, end: (error?: Error) => end(error) }
}

describe('work of which one run is under way', () => {
  it('is joined while it runs, and starts again afterwards', async () => {
    const { run, runs, end } = held()
    const both = [run.work(), run.work()]
    expect(runs()).toBe(1)
    end()
    await Promise.all(both)
    const again = run.work()
    expect(runs()).toBe(2)
    end()
    await again
  })

  it('fails for all that wait for it, and starts again afterwards', async () => {
    const { run, runs, end } = held()
    const both = Promise.allSettled([run.work(), run.work()])
    end(new Error('away'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    void run.work()
    expect(runs()).toBe(2)
  })

  it('is waited for when it is stopped, and its error is not the stop’s', async () => {
    const { run, end } = held()
    const working = run.work().catch(() => 'failed')
    let isOver = false
    const stopping = run.stop().then(() => {
      isOver = true
    })
    expect(run.isStopped).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    end(new Error('away'))
    expect(await working).toBe('failed')
    await stopping
  })
})
