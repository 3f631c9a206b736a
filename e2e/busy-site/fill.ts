import { openApp } from '../../server/src/app/app.ts'
import { openSharedParts } from '../../server/src/app/shared-parts.ts'
import { readConfig } from '../../server/src/config/config.ts'
import type { Database } from '../../server/src/db/database.ts'
import { openHealthStore } from '../../server/src/features/channel-health/store.ts'
import type { JournalRecord } from '../../server/src/journal/journal-record.ts'
import { applyCharges } from '../../server/src/ledger/apply/batch.ts'
import { writeLogs } from '../../server/src/ledger/apply/log-rows.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { silentLog } from '../../server/src/lib/log.ts'
import { type CallSources, callsOf } from './calls.ts'
import { writeChannels } from './channels.ts'
import { healthOf } from './health.ts'
import { writePeople } from './people.ts'
import { type BusyPlan, daySeconds, groups } from './plan.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Calls that are written with one transaction, as the ledger does it. */
const batchSize = 3000

const writeCalls = async (
  places: { readonly database: Database; readonly logDatabase: Database },
  records: readonly JournalRecord[],
  { until }: Pick<BusyPlan, 'until'>,
): Promise<void> => {
  const charges = records.filter(({ kind }) => kind === 'charge')
  if (charges.length > 0) await applyCharges({ database: places.database, hourly: true, versions: false }, charges)
  await writeLogs(places, records)
  await openHealthStore(places.database).add(healthOf(records, until - daySeconds * 1000))
}

/** A first start: tables, and root with the password of the environment. */
export const startOnce = async (environment: Environment): Promise<void> => {
  const app = await openApp(readConfig(environment), silentLog)
  await app.close()
}

/**
 * Fills the databases of this environment, in which no site has served yet, through the stores and the ledger of the product.
 * `progress` gets the number of calls so far. Throws Error where there are users besides root.
 */
export const fillBusySite = async (
  environment: Environment,
  plan: BusyPlan,
  progress: (rows: number) => void = () => {},
): Promise<void> => {
  await startOnce(environment)
  const config = readConfig(environment)
  const { shared, close } = await openSharedParts(config, silentLog, { clock: systemClock, primary: undefined })
  const { database, logDatabase, options, prices } = shared
  try {
    const others = await database.query.selectFrom('users').select('id').where('role', '<', 100).limit(1).execute()
    if (others.length > 0) throw new Error('The database has users already: a busy site is written into an empty one.')
    const root = { id: 1, username: 'root', role: 100, ip: '192.0.2.1' }
    const ratios = Object.fromEntries(groups.map(({ name, ratio }) => [name, ratio]))
    await options.set('GroupRatio', JSON.stringify(ratios), root)
    const callers = await writePeople(shared, plan)
    const channels = await writeChannels(shared, plan)
    const sources: CallSources = {
      callers,
      channels,
      priceOf(model, group) {
        const price = prices.of(model, group, { acceptsUnpriced: false })
        if (price === undefined) throw new Error(`${model} has no price`)
        return price
      },
    }
    let batch: JournalRecord[] = []
    let written = 0
    for (const record of callsOf(plan, sources)) {
      batch.push(record)
      if (batch.length < batchSize) continue
      await writeCalls({ database, logDatabase }, batch, plan)
      written += batch.length
      batch = []
      progress(written)
    }
    await writeCalls({ database, logDatabase }, batch, plan)
    progress(written + batch.length)
  } finally {
    await shared.ledger.close()
    await close()
  }
}
