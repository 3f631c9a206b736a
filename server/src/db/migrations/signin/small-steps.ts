import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** Named tokens for the console's API. */
export const accessTokens = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'access_tokens', {
      columns: {
        id: 'id',
        user_id: 'whole',
        name: 'key',
        token_hash: 'key',
        hint: 'key',
        scopes: 'text',
        created_time: 'whole',
        expires_time: 'whole',
        last_used_time: 'whole',
        last_used_ip: 'key',
      },
      unique: [['token_hash']],
      indexes: [['user_id']],
    }),
}

/** Permissions of an administrator, as JSON; null for all. */
export const staffPermissions = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'users', { staff_permissions: 'text?' })
  },
}

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

/** When an owner of an organisation signed in by its provider: before that nobody knows that it works, and it is not enforced. */
export const ownerSignIn = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'identity_providers', { owner_sign_in_time: 'count' })
  },
}

/** Waits after wrong passwords and codes, so that a restart without Redis does not forget them. */
export const guessWaits = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'guess_waits', {
      columns: {
        name: 'key',
        guessed: 'key',
        count: 'whole',
        blocked_until: 'whole',
        last_time: 'whole',
        kept_until: 'whole',
      },
      primaryKey: 'name',
      indexes: [['guessed', 'kept_until']],
    })
  },
}
