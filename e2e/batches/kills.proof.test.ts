import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addCustomer, addKey, openForBusiness, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'

/** Batches that the gateway runs, by official SDKs: each line is charged once, although the process is killed while they run. */

const root = join(import.meta.dirname, '../..')
const balance = 50_000_000
const patience = { timeout: 120_000, interval: 500 }

let upstream: FakeUpstream
let site: Site
let operator: Person
let customer: Person
let key: string

beforeAll(async () => {
  upstream = await startFakeUpstream({ delayMs: 30 })
  site = await startSite()
  operator = await signIn(site.url)
  await openForBusiness(operator, upstream.url)
  customer = await addCustomer(site.url, operator, 'batches', balance)
  key = await addKey(customer)
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

const openai = (apiKey = key): OpenAI => new OpenAI({ baseURL: `${site.url}/v1`, apiKey, maxRetries: 5 })
const anthropic = (): Anthropic => new Anthropic({ baseURL: site.url, apiKey: key })
const google = (): GoogleGenAI => new GoogleGenAI({ apiKey: key, vertexai: false, httpOptions: { baseUrl: site.url } })

const line = (index: number): string =>
  JSON.stringify({
    custom_id: `line-${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o', messages: [{ role: 'user', content: `say ${index}` }] },
  })

const upload = async (count: number): Promise<string> => {
  const lines = Array.from({ length: count }, (_, index) => line(index)).join('\n')
  const file = await openai().files.create({ file: await toFile(Buffer.from(lines), 'in.jsonl'), purpose: 'batch' })
  return file.id
}

const charges = async (): Promise<{ quota: number; request_id: string }[]> => {
  const rows: { quota: number; request_id: string }[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await operator.must<{ items: typeof rows }>(
      'GET',
      `/api/log/?type=2&username=batches&p=${page}&page_size=100`,
    )
    rows.push(...items)
    if (items.length < 100) return rows
  }
}

it('OpenAI: a batch goes on after each kill, and each line is charged once', async () => {
  const count = 600
  const client = openai()
  const made = await client.batches.create({
    input_file_id: await upload(count),
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { of: 'the proof' },
  })
  expect(made).toMatchObject({ object: 'batch', status: 'validating', metadata: { of: 'the proof' } })
  for (const least of [40, 250]) {
    await expect
      .poll(async () => (await client.batches.retrieve(made.id)).request_counts?.completed ?? 0, patience)
      .toBeGreaterThan(least)
    await site.kill()
    await site.restart()
  }
  await expect.poll(async () => (await client.batches.retrieve(made.id)).status, patience).toBe('completed')
  const done = await client.batches.retrieve(made.id)
  expect(done.request_counts).toEqual({ total: count, completed: count, failed: 0 })
  expect(done.error_file_id).toBeNull()
  const output = await (await client.files.content(done.output_file_id ?? '')).text()
  const results = output
    .trim()
    .split('\n')
    .map((text): { custom_id: string; response: { status_code: number; request_id: string } } => JSON.parse(text))
  expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(count)
  expect(results.every(({ response }) => response.status_code === 200)).toBe(true)
  operator = await signIn(site.url)
  await expect.poll(async () => (await charges()).length, patience).toBe(count)
  const rows = await charges()
  expect(new Set(rows.map(({ request_id }) => request_id))).toEqual(
    new Set(results.map(({ response }) => response.request_id)),
  )
  const spent = rows.reduce((sum, { quota }) => sum + quota, 0)
  expect(rows.every(({ quota }) => quota === rows[0]?.quota && quota > 0)).toBe(true)
  await expect
    .poll(async () => (await operator.must<{ quota: number }>('GET', `/api/user/${customer.id}`)).quota, patience)
    .toBe(balance - spent)
  await site.stop()
  const verified = execFileSync(process.execPath, [join(root, 'server/src/ledger/verify/verify-command.ts')], {
    env: { ...process.env, DATA_DIR: site.directory },
    encoding: 'utf8',
  })
  expect(verified).toContain(' 0 differences')
  await site.restart()
  operator = await signIn(site.url)
})

it('OpenAI: lists, cancels, and shows nothing to another key', async () => {
  const client = openai()
  const made = await client.batches.create({
    input_file_id: await upload(500),
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  const listed: string[] = []
  for await (const batch of client.batches.list({ limit: 1 })) listed.push(batch.id)
  expect(listed[0]).toBe(made.id)
  expect(listed).toHaveLength(2)
  await client.batches.cancel(made.id)
  await expect.poll(async () => (await client.batches.retrieve(made.id)).status, patience).toBe('cancelled')
  const other = openai(await addKey(await addCustomer(site.url, operator, 'other', balance)))
  await expect(other.batches.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  await expect(other.batches.cancel(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  expect((await other.batches.list()).data).toEqual([])
})

it('Anthropic: creates, polls, reads results, lists and deletes', async () => {
  const { batches } = anthropic().messages
  const requests = ['a', 'b', 'c'].map((custom_id) => ({
    custom_id,
    params: { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user' as const, content: custom_id }] },
  }))
  const made = await batches.create({ requests })
  expect(made).toMatchObject({ type: 'message_batch', processing_status: 'in_progress' })
  await expect.poll(async () => (await batches.retrieve(made.id)).processing_status, patience).toBe('ended')
  const results: Record<string, string> = {}
  for await (const { custom_id, result } of await batches.results(made.id)) results[custom_id] = result.type
  expect(results).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' })
  const ids: string[] = []
  for await (const batch of batches.list({ limit: 1 })) ids.push(batch.id)
  expect(ids).toEqual([made.id])
  await expect(batches.cancel(made.id)).rejects.toBeInstanceOf(Anthropic.ConflictError)
  expect(await batches.delete(made.id)).toEqual({ id: made.id, type: 'message_batch_deleted' })
  await expect(batches.retrieve(made.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError)
})

it('Gemini: requests in the call and in a file, lists, cancels and deletes', async () => {
  const { batches, files } = google()
  const content = (text: string) => [{ role: 'user', parts: [{ text }] }]
  const made = await batches.create({
    model: 'gpt-4o',
    src: [{ contents: content('a') }, { contents: content('b') }],
    config: { displayName: 'inline' },
  })
  const name = made.name ?? ''
  await expect.poll(async () => (await batches.get({ name })).state, patience).toBe('JOB_STATE_SUCCEEDED')
  const done = await batches.get({ name })
  expect(done).toMatchObject({ displayName: 'inline', model: 'models/gpt-4o' })
  expect(done.dest?.inlinedResponses?.map(({ response }) => response?.candidates?.[0]?.content?.role)).toEqual([
    'model',
    'model',
  ])
  const lines = ['x', 'y'].map((key) => JSON.stringify({ key, request: { contents: content(key) } })).join('\n')
  const file = await files.upload({
    file: new Blob([lines], { type: 'application/jsonl' }),
    config: { mimeType: 'application/jsonl' },
  })
  const ofFile = await batches.create({ model: 'gpt-4o', src: { fileName: file.name ?? '' } })
  const fileBatch = ofFile.name ?? ''
  await expect.poll(async () => (await batches.get({ name: fileBatch })).state, patience).toBe('JOB_STATE_SUCCEEDED')
  const output = (await batches.get({ name: fileBatch })).dest?.fileName ?? ''
  const answer = await fetch(`${site.url}/v1beta/${output}:download?alt=media`, { headers: { 'x-goog-api-key': key } })
  const keys = (await answer.text())
    .trim()
    .split('\n')
    .map((text): { key: string } => JSON.parse(text))
  expect(keys.map(({ key }) => key).sort()).toEqual(['x', 'y'])
  const names: (string | undefined)[] = []
  for await (const batch of await batches.list({ config: { pageSize: 1 } })) names.push(batch.name)
  expect(names).toEqual([fileBatch, name])
  await batches.delete({ name })
  await expect(batches.get({ name })).rejects.toThrow('404')
})
