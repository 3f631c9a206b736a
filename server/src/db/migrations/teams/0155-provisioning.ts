import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Members and groups that an identity provider keeps (SCIM), and the places in teams that groups give. */
export const provisioning = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'scim_tokens', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        name: 'key',
        secret_hash: 'key',
        hint: 'key',
        made_by: 'whole',
        created_time: 'whole',
        expires_time: 'whole',
        last_used_time: 'count',
      },
      unique: [['secret_hash']],
      indexes: [['organisation_id']],
    })
    await createTable(on, 'scim_users', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        user_id: 'whole',
        user_name: 'key',
        name_key: 'key',
        external_id: 'key',
        state: 'key',
        made_account: 'whole',
        attributes: 'text',
        version: 'whole',
        created_time: 'whole',
        changed_time: 'whole',
      },
      unique: [
        ['organisation_id', 'user_id'],
        ['organisation_id', 'name_key'],
      ],
      indexes: [['organisation_id', 'external_id'], ['user_id']],
    })
    await createTable(on, 'scim_groups', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        name: 'key',
        name_key: 'key',
        external_id: 'key',
        version: 'whole',
        created_time: 'whole',
        changed_time: 'whole',
      },
      unique: [['organisation_id', 'name_key']],
    })
    await createTable(on, 'scim_group_members', {
      columns: { id: 'id', group_id: 'whole', user_id: 'whole' },
      unique: [['group_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable(on, 'scim_calls', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        token_name: 'key',
        created_time: 'whole',
        method: 'key',
        path: 'text',
        status: 'whole',
        detail: 'text',
      },
      indexes: [['organisation_id']],
    })
    await createTable(on, 'group_places', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        group_name: 'key',
        group_key: 'key',
        team_id: 'whole',
        role: 'key',
      },
      unique: [['organisation_id', 'group_key', 'team_id']],
    })
    await createTable(on, 'given_roles', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        team_id: 'whole',
        user_id: 'whole',
        source: 'key',
        role: 'key',
      },
      unique: [['organisation_id', 'user_id', 'team_id', 'source']],
    })
    await addColumns(on, 'organisations', { provisioned_role: 'key?' })
  },
}
