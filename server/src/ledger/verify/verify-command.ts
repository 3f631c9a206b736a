import { existsSync } from 'node:fs'
import { readConfig } from '../../config/config.ts'
import type { Database, DatabaseAddress } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { endWith, wantsHelp } from '../../lib/commands/command.ts'
import { loadEnvironmentFile } from '../../lib/security/secret-files.ts'
import type { LedgerDifference } from './difference.ts'
import { verifyLedger } from './verify.ts'

const usage = `Usage: tollgate verify

Computes every balance and every charge anew from the ledger, with the variables of the server, which may run meanwhile.
Ends with 1 where something differs.`

/** `tollgate verify`: prints what was compared and every difference; answers 1 when there is one. */
export const runVerifyCommand = async (args: readonly string[]): Promise<number> => {
  if (wantsHelp(args)) {
    console.log(usage)
    return 0
  }
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
    const { users, tokens, charges, logRows, unlogged, differences } = await verifyLedger(database, { logDatabase })
    for (const difference of differences) console.log(sentence(difference))
    const compared = `${users} users, ${tokens} tokens, ${charges} charges and ${logRows} log rows`
    if (unlogged > 0)
      console.log(
        `${unlogged} charges have no row in the log, and need none: they are older, or were purged or not logged.`,
      )
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

const sentence = ({ account, id, what, stored, computed, movement }: LedgerDifference): string =>
  `${account} ${id}: ${what} is ${stored}, computed ${computed}${movement === undefined ? '' : ` (${movement})`}`

if (import.meta.main) await endWith(() => runVerifyCommand(process.argv.slice(2)))
