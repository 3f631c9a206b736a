import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../server/src/db/database.ts'
import { openDatabase } from '../../server/src/db/engines/open.ts'
import { openJobCluster } from '../crash/jobs/cluster.ts'
import { endJobs, openPayer } from '../crash/jobs/end.ts'
import { endLeases, openJobs } from '../crash/jobs/judge.ts'
import { startJobs } from '../crash/jobs/load.ts'
import { startJobProvider } from '../crash/jobs/provider.ts'
import { type EarlierVersion, takeVersion } from './earlier-version.ts'

/** Batches, videos and responses in the background that are under way when their nodes end go on in this version. */

/** The first version with all three. */
const first = '08c1f2badb3da354d87edfe27dc67c62dde93d23'
const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']
const chosen = (process.env.UPGRADE_ENGINES ?? 'sqlite').split(',')
const root = join(import.meta.dirname, '../..')
const isHere = spawnSync('git', ['-C', root, 'cat-file', '-e', `${first}^{commit}`]).status === 0
if (!isHere) console.warn('the history is absent: jobs that go on after an upgrade are skipped')

/** Times as long as usual that the provider takes, so that jobs of every kind are under way when their nodes end. */
const slowness = 6
const loadMs = 5_000
const mostRounds = 5

let earlier: EarlierVersion | undefined
afterAll(() => earlier?.remove())

describe.skipIf(!isHere).each(engines.filter((engine) => chosen.includes(engine)))('an upgrade on %s', (engine) => {
  it.each(['stopped', 'killed'] as const)(
    'goes on with jobs whose nodes were %s',
    { timeout: 600_000 },
    async (end) => {
      earlier ??= takeVersion(first)
      const provider = await startJobProvider(slowness)
      const cluster = await openJobCluster(engine, { program: earlier.folder })
      const database = await openDatabase(cluster.database)
      const { nodes } = cluster
      const urls = nodes.map(({ url }) => url)
      try {
        const payer = await openPayer(urls[0] ?? '', provider.url)
        const load = startJobs(urls, payer.key)
        const isBusy = async (): Promise<boolean> => {
          const { batches, videos, answers } = await openJobs(database)
          return Math.min(batches, videos, answers) > 0
        }
        for (let round = 1; round === 1 || (round <= mostRounds && !(await isBusy())); round += 1) await wait(loadMs)
        await Promise.all(nodes.map((node) => (end === 'stopped' ? node.stop() : node.kill())))
        const underWay = await openJobs(database)
        await load.stop()
        await endLeases(database)
        for (const node of nodes) await node.restart()
        const ended = await endJobs({ cluster, database, load, served: provider.served, payer })
        console.log(JSON.stringify({ engine, end, underWay, ...ended }))
        expect(ended.problems).toEqual([])
        // A node that is asked to stop finishes its responses.
        const { batches, videos, answers } = underWay
        expect(Math.min(batches, videos, end === 'killed' ? answers : 1)).toBeGreaterThan(0)
      } finally {
        await database.close()
        await cluster.remove()
        await provider.close()
      }
    },
  )
})
