import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Insertable } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../test/support/db/fill-from-template.ts'
import { places, type TestDatabase } from '../../test/support/db/places.ts'
import { testUser } from '../../test/support/db/rows.ts'
import { aRecord } from '../../test/support/journal/records.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '../../test/support/ledger/ledger.ts'
import type { Database, DatabaseAddress } from '../db/database.ts'
import { insertReturningId } from '../db/dialect.ts'
import { openDatabase } from '../db/engines/open.ts'
import type { Tables } from '../db/schema.ts'
import { openEpoch } from '../ledger/epoch/stored-epoch.ts'
import { verifyLedger } from '../ledger/verify/verify.ts'
import { decrypted, type Encryption } from './encryption.ts'
import { restoreBackup } from './restore-backup.ts'
import { openBackup } from './write-backup.ts'

const about = { logDatabase: undefined, version: 'v1', at: 1_800_000_000 }

const backedUp = async (database: DatabaseAddress, encryption?: Encryption): Promise<Buffer> => {
  const backup = await openBackup({ ...about, database }, encryption)
  const bytes = await buffer(backup.bytes)
  await backup.close()
  return bytes
}

const restoreInto = (database: Database, bytes: Buffer) =>
  restoreBackup(Readable.from([bytes]).pipe(createGunzip()), { database, logDatabase: database })

const site = async (address: DatabaseAddress): Promise<Database> => {
  await fillFromTemplate(address)
  const database = await openDatabase(address)
  const journal = await newJournalDirectory()
  const { ledger, crash } = await openTestLedger(database, journal.directory)
  const userId = await newUser(database, ledger, 10_000)
  const tokenId = await newToken(database, ledger, { userId, remain: 5000 })
  await ledger.recorder.charge(
    aRecord('call-1', { userId, tokenId, quota: 700, tokenName: '生产 "key"\n', content: 'Zoë' }),
  )
  await ledger.flush()
  await crash()
  await journal.remove()
  return database
}

const everything = async ({ query }: Database) => ({
  users: await query.selectFrom('users').selectAll().orderBy('id').execute(),
  tokens: await query.selectFrom('tokens').selectAll().orderBy('id').execute(),
  logs: await query.selectFrom('logs').selectAll().orderBy('id').execute(),
  entries: await query.selectFrom('ledger_entries').selectAll().orderBy('id').execute(),
})

let names = 0
const addUser = (on: Database): Promise<number> =>
  on.transaction((trx) => {
    names += 1
    const sums = { quota: 0, used_quota: 0, request_count: 0, aff_quota: 0, aff_history_quota: 0 }
    return insertReturningId(trx, 'users', { ...testUser(`later${names}`), ...sums, aff_code: `later${names}` })
  })

describeEachAddress('a backup', (place, engine) => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  it('fills an empty database as it was when it began; no number is given twice', async () => {
    const address = await place()
    const database = await site(address)
    ends.push(() => database.close())
    const last = await addUser(database)
    await database.query.deleteFrom('users').where('id', '=', last).execute()
    const before = await everything(database)
    const backup = await openBackup({ ...about, database: address })
    await database.query.updateTable('users').set({ display_name: 'later' }).execute()
    await database.query.insertInto('options').values({ key: 'later', value: '1' }).execute()
    const bytes = await buffer(backup.bytes)
    await backup.close()

    const copy = await openDatabase(await place())
    ends.push(() => copy.close())
    await restoreInto(copy, bytes)
    expect(await everything(copy)).toEqual(before)
    expect(await copy.query.selectFrom('options').select('value').where('key', '=', 'later').execute()).toEqual([])
    expect((await verifyLedger(copy, { logDatabase: copy })).differences).toEqual([])
    expect(await addUser(copy)).toBe(last + 1)
    expect((await openEpoch(copy)).name).not.toBe((await openEpoch(database)).name)
  })

  it('may be given up in the middle: nobody reads on from a database that is closed', async () => {
    const address = await place()
    const database = await site(address)
    ends.push(() => database.close())
    const failures: unknown[] = []
    const note = (error: unknown): void => void failures.push(error)
    process.on('uncaughtException', note)
    ends.push(async () => void process.off('uncaughtException', note))
    const backup = await openBackup({ ...about, database: address })
    await sleep(1)
    await backup.close()
    await sleep(300)
    expect(failures).toEqual([])
  })

  it('has the log’s row of each charge, also where it is written a moment later', async () => {
    const address = await place()
    const database = await site(address)
    ends.push(() => database.close())
    const before = await everything(database)
    await database.query.deleteFrom('logs').execute()
    const at = Math.floor(Number(before.entries.find(({ reason }) => reason === 'charge')?.created_at))
    const backup = await openBackup({ ...about, at, database: address })
    const bytes = buffer(backup.bytes)
    await sleep(300)
    await database.insertMany('logs', before.logs)
    const read = await bytes
    await backup.close()

    const copy = await openDatabase(await place())
    ends.push(() => copy.close())
    await restoreInto(copy, read)
    expect(await everything(copy)).toEqual(before)
    expect((await verifyLedger(copy, { logDatabase: copy, patienceMs: 0 })).differences).toEqual([])
    const { id } = before.logs[0] ?? { id: 0 }
    const { id: _, ...row } = { ...before.logs[0], request_id: 'next' }
    expect(await insertReturningId(copy.query, 'logs', row as Insertable<Tables['logs']>)).toBe(id + 1)
  })

  it.skipIf(engine === 'sqlite')('goes into SQLite, too', async () => {
    const address = await place()
    const other = await places.sqlite()
    const copy = await openDatabase(other.address)
    ends.push(other.remove, () => copy.close())
    const source = await site(address)
    ends.push(() => source.close())
    await restoreInto(copy, await backedUp(address))
    expect(await everything(copy)).toEqual(await everything(source))
  })
})

describe('a backup of SQLite', () => {
  let place: TestDatabase
  let database: Database
  beforeEach(async () => {
    place = await places.sqlite()
    database = await site(place.address)
  })
  afterEach(async () => {
    await database.close()
    await place.remove()
  })

  /** Result of restoring into an empty database. */
  const restored = async (bytes: Buffer): Promise<unknown> => {
    const other = await places.sqlite()
    const copy = await openDatabase(other.address)
    const outcome = await restoreInto(copy, bytes).catch((error: unknown) => error)
    await copy.close()
    await other.remove()
    return outcome
  }

  it('opens with its key alone', async () => {
    const identity = await generateX25519Identity()
    const recipients = [await identityToRecipient(identity)]
    const bytes = await backedUp(place.address, { kind: 'recipients', recipients })
    const open = async (identities: string[]) =>
      gunzipSync(await buffer(await decrypted(Readable.from([bytes]), { kind: 'identities', identities }))).toString()
    expect(await open([identity])).toContain('"tollgate_backup":1')
    await expect(open([await generateX25519Identity()])).rejects.toThrow('None of the keys opens')
  })

  it('opens with its passphrase alone', async () => {
    const bytes = await backedUp(place.address, { kind: 'passphrase', passphrase: 'four words of mine' })
    const open = async (passphrase: string) =>
      gunzipSync(await buffer(await decrypted(Readable.from([bytes]), { kind: 'passphrase', passphrase }))).toString()
    expect(await open('four words of mine')).toContain('"tollgate_backup":1')
    await expect(open('other words')).rejects.toThrow('The passphrase does not open')
  })

  it('is refused where rows are missing, where a later version wrote it, and where there are users', async () => {
    const bytes = await backedUp(place.address)
    await expect(restoreInto(database, bytes)).rejects.toThrow('not empty')
    const lines = gunzipSync(bytes).toString().split('\n')
    expect(await restored(gzipSync(lines.slice(0, -2).join('\n')))).toMatchObject({
      message: expect.stringContaining('cut off'),
    })
    expect(await restored(bytes.subarray(0, bytes.length - 100))).toMatchObject({
      message: expect.stringContaining('damaged or incomplete (unexpected end of file)'),
    })
    const row = lines.findIndex((line) => line.startsWith('['))
    expect(await restored(gzipSync(lines.toSpliced(row, 1).join('\n')))).toMatchObject({
      message: expect.stringContaining('instead of'),
    })
    const later = lines.join('\n').replace('"steps":[', '"steps":["9999-later",')
    expect(await restored(gzipSync(later))).toMatchObject({ message: expect.stringContaining('later version') })
  })
})
