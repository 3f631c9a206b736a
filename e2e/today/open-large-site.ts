import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { joinConsole } from '../../server/src/app/console.ts'
import { openSharedParts } from '../../server/src/app/shared-parts.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { createConsoleListener } from '../../server/src/http/listener.ts'
import { silentLog } from '../../server/src/lib/log.ts'
import { openMonitoring } from '../../server/src/telemetry/monitoring.ts'
import { createChecks } from '../../server/src/telemetry/probes/checks.ts'
import { type RecordedStatements, recordStatements } from '../../server/test/support/db/rows-read.ts'

export interface OpenedSite {
  readonly url: string
  readonly engine: string
  /** Statements on the databases of the console. */
  readonly statements: RecordedStatements
  /** Moves the clock of the site on, so that what it shares for some time is read anew. */
  later(seconds: number): void
  close(): Promise<void>
}

/** Serves the console of the databases that an environment names, in this process; `rows` is what SQLite counts for a whole table. */
export const openLargeSite = async (
  environment: Readonly<Record<string, string | undefined>>,
  rows: number,
): Promise<OpenedSite> => {
  let ahead = 0
  const clock = (): number => Date.now() + ahead
  const config = readConfig(environment)
  const { shared, journal, close } = await openSharedParts(config, silentLog, { clock, primary: undefined })
  const { database, logDatabase } = shared
  const statements = recordStatements(database, rows)
  const isOne = database === logDatabase
  const recorded = {
    ...shared,
    database: statements.database,
    logDatabase: isOne ? statements.database : logDatabase,
  }
  const monitoring = await openMonitoring(recorded, journal, createChecks())
  const site = await joinConsole(recorded, monitoring)
  for (const opened of new Set([database, logDatabase])) opened.startReading?.()
  const server = createServer(createConsoleListener({ ...site, served: site.modules.served }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    engine: database.engine,
    statements,
    later: (seconds) => {
      ahead += seconds * 1000
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await monitoring.close()
      await shared.ledger.close()
      await site.close()
      await close()
    },
  }
}
