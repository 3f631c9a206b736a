import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { startBucket } from '../../../test/support/lib/bucket.ts'
import { backupName, backupsAt, removeOld } from '../../backup/stored-backups.ts'
import { openPlace } from './open-place.ts'
import type { StoragePlace } from './storage-place.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const folder = async (): Promise<StoragePlace> => {
  const path = await mkdtemp(join(tmpdir(), 'backups-'))
  ends.push(() => rm(path, { recursive: true }))
  return openPlace(join(path, 'new'), {})
}

const bucket = async (): Promise<StoragePlace> => {
  const storage = await startBucket()
  ends.push(storage.close)
  return openPlace('s3://site/backups', storage.environment)
}

it.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('%s keeps backups, and the newest ones alone when asked', async (_, open) => {
  const place = await open()
  expect(await backupsAt(place)).toEqual([])
  const moments = [1_800_000_000, 1_800_086_400, 1_800_172_800]
  for (const at of moments) await place.write(backupName(at, at === moments[2]), Readable.from([`at ${at}`]))
  await place.write('notes.txt', Readable.from(['mine']))
  expect((await backupsAt(place)).map(({ at }) => at)).toEqual(moments.toReversed())
  expect(await removeOld(place, 2)).toEqual(['tollgate-20270115T080000Z.backup.gz'])
  expect(await text(await place.read('tollgate-20270117T080000Z.backup.gz.age'))).toBe('at 1800172800')
  expect((await place.names()).toSorted()).toEqual([
    'notes.txt',
    'tollgate-20270116T080000Z.backup.gz',
    'tollgate-20270117T080000Z.backup.gz.age',
  ])
})

it('takes a backup of several parts to a bucket', async () => {
  const place = await bucket()
  const piece = Buffer.alloc(30 * 1024 * 1024, 'x')
  await place.write('large', Readable.from([piece, piece, piece, Buffer.from('end')]))
  const whole = await buffer(await place.read('large'))
  expect(whole.length).toBe(3 * piece.length + 3)
  expect(whole.subarray(-4).toString()).toBe('xend')
})

it.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('%s keeps nothing of a backup that breaks off', async (_, open) => {
  const place = await open()
  async function* broken() {
    yield 'some'
    throw new Error('the database went away')
  }
  await expect(place.write(backupName(1_800_000_000, false), Readable.from(broken()))).rejects.toThrow('went away')
  expect(await place.names()).toEqual([])
})

it.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('%s gives back ranges, and nothing of what is not there', async (_, open) => {
  const place = await open()
  await place.put('ab/name', Buffer.from('0123456789'))
  await place.put('ab/name', Buffer.from('abcdefghij'))
  const range = async (from: number, end: number) => String(await place.readRange('ab/name', { from, end }))
  expect(await range(0, 10)).toBe('abcdefghij')
  expect(await range(3, 5)).toBe('de')
  expect(await range(8, 100)).toBe('ij')
  expect(await range(10, 100)).toBe('')
  expect(await place.readRange('ab/other', { from: 0, end: 1 })).toBeUndefined()
  await place.remove('ab/name')
  await place.remove('ab/name')
  expect(await place.readRange('ab/name', { from: 0, end: 1 })).toBeUndefined()
})

it('a folder forgets what a killed process has left of a file when the file is removed', async () => {
  const path = await mkdtemp(join(tmpdir(), 'places-'))
  ends.push(() => rm(path, { recursive: true }))
  await writeFile(join(path, 'name.part'), 'half')
  await openPlace(path, {}).remove('name')
  expect(await openPlace(path, {}).names()).toEqual([])
})

it.each(['a b+c', 'é/日', 'folder//x', "it's(1)!*~$,;:=@", '100%', 'a?b#c'])('signs %s for a bucket', async (name) => {
  const storage = await startBucket()
  ends.push(storage.close)
  const place = openPlace("s3://site/of a+b's", storage.environment)
  await place.write(name, Readable.from(['text']))
  expect([...storage.objects.keys()]).toEqual([`of a+b's/${name}`])
  expect(await place.names()).toEqual([name])
  expect(await text(await place.read(name))).toBe('text')
  await place.remove(name)
  expect(storage.objects.size).toBe(0)
})

it('asks a storage again that is overloaded or broken, eleven times in all', async () => {
  const pauses = vi.spyOn(Math, 'random').mockReturnValue(0)
  ends.push(async () => pauses.mockRestore())
  const storage = await startBucket()
  ends.push(storage.close)
  const place = openPlace('s3://site', storage.environment)
  storage.failures.push(...[429, 500, 503, 599, 500, 500, 500, 500, 500, 429])
  expect(await place.names()).toEqual([])
  expect(storage.failures).toEqual([])
  storage.failures.push(...Array<number>(11).fill(503), 501)
  await expect(place.names()).rejects.toThrow('The storage answered GET with 503.')
  expect(storage.failures).toEqual([501])
  storage.failures.splice(0, 1, 404, 500)
  await expect(place.names()).rejects.toThrow('The storage answered GET with 404.')
  expect(storage.failures).toEqual([500])
})

it('says which storage cannot be reached, and why', async () => {
  const storage = await startBucket()
  await storage.close()
  const place = openPlace('s3://site', storage.environment)
  const { host } = new URL(storage.environment.AWS_ENDPOINT_URL ?? '')
  await expect(place.names()).rejects.toThrow(`The storage at ${host} cannot be reached: connect ECONNREFUSED`)
})

it('says which variable is missing', () => {
  expect(() => openPlace('s3://site', {})).toThrow('AWS_ACCESS_KEY_ID is missing')
})
