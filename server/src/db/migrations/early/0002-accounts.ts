import type { Kysely } from 'kysely'
import { addColumns, createTable, type TableShape } from '../../tables.ts'

const proofs: Readonly<Record<string, TableShape>> = {
  one_time_codes: {
    columns: {
      id: 'id',
      purpose: 'key',
      subject_hash: 'key',
      code_hash: 'key',
      attempts: 'whole',
      created_time: 'whole',
      expires_time: 'whole',
    },
    unique: [['purpose', 'subject_hash']],
    indexes: [['expires_time']],
  },
  challenges: {
    columns: {
      id_hash: 'key',
      purpose: 'key',
      user_id: 'whole',
      browser_hash: 'key',
      data_cipher: 'text',
      created_time: 'whole',
      expires_time: 'whole',
    },
    primaryKey: 'id_hash',
    indexes: [['expires_time']],
  },
  identities: {
    columns: { id: 'id', provider: 'key', subject: 'key', user_id: 'whole', name: 'key', created_time: 'whole' },
    unique: [
      ['provider', 'subject'],
      ['user_id', 'provider'],
    ],
  },
  second_factors: {
    columns: {
      user_id: 'whole',
      secret_cipher: 'text',
      confirmed_time: 'whole',
      last_step: 'whole',
      failures: 'count',
      last_failure_time: 'count',
      created_time: 'whole',
    },
    primaryKey: 'user_id',
  },
  recovery_codes: {
    columns: { id: 'id', user_id: 'whole', code_hash: 'key', created_time: 'whole' },
    unique: [['user_id', 'code_hash']],
  },
  passkeys: {
    columns: {
      id: 'id',
      user_id: 'whole',
      credential_hash: 'key',
      credential_id: 'text',
      public_key: 'text',
      counter: 'whole',
      transports: 'text',
      name: 'key',
      created_time: 'whole',
      last_used_time: 'whole',
    },
    unique: [['credential_hash']],
    indexes: [['user_id', 'id']],
  },
}

const notices: Readonly<Record<string, TableShape>> = {
  notice_marks: {
    columns: { id: 'id', user_id: 'whole', kind: 'key', sent_time: 'whole', sent_count: 'count' },
    unique: [['user_id', 'kind']],
  },
  notice_deliveries: {
    columns: {
      id: 'id',
      user_id: 'whole',
      kind: 'key',
      way: 'key',
      body: 'text',
      attempts: 'whole',
      created_time: 'whole',
      next_time: 'whole',
      last_error: 'text',
    },
    indexes: [['next_time']],
  },
}

/** Proofs of identity, linked accounts, second factors and notices on their way. */
export const accountTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const [name, shape] of Object.entries({ ...proofs, ...notices })) await createTable(on, name, shape)
    // When this session last proved more than its cookie; 0 when it never did.
    await addColumns(on, 'sessions', { confirmed_time: 'count' })
  },
}
