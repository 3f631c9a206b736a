import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { startBucket } from '../../../test/support/lib/bucket.ts'
import type { Database } from '../../db/database.ts'
import { openPlace } from '../../lib/places/open-place.ts'
import type { StoragePlace } from '../../lib/places/storage-place.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { makerOf } from '../../relay/reader.ts'
import { openFilePlaces } from './file-places.ts'
import { openKeptFiles } from './kept-files.ts'
import { pieceBytes } from './pieces.ts'

const secrets = openSecrets({ cryptoSecret: 'files-test-secret', keyFile: '/nowhere' })
const ann = { userId: 7, tokenId: 70 }
const hour = 3_600_000
const objectBytes = 4 * pieceBytes
const markName = 'tollgate-files'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A place of the tests: its address, what opens it, and the names there but for the mark. */
interface TestPlace {
  readonly address: string
  readonly open: (address: string) => StoragePlace
  readonly names: () => Promise<string[]>
}

const aFolder = async (): Promise<TestPlace> => {
  const address = await mkdtemp(join(tmpdir(), 'files-'))
  ends.push(() => rm(address, { recursive: true }))
  const names = async () =>
    (await readdir(address, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== markName)
      .map(({ name }) => name)
  return { address, open: (path) => openPlace(path, {}), names }
}

const aBucket = async (): Promise<TestPlace> => {
  const storage = await startBucket()
  ends.push(storage.close)
  const names = async () => [...storage.objects.keys()].filter((name) => !name.endsWith(markName))
  return { address: 's3://site/files', open: (address) => openPlace(address, storage.environment), names }
}

const chunks = async function* (...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

const all = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

const file = (changes: object = {}) => ({
  maker: makerOf(ann),
  filename: 'notes.txt',
  purpose: 'user_data',
  contentType: 'text/plain',
  ...changes,
})

interface Setting {
  readonly address?: string | undefined
  readonly open?: TestPlace['open']
  readonly clock?: () => number
  readonly failures?: unknown[]
}

/** The store of one node, whose setting names an address. */
const nodeOf = (database: Database, { address, open, clock = Date.now, failures = [] }: Setting) => {
  const openPlaceOf = open ?? (() => expect.unreachable('no place is set'))
  const failed = (error: unknown): void => void failures.push(error)
  const places = openFilePlaces({ database, address, openPlace: openPlaceOf, clock, failed })
  return openKeptFiles({
    database,
    secrets,
    clock,
    places,
    bounds: () => ({ ofFile: 50_000_000, ofPayer: 0, days: 30 }),
  })
}

const large = Buffer.alloc(objectBytes * 2 + pieceBytes + 1000, 'The quick brown fox. ')

const kinds: readonly (readonly [string, () => Promise<TestPlace>])[] = [
  ['a folder', aFolder],
  ['a bucket', aBucket],
]

describeEachEngine('files outside of the database', (open) => {
  it.each(kinds)(
    'in %s come back byte for byte from any offset, and are not readable there',
    async (_, openTestPlace) => {
      const database = await open()
      const place = await openTestPlace()
      const made = await nodeOf(database, place).create(file(), chunks(large.subarray(0, 5), large.subarray(5)))
      expect(made.bytes).toBe(large.length)
      const other = nodeOf(database, place)
      expect((await all(other.open(made))).equals(large)).toBe(true)
      for (const from of [1, pieceBytes, objectBytes - 1, objectBytes, objectBytes + pieceBytes + 7, large.length])
        expect((await all(other.open(made, from))).equals(large.subarray(from))).toBe(true)
      expect(await place.names()).toHaveLength(3)
      expect(await database.query.selectFrom('kept_file_pieces').select('id').execute()).toEqual([])
      const [first = ''] = await place.names()
      const prefix = place.address.startsWith('s3://') ? '' : `${first.slice(0, 2)}/`
      const name = first.replace(/^files\//, '')
      const raw = await place.open(place.address).readRange(`${prefix}${name}`, { from: 0, end: objectBytes })
      expect(raw?.length).toBeGreaterThan(pieceBytes)
      expect(raw?.toString('latin1')).not.toContain('brown')
      expect(await all(other.open(await other.create(file(), chunks())))).toHaveLength(0)
    },
  )

  it('are read from an offset without the bytes before it', async () => {
    const database = await open()
    const { address, open: openThere } = await aBucket()
    const read: [string, number][] = []
    const watched = (to: string): StoragePlace => {
      const place = openThere(to)
      return {
        ...place,
        readRange(name, range) {
          read.push([name.slice(name.indexOf('.')), range.from])
          return place.readRange(name, range)
        },
      }
    }
    const node = nodeOf(database, { address, open: watched })
    const made = await node.create(file(), chunks(large))
    read.length = 0
    await all(node.open(made, objectBytes + 3 * pieceBytes + 9))
    expect(read).toEqual([
      ['.1', 3 * (pieceBytes + 16)],
      ['.2', 0],
    ])
  })

  it('stay readable when the setting changes, and go from where they are', async () => {
    const database = await open()
    const [folder, bucket] = [await aFolder(), await aBucket()]
    const openAny = (address: string) => (address.startsWith('s3://') ? bucket : folder).open(address)
    const settings = [undefined, folder.address, bucket.address, undefined].map((address) => ({
      address,
      open: openAny,
    }))
    const made = []
    for (const [index, setting] of settings.entries())
      made.push(await nodeOf(database, setting).create(file(), chunks(`file ${index}`)))
    for (const setting of settings)
      for (const [index, one] of made.entries())
        expect(String(await all(nodeOf(database, setting).open(one)))).toBe(`file ${index}`)
    const node = nodeOf(database, { open: openAny })
    for (const { id } of made) expect(await node.remove(id, ann)).toBe(true)
    await node.purge()
    expect([await folder.names(), await bucket.names()]).toEqual([[], []])
    expect(await database.query.selectFrom('kept_file_removals').select('id').execute()).toEqual([])
  })

  it.each(kinds)(
    'in %s are deleted with their file, at its end, and when an upload breaks off',
    async (_, openTestPlace) => {
      const database = await open()
      const place = await openTestPlace()
      let now = 1_900_000_000_000
      const node = nodeOf(database, { ...place, clock: () => now })
      const ended = await node.create(file({ expiresAt: now / 1000 + 3600 }), chunks(large))
      const removed = await node.create(file(), chunks(large))
      const replaced = await node.create(file({ id: 'file-result1' }), chunks('first'))
      await node.create(file({ id: 'file-result1' }), chunks('second'))
      const broken = async function* () {
        yield large
        throw new Error('the client is gone')
      }
      await expect(node.create(file(), broken())).rejects.toThrow('the client is gone')
      expect(await node.remove(removed.id, ann)).toBe(true)
      expect(await codeOf(all(node.open(removed)))).toBe('kept_file_not_found')
      expect(await place.names()).not.toEqual([])
      await node.purge()
      expect(await place.names()).toHaveLength(3 + 1)
      now += hour
      await node.purge()
      expect(await codeOf(all(node.open(ended)))).toBe('kept_file_not_found')
      expect(String(await all(node.open(replaced)))).toBe('second')
      expect(await place.names()).toHaveLength(1)
    },
  )

  it('leave nothing when the process is killed while it writes, or when the file is deleted meanwhile', async () => {
    const database = await open()
    const place = await aBucket()
    let now = 1_900_000_000_000
    const setting = { ...place, clock: () => now }
    const going = Promise.withResolvers<void>()
    const halted = Promise.withResolvers<void>()
    const slow = async function* () {
      yield large.subarray(0, objectBytes + 5)
      halted.resolve()
      await going.promise
      yield large
    }
    const upload = codeOf(nodeOf(database, setting).create(file(), slow()))
    await halted.promise
    const other = nodeOf(database, setting)
    expect(await other.purge()).toBe(0)
    now += 25 * hour
    expect(await other.purge()).toBe(1)
    expect(await database.query.selectFrom('kept_files').select('id').execute()).toEqual([])
    expect(await place.names()).toHaveLength(1)
    going.resolve()
    expect(String(await upload)).toContain('was deleted while it was written')
    expect(await place.names()).toHaveLength(2)
    expect(await other.purge()).toBe(0)
    now += hour
    expect(await other.purge()).toBe(1)
    expect(await place.names()).toEqual([])
  })

  it('whose place is away stay noted until it is there again, and hold up no others', async () => {
    const database = await open()
    const [folder, bucket] = [await aFolder(), await aBucket()]
    let [now, isAway] = [1_900_000_000_000, false]
    const failures: unknown[] = []
    const openAny = (address: string): StoragePlace => {
      const place = (address.startsWith('s3://') ? bucket : folder).open(address)
      const away = async <T>(work: () => Promise<T>): Promise<T> => {
        if (isAway && address.startsWith('s3://')) throw new Error('connect ECONNREFUSED 10.0.0.7')
        return work()
      }
      return {
        ...place,
        put: (...object) => away(() => place.put(...object)),
        readRange: (...range) => away(() => place.readRange(...range)),
        remove: (name) => away(() => place.remove(name)),
      }
    }
    const at = ({ address }: TestPlace) => nodeOf(database, { address, open: openAny, clock: () => now, failures })
    const [there, here] = [
      await at(bucket).create(file(), chunks('there')),
      await at(folder).create(file(), chunks('here')),
    ]
    const stays = await at(bucket).create(file(), chunks('stays'))
    const node = at(bucket)
    isAway = true
    expect(await codeOf(all(node.open(stays)))).toBe('kept_files_unavailable')
    const refused = await node.create(file(), chunks('more')).catch((error: unknown) => String(error))
    expect(refused).not.toContain('10.0.0.7')
    expect(failures.map(String).join()).toContain('10.0.0.7')
    await node.remove(there.id, ann)
    await node.remove(here.id, ann)
    await node.purge()
    expect([await folder.names(), (await bucket.names()).length]).toEqual([[], 2])
    isAway = false
    expect(await node.purge()).toBe(0)
    now += hour
    expect(await node.purge()).toBe(1)
    expect(await bucket.names()).toHaveLength(1)
    expect(String(await all(node.open(stays)))).toBe('stays')
  })

  it('whose bytes are gone are said to be', async () => {
    const database = await open()
    const place = await aFolder()
    const node = nodeOf(database, place)
    const made = await node.create(file(), chunks(large))
    const names = await place.names()
    const second = names.find((name) => name.endsWith('.1')) ?? ''
    await place.open(place.address).remove(`${second.slice(0, 2)}/${second}`)
    expect(await codeOf(all(node.open(made)))).toBe('kept_file_bytes_missing')
    expect((await all(node.open(made, 2 * objectBytes))).length).toBe(large.length - 2 * objectBytes)
  })

  it('are refused by a node that sees another folder under the same name, and at a place of another database', async () => {
    const [database, ofOthers] = [await open(), await open()]
    const [first, second] = [await aFolder(), await aFolder()]
    const made = await nodeOf(database, first).create(file(), chunks('first'))
    const failures: unknown[] = []
    const node = nodeOf(database, { address: first.address, open: () => second.open(second.address), failures })
    expect(await codeOf(node.create(file(), chunks('second')))).toBe('kept_files_unavailable')
    expect(await codeOf(all(node.open(made)))).toBe('kept_files_unavailable')
    expect(String(failures[0])).toContain('all nodes must see the same folder or bucket')
    expect(await codeOf(nodeOf(ofOthers, { ...first, failures }).create(file(), chunks('theirs')))).toBe(
      'kept_files_unavailable',
    )
    expect(String(failures.at(-1))).toContain('another database')
    expect(await second.names()).toEqual([])
  })
})
