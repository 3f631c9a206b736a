import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../../tables.ts'

/**
 * Organisations with teams and projects. The wallet of an organisation is a row of `users` in which nobody signs in, so that all that
 * pays, counts and states for a user does so for it; `spend_windows` is what a cap's member or project has spent in a window.
 */
export const organisations = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'organisations', {
      columns: {
        id: 'id',
        name: 'key',
        wallet_user_id: 'whole',
        domain: 'key',
        created_time: 'whole',
        deleted_at: 'whole?',
      },
      unique: [['wallet_user_id']],
      indexes: [['domain']],
    })
    await createTable(on, 'teams', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        name: 'key',
        models: 'text',
        created_time: 'whole',
        deleted_at: 'whole?',
      },
      indexes: [['organisation_id']],
    })
    await createTable(on, 'projects', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        team_id: 'whole',
        name: 'key',
        models: 'text',
        created_time: 'whole',
        deleted_at: 'whole?',
      },
      indexes: [['organisation_id'], ['team_id']],
    })
    await createTable(on, 'memberships', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        team_id: 'whole',
        user_id: 'whole',
        role: 'key',
        created_time: 'whole',
      },
      unique: [['organisation_id', 'user_id', 'team_id']],
      indexes: [['user_id']],
    })
    await createTable(on, 'organisation_invitations', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        team_id: 'whole',
        role: 'key',
        email: 'key',
        secret_hash: 'key',
        invited_by: 'whole',
        created_time: 'whole',
        expires_time: 'whole',
        accepted_by: 'count',
      },
      unique: [['secret_hash']],
      indexes: [['organisation_id']],
    })
    await createTable(on, 'spend_caps', {
      columns: {
        id: 'id',
        organisation_id: 'whole',
        subject: 'key',
        subject_id: 'whole',
        period: 'key',
        amount: 'whole',
      },
      unique: [['organisation_id', 'subject', 'subject_id']],
    })
    await createTable(on, 'spend_windows', {
      columns: { id: 'whole', cap_id: 'whole', spent: 'count' },
      primaryKey: 'id',
      indexes: [['cap_id']],
    })
    await addColumns(on, 'users', { organisation_id: 'count' })
    await addColumns(on, 'tokens', { project_id: 'count', member_id: 'count', tags: 'key?' })
    await createIndex(on, 'tokens', ['project_id'], { unique: false })
  },
}
