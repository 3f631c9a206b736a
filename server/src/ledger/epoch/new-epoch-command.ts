import { existsSync } from 'node:fs'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { loadEnvironmentFile } from '../../lib/environment-file.ts'
import { openEpoch } from './stored-epoch.ts'

/** `npm run ledger:new-epoch`: to be run after a database was restored, so that nothing in Redis counts for it any more. */
const run = async (): Promise<number> => {
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

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
