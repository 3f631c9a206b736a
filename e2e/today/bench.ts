import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { filledTables } from '../../server/bench/many-logs.ts'
import { type Person, signIn } from '../support/operator.ts'
import { rootPassword } from '../support/site.ts'
import { fillLargeSite } from './large-site.ts'
import { openLargeSite } from './open-large-site.ts'
import { chosenReads, operatorReads, ownReads, type TodayRead } from './reads.ts'

/**
 * How long the reads of the start page take on a large site, and how many rows they read: `npm run bench:today`. `BENCH_TODAY_URL` is the
 * database (sqlite:<file>, postgres://…, mysql://…), which is filled with `BENCH_TODAY_ROWS` log rows where it has none.
 * `BENCH_PARTS` chooses among operators, choices and users.
 */

const { BENCH_TODAY_URL: address = `sqlite:${join(tmpdir(), 'tollgate-today.db')}` } = process.env
const rows = Number(process.env.BENCH_TODAY_ROWS ?? 10_000_000)
const days = 92
const isWanted = (part: string): boolean => process.env.BENCH_PARTS?.split(',').includes(part) ?? true
/** Zones whose days begin at different hours: what the server shares between readers of a zone is read anew for each. */
const zones = [
  'UTC',
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'America/Los_Angeles',
  'America/Sao_Paulo',
]
const tables = [...filledTables, 'users', 'tokens'] as const
/** Longer than the server shares anything between readers. */
const sharedSeconds = 120

const load = (): string =>
  loadavg()
    .map((average) => average.toFixed(1))
    .join(', ')

const directory = mkdtempSync(join(tmpdir(), 'tollgate-today-'))
const environment = {
  DATA_DIR: directory,
  SQL_DSN: address,
  CRYPTO_SECRET: 'a secret for tests',
  INITIAL_ROOT_PASSWORD: rootPassword,
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
}
const began = performance.now()
if (await fillLargeSite(environment, { rows, days }))
  console.info(`Filled with ${rows} rows in ${((performance.now() - began) / 1000).toFixed(0)} s`)

const site = await openLargeSite(environment, rows)
const root = await signIn(site.url)
const now = Math.floor(Date.now() / 1000)
console.info(
  `${site.engine}, ${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GB, load averages ${load()}\n`,
)

/** Elapsed milliseconds, and those of the processor in this process: with SQLite all of them, with a server those of the console. */
const timed = async (work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly cpu: number }> => {
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuFrom)
  return { ms: performance.now() - from, cpu: (user + system) / 1000 }
}

const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other)
const middle = (values: readonly number[]): number => sorted(values)[values.length >> 1] ?? 0

/** Least, median and most of some works, one for each zone, and the median of their processor time. */
const inZones = async (work: (zone: string) => Promise<unknown>): Promise<string> => {
  const times: { readonly ms: number; readonly cpu: number }[] = []
  for (const zone of zones) {
    site.later(sharedSeconds)
    times.push(await timed(() => work(zone)))
  }
  const elapsed = sorted(times.map(({ ms }) => ms))
  const shown = [elapsed[0] ?? 0, middle(elapsed), elapsed.at(-1) ?? 0, middle(times.map(({ cpu }) => cpu))]
  return shown.map((ms) => ms.toFixed(0)).join(' | ')
}

const ask = (person: Person, { path }: TodayRead, zone: string) => person.must('GET', path(zone))

/** Statements of a read by table, with the rows that they read; SQLite says only whether a whole table is read. */
const statementsOf = async (person: Person, read: TodayRead, zone: string): Promise<string> => {
  site.later(sharedSeconds)
  site.statements.forget()
  await ask(person, read, zone)
  const found: string[] = []
  for (const table of tables) {
    const read = await site.statements.read(table)
    if (read.length === 0) continue
    const most = read.reduce((sum, one) => sum + one.read, 0)
    const how = site.engine !== 'sqlite' ? `${most.toFixed(0)} rows` : most === 0 ? 'by index' : 'SCANNED'
    found.push(`${table}: ${read.length} (${how})`)
  }
  return found.join(', ')
}

const print = async (
  title: string,
  reads: readonly TodayRead[],
  { together }: { together: boolean },
): Promise<void> => {
  console.info(`| ${title} | min, ms | median | max | processor, ms | statements by table |\n|---|---|---|---|---|---|`)
  for (const read of reads) {
    // Once, so that the cache of the file system is warm.
    await ask(root, read, 'UTC')
    const times = await inZones((zone) => ask(root, read, zone))
    const statements = await statementsOf(root, read, 'Asia/Shanghai')
    console.info(`| ${read.name} | ${times} | ${statements} |`)
  }
  if (together) {
    const times = await inZones((zone) => Promise.all(reads.map((read) => ask(root, read, zone))))
    console.info(`| all of these at once | ${times} | |`)
  }
  console.info('')
}

if (isWanted('operators')) await print('operators, first read', operatorReads(now), { together: true })
if (isWanted('choices')) await print('operators, by choice', chosenReads(now), { together: false })
if (isWanted('users')) await print('users, first read', ownReads(now), { together: true })
console.info(`load averages at the end ${load()}`)
await site.close()
rmSync(directory, { recursive: true, force: true })
