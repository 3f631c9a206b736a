import { runOutages } from './run.ts'

/**
 * `npm run outages`: three nodes with two workers each, on a PostgreSQL and a Redis of their own, under load and attacks, while
 * workers, nodes, Redis and PostgreSQL end and come back in turn. Prints one line of JSON. `OUTAGES` is the number of troubles (40),
 * `OUTAGE_CLIENTS` of clients (12), `OUTAGE_ATTACKS` the share of attacks (0.2), `OUTAGE_SEED` repeats the choices of a run. Ends with
 * 1 when anything does not agree.
 */
const summary = await runOutages({
  troubles: Number(process.env.OUTAGES ?? 40),
  clients: Number(process.env.OUTAGE_CLIENTS ?? 12),
  attackShare: Number(process.env.OUTAGE_ATTACKS ?? 0.2),
  seed: Number(process.env.OUTAGE_SEED ?? Date.now() % 1_000_000),
  progress: (text) => process.stderr.write(`${text}\n`),
})
process.stdout.write(`${JSON.stringify(summary)}\n`)
const { problemCount, lost, doubled } = summary
if (problemCount > 0 || lost > 0 || doubled > 0) process.exitCode = 1
