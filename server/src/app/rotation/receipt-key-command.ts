import { parseArgs } from 'node:util'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { openCheckedSecrets } from '../../db/key-proof.ts'
import { migrate } from '../../db/migrate.ts'
import { openReceiptKeys } from '../../features/receipts/signing-keys.ts'
import { loadEnvironmentFile } from '../../lib/environment-file.ts'
import { secretSources } from './secret-sources.ts'

const usage = `Usage: tollgate renew-receipt-key

Makes a new key with which all nodes sign receipts from now on. The keys before it stay at /.well-known/tollgate-receipts.json, so receipts
that they signed can be checked as before.`

/** `tollgate renew-receipt-key`: replaces the key that signs receipts. Answers the exit code. */
export const runReceiptKeyCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  print: (line: string) => unknown = (line) => process.stdout.write(`${line}\n`),
): Promise<number> => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    print(usage)
    return 0
  }
  loadEnvironmentFile()
  const config = readConfig(environment)
  const database = await openDatabase(config.database)
  try {
    await migrate(database)
    const secrets = await openCheckedSecrets(database, secretSources(config))
    print(`Receipts are signed with the key ${await openReceiptKeys({ database, secrets, clock: Date.now }).renew()}.`)
    return 0
  } finally {
    await database.close()
  }
}
