import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import type { Database } from '../db/database.ts'
import { type NamedClaim, type NamedJob, type NamedJobs, openNamedJobs } from './named-jobs.ts'
import { openJobRunner } from './runner.ts'

describeEachEngine('work that one node does for all', (open) => {
  let database: Database
  let now: number
  let nodes: NamedJobs[]
  const free: NamedJob = { id: 'test' }
  const periodic: NamedJob = { id: 'test', everySeconds: 600 }

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = 1_900_000_000_000
    await database.query.deleteFrom('cluster_jobs').execute()
    nodes = Array.from({ length: 6 }, () => openNamedJobs(database, () => now))
  })
  const [first] = [0]
  const node = (index: number = first): NamedJobs => {
    const found = nodes[index]
    if (!found) throw new Error('no such node')
    return found
  }
  const claim = (index: number, job = free): Promise<NamedClaim | undefined> => node(index).store([job]).claim(job)
  /** Runs that nodes get who all look at once, and take what is due. */
  const begun = async (job: NamedJob): Promise<NamedClaim[]> => {
    const claims = await Promise.all(
      nodes.map(async (each) => {
        const store = each.store([job])
        return Promise.all((await store.due(8)).map((due) => store.claim(due)))
      }),
    )
    return claims.flat().filter((run) => run !== undefined)
  }

  it('is begun by one of many nodes that try at once, again and again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runs = await begun(free)
      expect(runs).toHaveLength(1)
      await runs[0]?.done()
    }
  })

  it('comes once per period, and the first time after one', async () => {
    expect(await begun(periodic)).toHaveLength(0)
    now += 599_000
    expect(await begun(periodic)).toHaveLength(0)
    now += 1000
    const [run, ...others] = await begun(periodic)
    expect(others).toEqual([])
    await run?.done()
    expect(await begun(periodic)).toHaveLength(0)
    now += 600_000
    expect(await begun(periodic)).toHaveLength(1)
  })

  it('is not due while it runs, however long, and is begun on request beside its periods', async () => {
    await begun(periodic)
    const run = await claim(0)
    for (let minutes = 0; minutes < 30; minutes += 1) {
      now += 60_000
      expect(await run?.keep()).toBe(true)
      expect(await begun(periodic)).toHaveLength(0)
      expect(await claim(1)).toBeUndefined()
    }
    await run?.done()
    expect(await begun(periodic)).toHaveLength(1)
  })

  it('shows every node how far it is', async () => {
    const run = await claim(0)
    expect(await run?.progress(3, 10, { failed: 1 })).toBe(true)
    expect(await node(1).state('test')).toEqual({
      running: true,
      startedTime: now / 1000,
      finishedTime: 0,
      done: 3,
      total: 10,
      result: { failed: 1 },
    })
    now += 5000
    run?.report(10, 10, { failed: 2 })
    await run?.done()
    expect(await node(1).state('test')).toEqual({
      running: false,
      startedTime: now / 1000 - 5,
      finishedTime: now / 1000,
      done: 10,
      total: 10,
      result: { failed: 2 },
    })
    expect(await node(1).state('never')).toMatchObject({ running: false, startedTime: 0 })
  })

  it('stops when any node asks it to', async () => {
    expect(await node(1).stop('test')).toBe(false)
    const run = await claim(0)
    expect(await run?.keep()).toBe(true)
    expect(await node(1).stop('test')).toBe(true)
    expect(await run?.keep()).toBe(false)
    expect(await run?.progress(1, 2, {})).toBe(false)
    await run?.done()
    const again = await claim(2)
    expect([run?.lastFinished, again?.lastFinished]).toEqual([0, now / 1000])
    expect(await again?.progress(0, 2, {})).toBe(true)
  })

  it('is taken over from a node that fell silent, whose late end is refused', async () => {
    const dead = await claim(0)
    now += 120_000
    expect(await claim(1)).toBeUndefined()
    now += 1000
    const heir = await claim(1)
    expect(heir).toBeDefined()
    expect(await dead?.progress(5, 10, {})).toBe(false)
    expect(await dead?.keep()).toBe(false)
    expect(await dead?.done()).toBe(false)
    expect(await node(2).state('test')).toMatchObject({ running: true, done: 0 })
  })

  it('ends where it fails, and comes again in the next period', async () => {
    const failures: unknown[] = []
    let runs = 0
    const runner = openJobRunner({
      store: node().store([periodic]),
      async work() {
        runs += 1
        throw new Error('no luck')
      },
      failed: (error) => failures.push(error),
      clock: () => now,
    })
    await runner.work()
    now += 600_000
    await runner.work()
    await runner.work()
    expect({ runs, failures: failures.length }).toEqual({ runs: 1, failures: 1 })
    expect(await node(1).state('test')).toMatchObject({ running: false, finishedTime: now / 1000 })
    now += 600_000
    await runner.work()
    expect(runs).toBe(2)
    await runner.stop()
  })
})
