import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachAddress, describeWithDatabase } from '../../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../../test/support/db/fill-from-template.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../engines/open.ts'
import { openCheckedSecrets } from '../key-proof.ts'
import { rotateSecrets } from './rotate.ts'
import { secretColumns } from './stored-secrets.ts'

const opened = (database: Database, cryptoSecret: string, ...previousSecrets: string[]): Promise<Secrets> =>
  openCheckedSecrets(database, { cryptoSecret, previousSecrets, keyFile: '/nowhere/secret.key' })

const many = 230

/** A redemption code for each number, an option, and a user's webhook. */
const plant = async (database: Database, secrets: Secrets): Promise<void> => {
  const common = { user_id: 1, status: 1, name: 'code', quota: 1, created_time: 1, redeemed_time: 0, used_user_id: 0 }
  const rows = Array.from({ length: many }, (_, number) => ({
    ...common,
    expired_time: 0,
    key_hash: secrets.digest('redemption', `code ${number}`),
    key_cipher: secrets.encrypt('redemption', `code ${number}`),
  }))
  await database.insertMany('redemptions', rows)
  const option = secrets.encrypt('option', 'mail password')
  await database.insertMany('options', [
    { key: 'SMTPToken', value: option },
    { key: 'SystemName', value: 'Acme' },
  ])
  const setting = { notify_type: 'webhook', webhook_secret_cipher: secrets.encrypt('webhook', 'hook secret') }
  await database.query
    .insertInto('users')
    .values({ ...testUser('hooked'), setting: JSON.stringify(setting) })
    .execute()
}

const codesOf = async (database: Database, secrets: Secrets): Promise<readonly string[]> => {
  const rows = await database.query.selectFrom('redemptions').select(['key_cipher', 'key_hash']).orderBy('id').execute()
  return rows.map(({ key_cipher, key_hash }) => {
    const code = secrets.decrypt('redemption', key_cipher)
    expect(secrets.digest('redemption', code)).toBe(key_hash)
    return code
  })
}

const optionOf = async (database: Database, secrets: Secrets): Promise<string> => {
  const row = await database.query
    .selectFrom('options')
    .select('value')
    .where('key', '=', 'SMTPToken')
    .executeTakeFirst()
  return secrets.decrypt('option', row?.value ?? '')
}

const settingOf = async (database: Database): Promise<Record<string, string>> => {
  const row = await database.query
    .selectFrom('users')
    .select('setting')
    .where('username', '=', 'hooked')
    .executeTakeFirst()
  return JSON.parse(row?.setting ?? '{}')
}

describeEachAddress('the rotation of secrets', (place) => {
  it('leaves nothing that needs the old secret, and keeps every digest', async () => {
    const address = await place()
    await fillFromTemplate(address)
    const database = await openDatabase(address)
    const old = await opened(database, 'old')
    await plant(database, old)
    const all = Array.from({ length: many }, (_, number) => `code ${number}`)

    // Nodes are replaced one by one: first all know both secrets, then the new one encrypts.
    const prepared = await opened(database, 'old', 'new')
    const next = await opened(database, 'new', 'old')
    expect(prepared.decrypt('option', next.encrypt('option', 'x'))).toBe('x')
    expect(next.digest('session', 'id')).toBe(old.digest('session', 'id'))
    expect(await codesOf(database, next)).toEqual(all)

    const counted = await rotateSecrets({ database, secrets: next, write: false })
    expect(counted.find(({ table }) => table === 'redemptions')).toMatchObject({ total: many, changed: 0, left: many })
    const rotated = await rotateSecrets({ database, secrets: next, write: true })
    expect(rotated.find(({ table }) => table === 'redemptions')).toMatchObject({ total: many, changed: many, left: 0 })
    expect(rotated.find(({ table }) => table === 'options')).toMatchObject({ total: 3, left: 0, unreadable: 0 })
    expect(await codesOf(database, prepared)).toEqual(all)

    const after = await opened(database, 'new')
    expect(await codesOf(database, after)).toEqual(all)
    expect(await optionOf(database, after)).toBe('mail password')
    const { notify_type, webhook_secret_cipher = '' } = await settingOf(database)
    expect([notify_type, after.decrypt('webhook', webhook_secret_cipher)]).toEqual(['webhook', 'hook secret'])
    expect(after.digest('session', 'id')).toBe(old.digest('session', 'id'))
    await expect(opened(database, 'old')).rejects.toThrow('CRYPTO_SECRET')

    // And once more, from the second secret to a third.
    const third = await opened(database, 'third', 'new')
    await rotateSecrets({ database, secrets: third, write: true })
    expect(await codesOf(database, await opened(database, 'third'))).toEqual(all)
    await database.close()
  })

  it('goes on where a run was broken off, and leaves what cannot be opened', async () => {
    const address = await place()
    await fillFromTemplate(address)
    const database = await openDatabase(address)
    const old = await opened(database, 'old')
    await plant(database, old)
    const next = await opened(database, 'new', 'old')
    const rows = await database.query.selectFrom('redemptions').select(['id', 'key_cipher']).limit(100).execute()
    for (const { id, key_cipher } of rows.slice(1)) {
      const cipher = next.encrypt('redemption', old.decrypt('redemption', key_cipher))
      await database.query.updateTable('redemptions').set({ key_cipher: cipher }).where('id', '=', id).execute()
    }
    const [broken] = rows
    await sql`update redemptions set key_cipher = 'v1.AAAA' where id = ${broken?.id}`.execute(database.query)

    const rotated = await rotateSecrets({ database, secrets: next, write: true })
    const redemptions = rotated.find(({ table }) => table === 'redemptions')
    expect(redemptions).toMatchObject({ changed: many - 100, left: 0, unreadable: 1 })
    await database.close()
  })
})

describeWithDatabase('the columns of secrets', (open) => {
  it('are all known', async () => {
    const database = await open()
    const tables = await database.query.introspection.getTables()
    const stored = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.name.endsWith('_cipher')).map((column) => `${name}.${column.name}`),
    )
    const known = secretColumns.map(({ table, column }) => `${table}.${column}`)
    expect(stored.length).toBeGreaterThan(5)
    expect(stored.filter((name) => !known.includes(name))).toEqual([])
  })
})
