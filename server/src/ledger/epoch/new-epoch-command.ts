import { existsSync } from 'node:fs'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { endWith, wantsHelp } from '../../lib/commands/command.ts'
import { loadEnvironmentFile } from '../../lib/security/secret-files.ts'
import { openEpoch } from './stored-epoch.ts'

const usage = `Usage: tollgate new-epoch

Gives the database, with the variables of the server, a new epoch: nothing that Redis keeps counts for it any more. Needed once
after the database was restored by its own tools, while all nodes are stopped.`

/** `tollgate new-epoch`: to be run after a database was restored, so that nothing in Redis counts for it any more. */
export const runNewEpochCommand = async (args: readonly string[]): Promise<number> => {
  if (wantsHelp(args)) {
    console.log(usage)
    return 0
  }
  loadEnvironmentFile()
  const address = readConfig(process.env).database
  if (address.engine === 'sqlite' && !existsSync(address.url)) {
    console.error(`There is no database at ${address.url}.`)
    return 1
  }
  const database = await openDatabase(address)
  try {
    const epoch = await openEpoch(database)
    console.log(`The database has a new epoch: ${await epoch.renew(epoch.name)} (before: ${epoch.name}).`)
    return 0
  } finally {
    await database.close()
  }
}

if (import.meta.main) await endWith(() => runNewEpochCommand(process.argv.slice(2)))
