import Anthropic, { toFile as anthropicFile } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { role } from '@tollgate/contract'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'
import { openProviderAccount, type ProviderAccount } from '../support/direct/provider-account.ts'

/** Files and batches of two people in one account, by the SDKs of OpenAI, Anthropic and Google. */

let site: RightsSite
let account: ProviderAccount
let baseURL: string
let ann: Person
let ben: Person

beforeAll(async () => {
  site = await openRightsSite()
  account = await openProviderAccount({ files: 'file_', batches: 'batch_', 'messages/batches': 'msgbatch_' })
  const people = createPeople(site)
  const root = await people.make(role.root)
  const setting = JSON.stringify({ passthrough: { groups: ['default'], price: 0 } })
  const answer = await site.ask({
    method: 'POST',
    path: '/api/channel/',
    headers: withSession(root),
    body: { type: 1, name: 'direct', key: 'sk-d', models: 'other', group: 'default', base_url: account.url, setting },
  })
  expect(answer.json.success).toBe(true)
  const { id } = await site.database.query
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'direct')
    .executeTakeFirstOrThrow()
  baseURL = `${site.url}/p/${id}`
  ann = await people.make(role.user)
  ben = await people.make(role.user)
  for (const { tokenId } of [ann, ben])
    await site.database.query.updateTable('tokens').set({ unlimited_quota: 1 }).where('id', '=', tokenId).execute()
})

afterAll(async () => {
  await site?.close()
  await account?.close()
})

const secret = 'secretOfAnn'

describe('the SDK of OpenAI', () => {
  const openai = ({ apiKey }: Person) => new OpenAI({ apiKey: `sk-${apiKey}`, baseURL: `${baseURL}/v1`, maxRetries: 0 })

  it('makes, reads, lists and deletes files and batches of its key', async () => {
    const client = openai(ann)
    const line = JSON.stringify({ custom_id: secret, method: 'POST', url: '/v1/responses', body: {} })
    const file = await client.files.create({ file: await toFile(Buffer.from(line), 'in.jsonl'), purpose: 'batch' })
    expect(await client.files.retrieve(file.id)).toMatchObject({ id: file.id })
    expect(await (await client.files.content(file.id)).text()).toContain(secret)
    expect((await client.files.list()).data.map(({ id }) => id)).toEqual([file.id])
    const batch = await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/responses',
      completion_window: '24h',
    })
    expect(await client.batches.retrieve(batch.id)).toMatchObject({ id: batch.id, input_file_id: file.id })
    const listed: string[] = []
    for await (const one of client.batches.list()) listed.push(one.id)
    expect(listed).toEqual([batch.id])
    expect(await (await client.files.content(batch.output_file_id ?? '')).text()).toContain('results of')

    const other = openai(ben)
    expect((await other.files.list()).data).toEqual([])
    expect((await other.batches.list()).data).toEqual([])
    account.received.length = 0
    const notFound = { status: 404, code: 'object_not_found' }
    await expect(other.files.retrieve(file.id)).rejects.toMatchObject(notFound)
    await expect(other.files.content(file.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.files.delete(file.id)).rejects.toMatchObject(notFound)
    await expect(other.batches.retrieve(batch.id)).rejects.toMatchObject(notFound)
    await expect(other.batches.cancel(batch.id)).rejects.toMatchObject(notFound)
    await expect(
      other.batches.create({ input_file_id: file.id, endpoint: '/v1/responses', completion_window: '24h' }),
    ).rejects.toMatchObject(notFound)
    expect(account.received).toEqual([])

    expect(await client.files.delete(file.id)).toMatchObject({ deleted: true })
    await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 })
  })

  it('goes through its pages', async () => {
    const client = openai(ann)
    for (let index = 0; index < 7; index += 1) {
      await client.batches.create({
        input_file_id: await inputOf(client),
        endpoint: '/v1/responses',
        completion_window: '24h',
      })
      const other = openai(ben)
      await other.batches.create({
        input_file_id: await inputOf(other),
        endpoint: '/v1/responses',
        completion_window: '24h',
      })
    }
    const before: string[] = []
    for await (const one of client.batches.list({ limit: 3 })) before.push(one.id)
    expect(new Set(before).size).toBe(8)
    expect(before).toHaveLength(8)
  })

  const inputOf = async (client: OpenAI): Promise<string> =>
    (await client.files.create({ file: await toFile(Buffer.from('{}'), 'in.jsonl'), purpose: 'batch' })).id
})

describe('the SDK of Anthropic', () => {
  const anthropic = ({ apiKey }: Person) => new Anthropic({ apiKey: `sk-${apiKey}`, baseURL, maxRetries: 0 })
  const params = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user' as const, content: secret }] }

  it('makes, reads, lists and deletes files and batches of its key', async () => {
    const client = anthropic(ann)
    const file = await client.beta.files.upload({
      file: await anthropicFile(Buffer.from(secret), 'a.txt', { type: 'text/plain' }),
    })
    expect(await client.beta.files.retrieveMetadata(file.id)).toMatchObject({ id: file.id })
    const batch = await client.messages.batches.create({ requests: [{ custom_id: '1', params }] })
    expect(await client.messages.batches.retrieve(batch.id)).toMatchObject({ id: batch.id })
    expect((await client.messages.batches.list()).data.map(({ id }) => id)).toEqual([batch.id])

    const other = anthropic(ben)
    const files: string[] = []
    for await (const one of other.beta.files.list()) files.push(one.id)
    expect(files).not.toContain(file.id)
    expect((await other.messages.batches.list()).data).toEqual([])
    account.received.length = 0
    const notFound = { status: 404, error: { type: 'error', error: { type: 'not_found_error' } } }
    await expect(other.beta.files.retrieveMetadata(file.id)).rejects.toMatchObject(notFound)
    await expect(other.beta.files.download(file.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.beta.files.delete(file.id)).rejects.toMatchObject(notFound)
    await expect(other.messages.batches.retrieve(batch.id)).rejects.toMatchObject(notFound)
    await expect(other.messages.batches.cancel(batch.id)).rejects.toMatchObject(notFound)
    const content = [{ type: 'document' as const, source: { type: 'file' as const, file_id: file.id } }]
    const named = { ...params, messages: [{ role: 'user' as const, content }] }
    await expect(
      other.beta.messages.batches.create({ requests: [{ custom_id: '1', params: named }] }),
    ).rejects.toMatchObject(notFound)
    expect(account.received).toEqual([])

    // Results come line by line, from the gateway although the provider names its own address.
    const results: string[] = []
    const passed = Promise.withResolvers<void>()
    account.between = () => passed.promise
    for await (const { custom_id } of await client.messages.batches.results(batch.id)) {
      results.push(custom_id)
      passed.resolve()
    }
    expect([results.length, results[0], results[1]]).toEqual([2, 'first', expect.stringContaining(secret)])
    const [asked] = account.headers.slice(-1)
    expect([asked?.authorization, JSON.stringify(asked).includes(ann.apiKey)]).toEqual(['Bearer sk-d', false])
    const { results_url } = await client.messages.batches.retrieve(batch.id)
    expect(results_url).toBe(`${baseURL}/v1/messages/batches/${batch.id}/results`)
    account.received.length = 0
    const foreign = await fetch(results_url ?? '', { headers: { 'x-api-key': `sk-${ben.apiKey}` } })
    expect([foreign.status, account.received]).toEqual([404, []])
    await expect(other.messages.batches.results(batch.id)).rejects.toMatchObject(notFound)
    const readings = () =>
      site.database.query
        .selectFrom('logs')
        .select('quota')
        .where('user_id', '=', ann.id)
        .where('other', 'like', '%/results"%')
        .execute()
    // Reading is in the log and free.
    await expect.poll(readings).toEqual([{ quota: 0 }])

    await client.beta.files.delete(file.id)
    await expect(client.beta.files.retrieveMetadata(file.id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('the SDK of Google', () => {
  const google = ({ apiKey }: Person) =>
    new GoogleGenAI({ apiKey: `sk-${apiKey}`, httpOptions: { baseUrl: baseURL, apiVersion: 'v1beta' } })

  it('uploads a file in parts, reads, lists and deletes it, and makes a batch of it', async () => {
    const client = google(ann)
    const upload = (lines: string) =>
      client.files.upload({ file: new Blob([lines]), config: { mimeType: 'application/jsonl', displayName: 'lines' } })
    const file = await upload(`{"key":"${secret}"}\n{"key":"2"}\n`)
    const name = file.name ?? ''
    expect(file.downloadUri).toBe(`${baseURL}/v1beta/${name}:download?alt=media`)
    // By this the provider knows the file.
    expect(file.uri).toBe(`${account.url}/v1beta/${name}`)
    expect(await client.files.get({ name })).toMatchObject({ name })
    expect((await client.batches.create({ model: 'gemini-2', src: name })).name).toMatch(/^batches\//)
    const large = await upload(`{"key":"${'x'.repeat(9_000_000)}"}`)
    const inParts = { model: 'gemini-2', src: large.name ?? '' }
    await expect(client.batches.create(inParts)).rejects.toMatchObject({ status: 404 })

    const other = google(ben)
    const listed: unknown[] = []
    for await (const one of await other.files.list()) listed.push(one.name)
    expect(listed).not.toContain(name)
    account.received.length = 0
    await expect(other.files.get({ name })).rejects.toMatchObject({ status: 404 })
    await expect(other.files.delete({ name })).rejects.toMatchObject({ status: 404 })
    await expect(other.batches.create({ model: 'gemini-2', src: name })).rejects.toMatchObject({ status: 404 })
    expect(account.received).toEqual([])
    await client.files.delete({ name })
    await expect(client.files.get({ name })).rejects.toMatchObject({ status: 404 })
  })
})
