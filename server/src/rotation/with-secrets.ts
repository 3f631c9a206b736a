import { join } from 'node:path'
import { type Config, readConfig } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { openCheckedSecrets } from '../db/key-proof.ts'
import { migrate } from '../db/migrate.ts'
import { loadEnvironmentFile } from '../lib/security/secret-files.ts'
import type { SecretSources } from '../lib/security/secrets.ts'

/** Sources of the secrets of an installation with this configuration. */
export const secretSources = ({ cryptoSecret, previousSecrets, dataDir }: Config): SecretSources => ({
  cryptoSecret,
  previousSecrets,
  keyFile: join(dataDir, 'secret.key'),
})

interface Opened {
  readonly database: Database
  readonly secrets: Awaited<ReturnType<typeof openCheckedSecrets>>
}

/** Does something with the database of the configuration and the secrets under which it is stored, and closes it. */
export const withSecrets = async <Result>(
  environment: Readonly<Record<string, string | undefined>>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> => {
  loadEnvironmentFile()
  const config = readConfig(environment)
  const database = await openDatabase(config.database)
  try {
    await migrate(database)
    return await work({ database, secrets: await openCheckedSecrets(database, secretSources(config)) })
  } finally {
    await database.close()
  }
}
