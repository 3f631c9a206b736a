import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { SecretSources } from '../lib/security/secrets.ts'

/** Where the secrets of an installation with this configuration are. */
export const secretSources = ({ cryptoSecret, previousSecrets, dataDir }: Config): SecretSources => ({
  cryptoSecret,
  previousSecrets,
  keyFile: join(dataDir, 'secret.key'),
})
