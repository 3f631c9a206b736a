import { afterAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../server/src/db/database.ts'
import { type EarlierVersion, takeVersion, versionBefore } from './earlier-version.ts'
import { runUpgrade } from './run.ts'

/** The short form of `npm run upgrades`; CI names three engines. */

const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']
const chosen = (process.env.UPGRADE_ENGINES ?? 'sqlite').split(',')
const before = versionBefore()
const why = before === undefined ? ' (skipped: there is no history of versions here)' : ''

let earlier: EarlierVersion | undefined
afterAll(() => earlier?.remove())

describe.each(engines.filter((engine) => chosen.includes(engine)))('an upgrade on %s', (engine) => {
  it.skipIf(before === undefined)(
    `goes to this version and back under load: no call fails, and nothing is lost or charged twice${why}`,
    { timeout: 600_000 },
    async () => {
      earlier ??= takeVersion(before ?? '')
      const summary = await runUpgrade({ engine, earlier: earlier.folder, clients: 6, seed: 1, phaseMs: 1000 })
      expect(summary.problems).toEqual([])
      expect(summary).toMatchObject({ failed: 0, lost: 0, doubled: 0 })
      expect(summary.complete).toBeGreaterThan(20)
    },
  )
})
