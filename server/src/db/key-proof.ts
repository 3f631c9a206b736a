import { openProvenSecrets, type SecretSources, type Secrets } from '../lib/security/secrets.ts'
import type { Database } from './database.ts'

/** Rows of `options` that are none: what proves that a secret fits the data. */
export const proofRows = { proof: 'internal.key_proof', digestKey: 'internal.digest_key' } as const

/**
 * Opens the secrets of this installation, or stops a start whose secret does not fit the data, before anything else looks at
 * them. Nodes that start together on an empty database may all write the proof: one of them wins and the others read it.
 * @throws SecretsError
 */
export const openCheckedSecrets = (database: Database, sources: SecretSources): Promise<Secrets> => {
  const stored = (key: string) => ({
    read: async () =>
      (await database.query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value,
    write: (value: string) => database.insertMany('options', [{ key, value }], { skipExisting: true }),
  })
  return openProvenSecrets(sources, { proof: stored(proofRows.proof), digestKey: stored(proofRows.digestKey) })
}
