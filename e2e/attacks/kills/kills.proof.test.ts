import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../server/src/db/database.ts'
import { openDatabase } from '../../../server/src/db/engines/open.ts'
import { servers } from '../../../server/test/support/db/places.ts'
import { redisHere } from '../../../server/test/support/lib/redis.ts'
import { runKills } from './run.ts'

const kills = 2

const isHere = async (engine: 'postgres' | 'mysql'): Promise<boolean> => {
  if (process.env.CI === 'true') return true
  if (!redisHere) return false
  try {
    const database = await openDatabase({ engine, url: servers[engine].url, pool: 1 })
    await database.close()
    return true
  } catch {
    return false
  }
}

const here: Readonly<Record<Engine, boolean>> = {
  sqlite: true,
  postgres: await isHere('postgres'),
  mysql: await isHere('mysql'),
}

// The long form is `npm run kills`.
describe('a server that is killed under load and attacks', () => {
  for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
    it.skipIf(!here[engine])(
      `bills every answered call once, and log, ledger and balances agree (${engine})`,
      async () => {
        const summary = await runKills({ engine, kills, seed: 14, clients: 6 })
        console.log(JSON.stringify(summary))
        expect(summary.problems).toEqual([])
        expect(summary).toMatchObject({ lost: 0, doubled: 0 })
        expect(summary.complete).toBeGreaterThan(kills)
      },
      300_000,
    )
  }
})
