import { proveKey, type Secrets } from '../lib/security/secrets.ts'
import type { Database } from './database.ts'

const key = 'internal.key_proof'

/**
 * Stops a start whose key does not fit the data, before anything else looks at them. Nodes that start together on an
 * empty database may all write the proof: one of them wins and the others read it. Throws `SecretsError`.
 */
export const checkKey = (database: Database, secrets: Secrets): Promise<void> =>
  proveKey(secrets, {
    read: async () =>
      (await database.query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value,
    write: (value) => database.insertMany('options', [{ key, value }], { skipExisting: true }),
  })
