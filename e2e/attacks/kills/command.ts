import type { Engine } from '../../../server/src/db/database.ts'
import { runKills } from './run.ts'

/**
 * `npm run kills`: kills the server under load and attacks, and prints one line of JSON for each engine. `KILLS` is their
 * number per engine (200), `KILL_ENGINES` a list (sqlite,postgres,mysql), `KILL_SEED` repeats the choices of a run, and
 * `KILL_ATTACKS` is the share of attacks among the calls (0.4). `ANSWER_COST_CALLS` is a number of calls per engine that all ask what they
 * cost: kills go on until they have ended, and each cost in an answer must be its movement in the ledger. Ends with 1 when anything does
 * not agree.
 */
const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']
const chosen = (process.env.KILL_ENGINES ?? engines.join(',')).split(',')
const calls = Number(process.env.ANSWER_COST_CALLS ?? 0)
const kills = Number(process.env.KILLS ?? (calls > 0 ? 1 : 200))
const costedRun = calls > 0 ? { calls, onlyCosted: true, lifeMs: 12_000, clients: 24 } : {}
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
const attackShare = Number(process.env.KILL_ATTACKS ?? 0.4)

for (const engine of engines.filter((name) => chosen.includes(name))) {
  const progress = (text: string): void => {
    process.stderr.write(`${text}\n`)
  }
  const summary = await runKills({ engine, kills, seed, attackShare, progress, ...costedRun })
  process.stdout.write(`${JSON.stringify(summary)}\n`)
  if (summary.problems.length > 0 || summary.lost > 0 || summary.doubled > 0) process.exitCode = 1
}
