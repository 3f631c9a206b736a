import { describe, expect, it } from 'vitest'
import { redisHere } from '../../../server/test/support/lib/redis.ts'
import { postgresHere } from '../../support/shared-database.ts'
import { runKills } from './run.ts'

const environment = { WORKERS: '2' }

// Processes are found in Linux's /proc.
describe.skipIf(process.platform !== 'linux')('a node with two workers', () => {
  it('replaces workers that are killed under load and attacks; every answered call is billed once', async () => {
    const summary = await runKills({
      engine: 'sqlite',
      kills: 3,
      seed: 14,
      clients: 6,
      victims: 'workers',
      environment,
    })
    console.log(JSON.stringify(summary))
    expect(summary.problems).toEqual([])
    expect(summary).toMatchObject({ lost: 0, doubled: 0 })
    expect(summary.complete).toBeGreaterThan(4)
  }, 300_000)

  it('loses nothing when all of it is killed', async () => {
    const summary = await runKills({ engine: 'sqlite', kills: 1, seed: 15, clients: 6, environment })
    expect(summary.problems).toEqual([])
    expect(summary).toMatchObject({ lost: 0, doubled: 0 })
  }, 300_000)

  it.skipIf(!redisHere || !postgresHere)(
    'is two nodes of several on PostgreSQL and Redis',
    async () => {
      const summary = await runKills({
        engine: 'postgres',
        kills: 2,
        seed: 16,
        clients: 6,
        victims: 'workers',
        environment,
      })
      expect(summary.problems).toEqual([])
      expect(summary).toMatchObject({ lost: 0, doubled: 0 })
    },
    300_000,
  )
})
