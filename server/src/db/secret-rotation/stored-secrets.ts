import { isOptionKey, options } from '@tollgate/contract'
import { isObject, parseJson } from '@tollgate/contract/json'
import { type Kysely, sql } from 'kysely'
import type { SecretPurpose } from '../../lib/security/secrets.ts'
import type { Database } from '../database.ts'
import { proofRows } from '../key-proof.ts'
import type { Tables } from '../schema.ts'

/** A stored value that holds a secret, encrypted. */
export interface StoredSecret {
  readonly id: string | number
  /** The whole value as it is stored. */
  readonly value: string
  readonly purpose: SecretPurpose
  readonly cipherText: string
  /** The value with another cipher text in it. */
  with(cipherText: string): string
}

/** A column in which secrets are stored. */
export interface SecretColumn {
  readonly table: string
  readonly column: string
  /** Secrets of the rows after this one, or of the first, and how to go on; `next` is undefined at the end. */
  page(database: Database, after: string | number | undefined): Promise<SecretPage>
  /** Replaces a value unless it was changed meanwhile; answers whether it did. */
  replace(on: Kysely<Tables>, secret: StoredSecret, cipherText: string): Promise<boolean>
}

interface SecretPage {
  readonly secrets: readonly StoredSecret[]
  readonly next: string | number | undefined
}

interface ColumnPlace {
  readonly table: string
  readonly key: string
  readonly column: string
  readonly pageSize?: number
}

type Found = Omit<StoredSecret, 'id' | 'value'>

const usualPage = 200

const columnOf = (
  { table, key, column, pageSize = usualPage }: ColumnPlace,
  find: (value: string, id: string | number) => Found | undefined,
): SecretColumn => ({
  table,
  column,
  async page(database, after) {
    const rest = after === undefined ? sql`` : sql` where ${sql.ref(key)} > ${after}`
    const { rows } = await sql<{ id: string | number; value: string | null }>`
      select ${sql.ref(key)} as id, ${sql.ref(column)} as value from ${sql.table(table)}${rest}
      order by ${sql.ref(key)} limit ${sql.lit(pageSize)}`.execute(database.query)
    const secrets = rows.flatMap(({ id, value }) => {
      const found = value === null || value === '' ? undefined : find(value, id)
      return found === undefined || value === null ? [] : [{ ...found, id, value }]
    })
    return { secrets, next: rows.length < pageSize ? undefined : rows.at(-1)?.id }
  },
  async replace(on, { id, value, with: changed }, cipherText) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${changed(cipherText)}
      where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${value}`.execute(on)
    return numAffectedRows === 1n
  },
})

/** A column whose value is the cipher text. */
const cipherColumn = (place: ColumnPlace, purpose: SecretPurpose): SecretColumn =>
  columnOf(place, (cipherText) => ({ purpose, cipherText, with: (text) => text }))

const optionPurpose = (key: string | number): SecretPurpose | undefined => {
  if (key === proofRows.proof) return 'proof'
  if (key === proofRows.digestKey) return 'digest_key'
  return typeof key === 'string' && isOptionKey(key) && options[key].secret ? 'option' : undefined
}

const optionColumn = columnOf({ table: 'options', key: 'key', column: 'value' }, (cipherText, id) => {
  const purpose = optionPurpose(id)
  return purpose === undefined ? undefined : { purpose, cipherText, with: (text) => text }
})

const webhookMember = 'webhook_secret_cipher'

/** Settings of users hold the secret of their webhook. */
const settingColumn = columnOf({ table: 'users', key: 'id', column: 'setting' }, (value) => {
  const setting = parseJson(value)
  const cipherText = isObject(setting) ? setting[webhookMember] : undefined
  if (typeof cipherText !== 'string' || cipherText === '') return undefined
  const changed = (text: string): string => JSON.stringify({ ...(setting as object), [webhookMember]: text })
  return { purpose: 'webhook', cipherText, with: changed }
})

/** Every column with secrets. What proves the secret comes last: until then a start with the old one is not refused. */
export const secretColumns: readonly SecretColumn[] = [
  cipherColumn({ table: 'channels', key: 'id', column: 'key_cipher' }, 'channel_key'),
  cipherColumn({ table: 'tokens', key: 'id', column: 'key_cipher' }, 'token_key'),
  cipherColumn({ table: 'redemptions', key: 'id', column: 'key_cipher' }, 'redemption'),
  cipherColumn({ table: 'second_factors', key: 'user_id', column: 'secret_cipher' }, 'second_factor'),
  cipherColumn({ table: 'challenges', key: 'id_hash', column: 'data_cipher' }, 'proof'),
  cipherColumn({ table: 'report_sources', key: 'id', column: 'key_cipher' }, 'report_key'),
  // A stored answer may be megabytes.
  cipherColumn({ table: 'stored_objects', key: 'id_hash', column: 'content_cipher', pageSize: 10 }, 'stored_object'),
  // The key of a file's pieces: these are not encrypted anew.
  cipherColumn({ table: 'kept_files', key: 'id', column: 'key_cipher' }, 'kept_file'),
  // Many lines in one text.
  cipherColumn({ table: 'batch_chunks', key: 'id', column: 'content_cipher', pageSize: 10 }, 'batch_chunk'),
  cipherColumn({ table: 'background_answers', key: 'id', column: 'request_cipher', pageSize: 10 }, 'stored_object'),
  cipherColumn({ table: 'background_events', key: 'id', column: 'content_cipher', pageSize: 10 }, 'stored_object'),
  cipherColumn({ table: 'webhook_endpoints', key: 'id', column: 'secret_cipher' }, 'webhook'),
  cipherColumn({ table: 'captures', key: 'id', column: 'content_cipher', pageSize: 10 }, 'capture'),
  cipherColumn({ table: 'dual_runs', key: 'id', column: 'content_cipher', pageSize: 10 }, 'capture'),
  cipherColumn({ table: 'identity_providers', key: 'id', column: 'secret_cipher' }, 'identity_provider'),
  cipherColumn({ table: 'sessions', key: 'id_hash', column: 'logout_cipher' }, 'provider_session'),
  cipherColumn({ table: 'site_keys', key: 'name', column: 'key_cipher' }, 'site_key'),
  settingColumn,
  optionColumn,
]
