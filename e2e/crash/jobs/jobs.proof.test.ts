import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../server/src/db/database.ts'
import { runJobKills } from './run.ts'

/**
 * Batches, videos, responses in the background and files while nodes are killed and the database goes away. `KILLS=200` kills so many
 * times on each engine, `KILL_ENGINES` is a list (sqlite), and `KILL_SEED` repeats the choices of a run; with odd seeds files are in a folder.
 */

const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']
const chosen = (process.env.KILL_ENGINES ?? 'sqlite').split(',')
const kills = Number(process.env.KILLS ?? 8)
const seed = Number(process.env.KILL_SEED ?? 37)

describe.each(engines.filter((engine) => chosen.includes(engine)))('jobs on %s, whose nodes are killed', (engine) => {
  it('end once: none is lost, none is charged twice or free, and the books agree', { timeout: 7_200_000 }, async () => {
    const progress = (text: string): void => void process.stderr.write(`${text}\n`)
    const summary = await runJobKills({ engine, kills, seed, progress: kills > 8 ? progress : () => {} })
    console.log(JSON.stringify(summary))
    expect(summary.problems).toEqual([])
    expect(summary.kills).toBeGreaterThanOrEqual(kills)
    expect(
      Math.min(summary.batches, summary.videos, summary.answers, summary.files, summary.batchedLines),
    ).toBeGreaterThan(0)
  })
})
