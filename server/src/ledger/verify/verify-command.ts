import { existsSync } from 'node:fs'
import { readConfig } from '../../config/config.ts'
import type { Database, DatabaseAddress } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { loadEnvironmentFile } from '../../lib/environment-file.ts'
import type { Difference } from './difference.ts'
import { verifyLedger } from './verify.ts'

/** `npm run ledger:verify`: prints what was compared and every difference; ends with 1 when there is one. */
const run = async (): Promise<number> => {
  loadEnvironmentFile()
  const { database: address, logDatabase: logAddress } = readConfig(process.env)
  if (address.engine === 'sqlite' && !existsSync(address.url)) {
    console.error(`There is no database at ${address.url}.`)
    return 1
  }
  if (logAddress?.engine === 'sqlite' && !existsSync(logAddress.url)) {
    console.error(`There is no log database at ${logAddress.url}.`)
    return 1
  }
  const database = await openDatabase(address)
  const logDatabase = logAddress === undefined ? database : await openLogs(database, logAddress)
  try {
    const { users, tokens, charges, logRows, differences } = await verifyLedger(database, { logDatabase })
    for (const difference of differences) console.log(sentence(difference))
    const compared = `${users} users, ${tokens} tokens, ${charges} charges and ${logRows} log rows`
    console.log(`${compared} compared: ${differences.length} differences.`)
    return differences.length === 0 ? 0 : 1
  } finally {
    if (logDatabase !== database) await logDatabase.close()
    await database.close()
  }
}

const openLogs = async (database: Database, address: DatabaseAddress): Promise<Database> => {
  try {
    return await openDatabase(address)
  } catch (error) {
    await database.close()
    throw error
  }
}

const sentence = ({ account, id, what, stored, computed, movement }: Difference): string =>
  `${account} ${id}: ${what} is ${stored}, computed ${computed}${movement === undefined ? '' : ` (${movement})`}`

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
