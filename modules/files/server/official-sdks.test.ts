import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic, { toFile as toAnthropicFile } from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI, { toFile } from 'openai'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '#server-test/support/db/databases.ts'
import { type FileGateway, openFileGateway } from '../tests/file-gateway.ts'

/** Official SDKs, unmodified, store files at the gateway as at their providers. */

const large = Buffer.alloc(9_000_000, 'A line of a file that comes in several chunks.\n')

describeWithDatabase('files of official SDKs', (open) => {
  let site: FileGateway
  beforeEach(async () => {
    site = await openFileGateway(await open())
  })
  afterEach(() => site.close())

  const downloaded = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

  it('OpenAI: upload, retrieve, download, list in pages and delete', async () => {
    const client = site.openai()
    const file = await client.files.create({
      file: await toFile(large, 'Übersicht.txt'),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 7200 },
    })
    expect(file).toMatchObject({ object: 'file', filename: 'Übersicht.txt', bytes: large.length, purpose: 'user_data' })
    expect((file.expires_at ?? 0) - file.created_at).toBe(7200)
    expect(await client.files.retrieve(file.id)).toEqual(file)
    expect((await downloaded(await client.files.content(file.id))).equals(large)).toBe(true)
    const batch = await client.files.create({ purpose: 'batch', file: await toFile(Buffer.from('{}\n'), 'b.jsonl') })
    const ids: string[] = []
    for await (const one of client.files.list({ limit: 1 })) ids.push(one.id)
    expect(ids).toEqual([batch.id, file.id])
    expect((await client.files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([batch.id])
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
    await expect(client.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('OpenAI: a file in parts, completed, cancelled, and with other bytes than announced', async () => {
    const client = site.openai()
    const about = { filename: 'book.txt', mime_type: 'text/plain', purpose: 'user_data' as const }
    const upload = await client.uploads.create({ ...about, bytes: 11 })
    expect(upload).toMatchObject({ object: 'upload', status: 'pending', bytes: 11 })
    const second = await client.uploads.parts.create(upload.id, { data: await toFile(Buffer.from(' world'), 'b') })
    const first = await client.uploads.parts.create(upload.id, { data: await toFile(Buffer.from('hello'), 'a') })
    expect((await client.files.list()).data).toEqual([])
    await expect(client.files.retrieve(first.id.replace('part_', 'file-'))).rejects.toThrow('404')
    await expect(client.uploads.complete(upload.id, { part_ids: [first.id] })).rejects.toThrow('5 bytes, not 11')
    await expect(site.openai('other').uploads.complete(upload.id, { part_ids: [first.id] })).rejects.toThrow('404')
    const part_ids = [first.id, second.id]
    await expect(client.uploads.complete(upload.id, { part_ids, md5: 'ab' })).rejects.toThrow('md5')
    const done = await client.uploads.complete(upload.id, { part_ids, md5: '5eb63bbbe01eeed093cb22bb8f5acdc3' })
    expect(done).toMatchObject({ status: 'completed', file: { filename: 'book.txt', bytes: 11 } })
    expect(String(await downloaded(await client.files.content(done.file?.id ?? '')))).toBe('hello world')
    await expect(client.uploads.cancel(upload.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    const other = await client.uploads.create({ ...about, bytes: 1 })
    await client.uploads.parts.create(other.id, { data: await toFile(Buffer.from('x'), 'x') })
    expect(await client.uploads.cancel(other.id)).toMatchObject({ status: 'cancelled' })
    expect((await site.store.list({ userId: 7, tokenId: 3 }, { limit: 9, order: 'asc' })).files).toHaveLength(1)
  })

  it('Anthropic: upload, retrieve, download, list in pages and delete', async () => {
    const { files } = site.anthropic().beta
    const file = await files.upload({ file: await toAnthropicFile(large, 'paper.pdf', { type: 'application/pdf' }) })
    expect(file).toMatchObject({ type: 'file', filename: 'paper.pdf', mime_type: 'application/pdf' })
    expect(file.size_bytes).toBe(large.length)
    expect(await files.retrieveMetadata(file.id)).toEqual(file)
    expect((await downloaded(await files.download(file.id))).equals(large)).toBe(true)
    const other = await files.upload({ file: await toAnthropicFile(Buffer.from('x'), 'x.txt', { type: 'text/plain' }) })
    const ids: string[] = []
    for await (const one of files.list({ limit: 1 })) ids.push(one.id)
    expect(ids).toEqual([other.id, file.id])
    const chosen = await files.list({ ids: [file.id, 'file-none'] })
    expect(chosen.data.map(({ id }) => id)).toEqual([file.id])
    expect(await files.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' })
    await expect(files.retrieveMetadata(file.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })

  it('Gemini: upload in chunks, get, download, list in pages and delete', async () => {
    const { files } = site.google()
    const file = await files.upload({
      file: new Blob([large], { type: 'text/plain' }),
      config: { displayName: 'a long text' },
    })
    expect(file).toMatchObject({ displayName: 'a long text', mimeType: 'text/plain', state: 'ACTIVE' })
    expect(file.sizeBytes).toBe(String(large.length))
    expect(file.uri).toBe(`${site.gateway.url}/v1beta/${file.name}`)
    const name = file.name ?? ''
    expect(await files.get({ name })).toMatchObject({ name, uri: file.uri })
    expect(await files.get({ name: `https://gateway.example/v1beta/${name}` })).toMatchObject({ name })
    const path = join(await mkdtemp(join(tmpdir(), 'files-')), 'copy')
    await files.download({ file: name, downloadPath: path })
    await expect.poll(async () => (await readFile(path)).equals(large)).toBe(true)
    const small = await files.upload({ file: new Blob(['{}'], { type: 'application/json' }) })
    const names: (string | undefined)[] = []
    for await (const one of await files.list({ config: { pageSize: 1 } })) names.push(one.name)
    expect(names).toEqual([small.name, name])
    await files.delete({ name })
    const refused = await files.get({ name }).catch((error: unknown) => error)
    expect(refused instanceof ApiError && refused.status).toBe(404)
  })

  it('answer 404 to another key for every call, as for a file that never was', async () => {
    const { id } = await site.openai().files.create({ file: await toFile(Buffer.from('x'), 'x'), purpose: 'user_data' })
    const key = id.slice('file-'.length)
    const other = { openai: site.openai('other'), anthropic: site.anthropic('other'), google: site.google('other') }
    const statusOf = async (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => 'no error',
        (error: { status?: unknown }) => error.status,
      )
    for (const name of [key, '0'.repeat(32)]) {
      const calls = [
        other.openai.files.retrieve(`file-${name}`),
        other.openai.files.content(`file-${name}`),
        other.openai.files.delete(`file-${name}`),
        other.openai.files.list({ after: `file-${name}` }),
        other.anthropic.beta.files.retrieveMetadata(`file-${name}`),
        other.anthropic.beta.files.download(`file-${name}`),
        other.anthropic.beta.files.delete(`file-${name}`),
        other.google.files.get({ name }),
        other.google.files.delete({ name }),
      ]
      expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 404))
    }
    expect((await other.openai.files.list()).data).toEqual([])
    expect(await site.openai().files.retrieve(id)).toMatchObject({ id })
  })
})
