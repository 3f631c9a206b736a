import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { type ClusterJobs, openClusterJobs } from './cluster-jobs.ts'
import type { Database } from './database.ts'

describeEachEngine('work that one node does for all', (open) => {
  let database: Database
  let now: number
  let nodes: ClusterJobs[]

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = 1_900_000_000_000
    await database.query.deleteFrom('cluster_jobs').execute()
    nodes = Array.from({ length: 6 }, () => openClusterJobs(database, () => now))
  })
  const [first] = [0]
  const node = (index: number = first): ClusterJobs => {
    const found = nodes[index]
    if (!found) throw new Error('no such node')
    return found
  }

  it('is begun by one of many nodes that try at once, again and again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runs = (await Promise.all(nodes.map((each) => each.begin('test')))).filter((run) => run !== undefined)
      expect(runs).toHaveLength(1)
      await runs[0]?.end(1, 1, {})
    }
  })

  it('comes once per period, and the first time after one', async () => {
    const begunRuns = async () => (await Promise.all(nodes.map((each) => each.beginIfDue('test', 600)))).filter(Boolean)
    expect(await begunRuns()).toHaveLength(0)
    now += 599_000
    expect(await begunRuns()).toHaveLength(0)
    now += 1000
    const [run, ...others] = await begunRuns()
    expect(others).toEqual([])
    await run?.end(1, 1, {})
    expect(await begunRuns()).toHaveLength(0)
    now += 600_000
    expect(await begunRuns()).toHaveLength(1)
  })

  it('shows every node how far it is', async () => {
    const run = await node(0).begin('test')
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
    await run?.end(10, 10, { failed: 2 })
    expect(await node(1).state('test')).toMatchObject({ running: false, finishedTime: now / 1000, done: 10 })
    expect(await node(1).state('never')).toMatchObject({ running: false, startedTime: 0 })
  })

  it('stops when any node asks it to', async () => {
    expect(await node(1).stop('test')).toBe(false)
    const run = await node(0).begin('test')
    expect(await node(1).stop('test')).toBe(true)
    expect(await run?.progress(1, 2, {})).toBe(false)
    await run?.end(1, 2, {})
    const again = await node(2).begin('test')
    expect(await again?.progress(0, 2, {})).toBe(true)
  })

  it('is taken over from a node that fell silent, which then gives up', async () => {
    const dead = await node(0).begin('test')
    now += 120_000
    expect(await node(1).begin('test')).toBeUndefined()
    now += 1000
    const heir = await node(1).begin('test')
    expect(heir).toBeDefined()
    expect(await dead?.progress(5, 10, {})).toBe(false)
    await dead?.end(10, 10, {})
    expect(await node(2).state('test')).toMatchObject({ running: true, done: 0 })
  })
})
