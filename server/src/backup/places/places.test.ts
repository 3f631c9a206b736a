import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { openPlace } from './open-place.ts'
import { type BackupPlace, backupName, backupsAt, removeOld } from './place.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const folder = async (): Promise<BackupPlace> => {
  const path = await mkdtemp(join(tmpdir(), 'backups-'))
  ends.push(() => rm(path, { recursive: true }))
  return openPlace(join(path, 'new'), {})
}

/** What the parts of S3's protocol that are used do: uploads in parts, lists of pages of one, answers by name. */
const bucket = async (): Promise<BackupPlace> => {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://storage')
    const body = await buffer(request)
    const key = decodeURIComponent(pathname.slice('/site/'.length))
    const upload = query.get('uploadId')
    const parts = uploads.get(upload ?? '')
    const answer = (status: number, xml = '', headers = {}): void => void response.writeHead(status, headers).end(xml)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/')) {
      answer(403, '<Error><Code>AccessDenied</Code></Error>')
    } else if (query.has('uploads')) {
      uploads.set('one & only', new Map())
      answer(200, '<R><UploadId>one &amp; only</UploadId></R>')
    } else if (parts !== undefined && request.method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      answer(200, '', { etag: `"${query.get('partNumber')}"` })
    } else if (parts !== undefined && request.method === 'POST') {
      objects.set(key, Buffer.concat([...parts.values()]))
      answer(200, '<R/>')
    } else if (query.has('list-type')) {
      const keys = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
      const at = Number(query.get('continuation-token') ?? 0)
      const more = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : ''
      answer(200, keys[at] === undefined ? '<R/>' : `<R><Key>${keys[at]}</Key>${more}</R>`)
    } else if (request.method === 'DELETE') {
      answer(objects.delete(key) ? 204 : 404)
    } else {
      const found = objects.get(key)
      response.writeHead(found === undefined ? 404 : 200).end(found)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  return openPlace('s3://site/backups', {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
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

it('says which variable is missing', () => {
  expect(() => openPlace('s3://site', {})).toThrow('AWS_ACCESS_KEY_ID is missing')
})
