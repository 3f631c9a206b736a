import type { Engine } from '../../server/src/db/database.ts'
import { startSite } from '../support/site.ts'
import { takeVersion } from './earlier-version.ts'
import { runUpgrade } from './run.ts'

/**
 * `npm run upgrades`: rolls an earlier version to this one and back under load, and prints one line of JSON for each engine.
 * `UPGRADE_FROM` is a commit or tag (HEAD~1), `UPGRADE_ENGINES` a list (sqlite,postgres,mysql), `UPGRADE_SECONDS` how long
 * each step serves (15), `UPGRADE_CLIENTS` their number (12), `UPGRADE_SEED` repeats the choices of a run, and
 * `UPGRADE_PACKAGES=own` installs the packages of the earlier version rather than using those of this one. `WORKERS` counts
 * for all nodes. Ends with 1 when a call failed or anything does not agree.
 */
const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']
const chosen = (process.env.UPGRADE_ENGINES ?? engines.join(',')).split(',')
const seed = Number(process.env.UPGRADE_SEED ?? Date.now() % 1_000_000)
const phaseMs = Number(process.env.UPGRADE_SECONDS ?? 15) * 1000
const clients = Number(process.env.UPGRADE_CLIENTS ?? 12)
const from = process.env.UPGRADE_FROM ?? 'HEAD~1'

const progress = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
// Builds the console, which must not happen while a node is away.
await (await startSite()).remove()
const earlier = takeVersion(from, process.env.UPGRADE_PACKAGES === 'own' ? 'own' : 'shared')
try {
  for (const engine of engines.filter((name) => chosen.includes(name))) {
    const summary = await runUpgrade({ engine, earlier: earlier.folder, clients, seed, phaseMs, progress })
    process.stdout.write(`${JSON.stringify({ from, ...summary })}\n`)
    if (summary.problemCount > 0) process.exitCode = 1
  }
} finally {
  earlier.remove()
}
