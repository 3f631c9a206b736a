import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../../tables.ts'

/** Keys of the site itself, and sessions that know which session of an identity provider they began with. */
export const singleLogout = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'site_keys', {
      columns: { name: 'key', key_cipher: 'text', certificate: 'text', created_time: 'whole' },
      primaryKey: 'name',
    })
    await addColumns(on, 'sessions', {
      provider_id: 'count',
      provider_subject: 'key?',
      provider_session: 'key?',
      logout_cipher: 'text?',
    })
    await createIndex(on, 'sessions', ['provider_id', 'provider_subject'], { unique: false })
  },
}
