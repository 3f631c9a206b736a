import { parseArgs } from 'node:util'
import { addressOf, fillWithLogs } from '../../server/bench/many-logs.ts'
import { openDatabase } from '../../server/src/db/engines/open.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { fillBusySite } from './fill.ts'
import { busyPassword, busyPlan, daySeconds } from './plan.ts'

const usage = `Usage: npm run busy -- [--rows 200000] [--days 92] [--channels 40] [--users 2000] [--seed 1]
       npm run busy -- --bulk <DSN or file> [--rows 10000000] [--days 92]

Writes a site with a log of many calls into the empty databases that the environment names (DATA_DIR, SQL_DSN, …), so that
\`npm start\` with the same environment shows it. Every user has the password "${busyPassword}".
--bulk writes log rows and their sums alone, by statements of the engine: for plans of reading, in minutes for ten million rows.`

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    days: { type: 'string' },
    channels: { type: 'string' },
    users: { type: 'string' },
    seed: { type: 'string' },
    bulk: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/** A positive whole number; ends the process with the usage for anything else. */
const numberOf = (text: string | undefined, fallback: number): number => {
  const number = text === undefined ? fallback : Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  console.error(usage)
  process.exit(1)
}

const started = performance.now()
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
const days = numberOf(values.days, busyPlan.days)

if (values.help === true) console.info(usage)
else if (values.bulk !== undefined) {
  const address = addressOf(values.bulk)
  // The statements are set up for one connection.
  const database = await openDatabase(address.engine === 'sqlite' ? address : { ...address, pool: 1 })
  await migrate(database)
  const rows = numberOf(values.rows, 10_000_000)
  await fillWithLogs(database, { rows, days, end: Math.floor(Date.now() / 1000 / daySeconds) * daySeconds })
  await database.close()
  console.info(`${rows} rows after ${seconds()}`)
} else {
  const plan = {
    seed: numberOf(values.seed, busyPlan.seed),
    days,
    rows: numberOf(values.rows, busyPlan.rows),
    channels: numberOf(values.channels, busyPlan.channels),
    users: numberOf(values.users, busyPlan.users),
    until: Date.now(),
  }
  await fillBusySite(process.env, plan, (rows) => {
    if (rows % 30_000 === 0 || rows === plan.rows) console.info(`${rows} calls after ${seconds()}`)
  })
}
