import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Identity providers of the site and of organisations; a membership knows which of them manages it. */
export const identityProviders = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'identity_providers', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        slug: 'key',
        name: 'key',
        icon: 'key',
        enabled: 'whole',
        connection: 'text',
        secret_cipher: 'text',
        sign_up: 'whole',
        domains: 'text',
        enforced: 'whole',
        rules: 'text',
        replaces_manual: 'whole',
        created_time: 'whole',
        changed_time: 'whole',
      },
      unique: [['slug']],
      indexes: [['organisation_id']],
    })
    await addColumns(on, 'memberships', { provider_id: 'count' })
  },
}
