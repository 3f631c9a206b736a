import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/db/database.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { migrate } from '../src/db/migrate.ts'
import { logCases } from './log-cases.ts'
import { addressOf, fillWithLogs } from './many-logs.ts'
import { printRelay } from './relay-beside.ts'

/** `BENCH_LOG_ROWS` rows in `BENCH_LOG_URL` (a file, postgres://… or mysql://…), which is filled when it is empty. */
const rows = Number(process.env.BENCH_LOG_ROWS ?? 1_000_000)
const url = process.env.BENCH_LOG_URL ?? join(tmpdir(), `tollgate-logs-${rows}.db`)
const repeats = 7
const days = 365
const exportedRows = 200_000

const openFilled = async (): Promise<Database> => {
  const database = await openDatabase(addressOf(url))
  await migrate(database)
  const some = await database.query.selectFrom('logs').select('id').limit(1).executeTakeFirst()
  if (some === undefined) {
    const began = performance.now()
    const filler = await openDatabase({ ...addressOf(url), pool: 1 })
    await fillWithLogs(filler, { rows, end: Math.floor(Date.now() / 1000), days })
    await filler.close()
    console.log(`Filled with ${rows} rows in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  return database
}

/** Median and longest of some runs in milliseconds, after one that may read from the disk. */
const timed = async (work: () => Promise<unknown>): Promise<{ median: number; longest: number }> => {
  await work()
  const times: number[] = []
  for (let run = 1; run < repeats; run += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  const sorted = times.toSorted((left, right) => left - right)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

const printCases = async (database: Database): Promise<void> => {
  const { groups, exported } = await logCases(database)
  for (const { title, columns, cases } of groups) {
    console.log(`\n${title}: median (longest) of ${repeats - 1} in ms`)
    console.log(`${''.padEnd(34)}${columns.map((column) => column.padStart(18)).join('')}`)
    for (const { name, works } of cases) {
      const cells: string[] = []
      for (const work of works) {
        const { median, longest } = await timed(work)
        cells.push(`${median.toFixed(1)} (${longest.toFixed(0)})`.padStart(18))
      }
      console.log(`${name.padEnd(34)}${cells.join('')}`)
    }
  }
  const began = performance.now()
  const { count, bytes } = await exported(exportedRows)
  const seconds = (performance.now() - began) / 1000
  console.log(
    `\nExport as CSV: ${Math.round(count / seconds)} rows per second, ${(bytes / seconds / 1e6).toFixed(1)} MB per second`,
  )
}

/** Measures log, dashboard and exports on many rows, and what they cost the relay. */
export const benchLogs = async (upstreamPort: number): Promise<void> => {
  const database = await openFilled()
  console.log(`\nThe log with ${rows} rows on ${database.engine}`)
  await printCases(database)
  // Those of an earlier run lead to an upstream that is gone.
  await database.query.deleteFrom('channels').execute()
  await database.close()
  await printRelay(upstreamPort, url)
}
