import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { plantKeys, readersOf } from '../../../test/support/organisations/organisation-keys.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { makerOf, mayRead } from '../../relay/reader.ts'
import { type KeptFileBounds, openKeptFiles } from './kept-files.ts'
import { pieceBytes } from './pieces.ts'

const secrets = openSecrets({ cryptoSecret: 'files-test-secret', keyFile: '/nowhere' })
const ann = { userId: 7, tokenId: 70 }
const ben = { userId: 8, tokenId: 80 }
const day = 86_400
const wide: KeptFileBounds = { ofFile: 10_000_000, ofPayer: 0, days: 30 }

const chunks = async function* (...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

const text = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const part of bytes) all.push(part)
  return Buffer.concat(all)
}

const file = (reader: { userId: number; tokenId: number }, changes: object = {}) => ({
  maker: makerOf(reader),
  filename: 'notes.txt',
  purpose: 'user_data',
  contentType: 'text/plain',
  ...changes,
})

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

const rowsLeft = async ({ query }: Database): Promise<number[]> => {
  const files = await query.selectFrom('kept_files').select('id').execute()
  const pieces = await query.selectFrom('kept_file_pieces').select('id').execute()
  return [files.length, pieces.length]
}

describeEachEngine('kept files', (open) => {
  const store = (database: Database, changes: { bounds?: KeptFileBounds; clock?: () => number } = {}) =>
    openKeptFiles({ database, secrets, clock: changes.clock ?? Date.now, bounds: () => changes.bounds ?? wide })

  it('come back byte for byte, from any offset, on every node; the database has none of them readable', async () => {
    const database = await open()
    const bytes = Buffer.alloc(pieceBytes * 2 + 1000, 'The quick brown fox. ')
    const ragged = [bytes.subarray(0, 3), bytes.subarray(3, pieceBytes + 7), bytes.subarray(pieceBytes + 7)]
    const made = await store(database).create(file(ann), chunks(...ragged))
    const other = store(database)
    expect(await other.find(made.id, ann)).toEqual(made)
    expect(made).toMatchObject({ bytes: bytes.length, filename: 'notes.txt', purpose: 'user_data' })
    expect((await text(other.open(made))).equals(bytes)).toBe(true)
    for (const from of [1, pieceBytes, pieceBytes + 5, bytes.length - 1, bytes.length])
      expect((await text(other.open(made, from))).equals(bytes.subarray(from))).toBe(true)
    const rows = await database.query.selectFrom('kept_file_pieces').selectAll().execute()
    expect(rows.map((row) => row.bytes)).toEqual([pieceBytes, pieceBytes, 1000])
    const raw = Buffer.concat(rows.map((row) => Buffer.from(row.content, 'base64'))).toString('latin1')
    expect(raw).not.toContain('brown')
  })

  it('may be empty', async () => {
    const kept = store(await open())
    const made = await kept.create(file(ann), chunks())
    expect(await text(kept.open(made))).toHaveLength(0)
    expect(await kept.find(made.id, ann)).toMatchObject({ bytes: 0 })
  })

  it('are of their maker alone: others neither find, list nor remove them', async () => {
    const database = await open()
    const kept = store(database)
    const { id } = await kept.create(file(ann), chunks('mine'))
    expect(await kept.find(id, ben)).toBeUndefined()
    expect(await kept.remove(id, ben)).toBe(false)
    expect((await kept.list(ben, { limit: 10, order: 'desc' })).files).toEqual([])
    expect(await codeOf(kept.list(ben, { limit: 10, order: 'desc', after: id }))).toBe('kept_file_not_found')
    expect(await kept.remove(id, ann)).toBe(true)
    expect(await kept.find(id, ann)).toBeUndefined()
    expect(await codeOf(text(kept.open({ id })))).toBe('kept_file_not_found')
    expect(await rowsLeft(database)).toEqual([0, 0])
  })

  it('of an organisation are read by keys of their member, or of their project for machines', async () => {
    const database = await open()
    const kept = store(database)
    const keys = Object.entries(await plantKeys(database))
    const ids = new Map<string, string>()
    for (const [name, key] of keys) ids.set((await kept.create(file(key), chunks(name))).id, name)
    for (const [reader, key] of keys) {
      const listed = (await kept.list(key, { limit: 100, order: 'asc' })).files
      const expected = keys.filter(([name]) => readersOf[name]?.some((one) => one === reader)).map(([name]) => name)
      expect([reader, listed.map(({ id }) => ids.get(id))]).toEqual([reader, expected])
      expect(listed.every(({ maker }) => mayRead(key, maker))).toBe(true)
      for (const [id, name] of ids)
        expect([reader, name, (await kept.find(id, key)) !== undefined]).toEqual([
          reader,
          name,
          expected.includes(name),
        ])
    }
  })

  it('are listed in pages of both orders, from both sides, and by purpose', async () => {
    const kept = store(await open(), { clock: () => 1_900_000_000_000 })
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await kept.create(file(ann, { filename: name, purpose: name === 'c' ? 'batch' : 'user_data' }), chunks(name))
    const ids = new Map((await kept.list(ann, { limit: 10, order: 'asc' })).files.map((one) => [one.filename, one.id]))
    const names = async (page: Partial<Parameters<typeof kept.list>[1]>) => {
      const { files, hasMore } = await kept.list(ann, { limit: 2, order: 'asc', ...page })
      return `${files.map(({ filename }) => filename).join('')}${hasMore ? '+' : ''}`
    }
    expect(await names({})).toBe('ab+')
    expect(await names({ after: ids.get('b') })).toBe('cd+')
    expect(await names({ after: ids.get('d') })).toBe('e')
    expect(await names({ order: 'desc', after: ids.get('d') })).toBe('cb+')
    expect(await names({ before: ids.get('d') })).toBe('bc+')
    expect(await names({ order: 'desc', before: ids.get('c') })).toBe('ed')
    expect(await names({ purpose: 'batch' })).toBe('c')
  })

  it('that are too large, or more than the share of their payer, leave nothing behind', async () => {
    const database = await open()
    const kept = store(database, { bounds: { ofFile: 300_000, ofPayer: 500_000, days: 0 } })
    const large = Buffer.alloc(150_000)
    expect(await codeOf(kept.create(file(ann), chunks(large, large, 'x')))).toBe('kept_file_too_large')
    expect(await rowsLeft(database)).toEqual([0, 0])
    await kept.create(file(ann), chunks(large, large))
    expect(await codeOf(kept.create(file(ann), chunks(large, large)))).toBe('kept_files_full')
    expect(await rowsLeft(database)).toEqual([1, 2])
    expect(await kept.create(file(ben), chunks(large, large))).toMatchObject({ bytes: 300_000 })
    const off = store(database, { bounds: { ofFile: 0, ofPayer: 0, days: 0 } })
    expect(await codeOf(off.create(file(ann), chunks()))).toBe('kept_files_off')
  })

  it('that come at once do not go beyond the share together', async () => {
    const kept = store(await open(), { bounds: { ofFile: 300_000, ofPayer: 500_000, days: 0 } })
    const uploads = [1, 2, 3].map(() => codeOf(kept.create(file(ann), chunks(Buffer.alloc(300_000)))))
    const ends = await Promise.all(uploads)
    expect(ends.filter((end) => end === 'no error').length).toBeLessThanOrEqual(1)
    const { files } = await kept.list(ann, { limit: 10, order: 'asc' })
    expect(files).toHaveLength(ends.filter((end) => end === 'no error').length)
  })

  it('whose upload breaks off are not there', async () => {
    const database = await open()
    const kept = store(database)
    const broken = async function* () {
      yield Buffer.alloc(pieceBytes * 2)
      const { files } = await kept.list(ann, { limit: 10, order: 'asc' })
      throw new Error(`${files.length} files, and the client is gone`)
    }
    await expect(kept.create(file(ann), broken())).rejects.toThrow('0 files, and the client is gone')
    expect(await rowsLeft(database)).toEqual([0, 0])
  })

  it('with an id of their own replace the one before, but none of another payer', async () => {
    const database = await open()
    const kept = store(database)
    const id = 'file-result1'
    await kept.create(file(ann, { id }), chunks('first'))
    const second = await kept.create(file(ann, { id }), chunks('second'))
    expect(String(await text(kept.open(second)))).toBe('second')
    expect(await rowsLeft(database)).toEqual([1, 1])
    await expect(kept.create(file(ben, { id }), chunks('third'))).rejects.toThrow()
    expect(String(await text(kept.open(second)))).toBe('second')
  })

  it('end when they are to, at the latest with the days of the site, and are deleted then', async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const kept = store(database, { clock: () => now })
    const soon = await kept.create(file(ann, { expiresAt: now / 1000 + 3600 }), chunks('soon'))
    const late = await kept.create(file(ann, { expiresAt: now / 1000 + 900 * day }), chunks('late'))
    expect([soon.expiresAt, late.expiresAt]).toEqual([now / 1000 + 3600, now / 1000 + 30 * day])
    expect(await kept.purge()).toBe(0)
    now += 3_600_000
    expect(await kept.find(soon.id, ann)).toBeUndefined()
    expect((await kept.list(ann, { limit: 9, order: 'asc' })).files.map(({ id }) => id)).toEqual([late.id])
    expect(await kept.purge()).toBe(1)
    expect(await rowsLeft(database)).toEqual([1, 1])
    const endless = store(database, { clock: () => now, bounds: { ...wide, days: 0 } })
    expect((await endless.create(file(ann), chunks('endless'))).expiresAt).toBe(0)
  })

  it('go with their user, and stay when a key goes', async () => {
    const database = await open()
    const kept = store(database)
    const userId = await insertReturningId(database.query, 'users', testUser('goner'))
    const { id } = await kept.create(file({ userId, tokenId: 1 }), chunks('mine'))
    expect(await kept.purge()).toBe(0)
    expect(await kept.find(id, { userId, tokenId: 2 })).toBeDefined()
    await database.query.updateTable('users').set({ deleted_at: 5 }).where('id', '=', userId).execute()
    expect(await kept.purge()).toBe(1)
    expect(await rowsLeft(database)).toEqual([0, 0])
  })
})
