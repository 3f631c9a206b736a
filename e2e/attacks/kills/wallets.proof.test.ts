import { describe, expect, it } from 'vitest'
import { redisHere } from '../../../server/test/support/lib/redis.ts'
import { postgresHere } from '../../support/shared-database.ts'
import type { KillRun } from './run.ts'
import { runKills } from './run.ts'

/** Repeats the choices of a history, and how many kills each has. */
const seed = Number(process.env.WALLET_SEED ?? Date.now() % 1_000_000)
const kills = Number(process.env.WALLET_KILLS ?? 1)

/**
 * Random histories of calls with an organisation's keys, transfers between its owner and itself, and moves of a key with a limit
 * between its projects, while processes are killed. Holds on every site: no wallet is ever below zero, what is left and what answered
 * calls cost is what was paid in, and the key lets no more through than its limit.
 */
const history = async (run: Pick<KillRun, 'engine' | 'victims' | 'environment'>): Promise<void> => {
  console.log(`seed ${seed}`)
  const summary = await runKills({ ...run, kills, seed, clients: 8, attackShare: 0, onlyWallets: true })
  console.log(JSON.stringify(summary))
  expect(summary.problems).toEqual([])
  expect(summary).toMatchObject({ lost: 0, doubled: 0, belowZero: 0, beyondLimit: 0 })
  expect(summary.complete).toBeGreaterThan(0)
  expect(summary.moved.transfers + summary.moved.refused + summary.moved.moves).toBeGreaterThan(kills)
}

const patience = 300_000 + kills * 60_000

describe('wallets whose money moves while calls spend it', () => {
  it('are right on one process', () => history({ engine: 'sqlite' }), patience)

  it.skipIf(process.platform !== 'linux')(
    'are right with two workers',
    () => history({ engine: 'sqlite', victims: 'workers', environment: { WORKERS: '2' } }),
    patience,
  )

  it.skipIf(!redisHere || !postgresHere)(
    'are right on two nodes with PostgreSQL and Redis',
    () => history({ engine: 'postgres' }),
    patience,
  )
})
