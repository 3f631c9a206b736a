import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { loadEnvironmentFile } from '../lib/environment-file.ts'
import type { Difference } from './difference.ts'
import { verifyLedger } from './verify.ts'

/** `npm run ledger:verify`: prints what was compared and every difference; ends with 1 when there is one. */
const run = async (): Promise<number> => {
  loadEnvironmentFile()
  const address = readConfig(process.env).database
  if (address.engine === 'sqlite' && !existsSync(address.url)) {
    console.error(`There is no database at ${address.url}.`)
    return 1
  }
  const database = await openDatabase(address)
  try {
    const { users, tokens, charges, differences } = await verifyLedger(database)
    for (const difference of differences) console.log(sentence(difference))
    console.log(`${users} users, ${tokens} tokens and ${charges} charges compared: ${differences.length} differences.`)
    return differences.length === 0 ? 0 : 1
  } finally {
    await database.close()
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
