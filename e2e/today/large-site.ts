import { fillWithLogs } from '../../server/bench/many-logs.ts'
import { openSharedParts } from '../../server/src/app/shared-parts.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { openDatabase } from '../../server/src/db/engines/open.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { silentLog } from '../../server/src/lib/log.ts'
import { writeChannels } from '../busy-site/channels.ts'
import { startOnce } from '../busy-site/fill.ts'
import { writePeople } from '../busy-site/people.ts'
import { busyPlan } from '../busy-site/plan.ts'

export interface LargeSite {
  /** Rows of the log. */
  readonly rows: number
  /** Days before now that they are spread over. */
  readonly days: number
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Fills the empty database of an environment with the users and channels of the busy site, and in bulk with log rows and their sums up to now.
 * Answers false, and writes nothing, where there are log rows already.
 */
export const fillLargeSite = async (environment: Environment, { rows, days }: LargeSite): Promise<boolean> => {
  await startOnce(environment)
  const config = readConfig(environment)
  const { shared, close } = await openSharedParts(config, silentLog, { clock: systemClock, primary: undefined })
  try {
    const some = await shared.logDatabase.query.selectFrom('logs').select('id').where('type', '=', 2).limit(1).execute()
    if (some.length > 0) return false
    const plan = { ...busyPlan, days, until: Date.now() }
    await writePeople(shared, plan)
    await writeChannels(shared, plan)
  } finally {
    await shared.ledger.close()
    await close()
  }
  // The statements are set up for one connection.
  const database = await openDatabase({ ...config.database, pool: 1 })
  await fillWithLogs(database, { rows, days, end: Math.floor(Date.now() / 1000) })
  await database.close()
  return true
}
