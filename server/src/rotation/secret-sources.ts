import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { SecretSources } from '../lib/security/secrets.ts'

/** Sources of the secrets of an installation with this configuration. */
export const secretSources = ({ cryptoSecret, previousSecrets, dataDir }: Config): SecretSources => ({
  cryptoSecret,
  previousSecrets,
  keyFile: join(dataDir, 'secret.key'),
})
