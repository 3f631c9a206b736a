import { role } from '@tollgate/contract'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'
import { type BatchProvider, json, lines, openBatchProvider } from '../support/batches/batch-provider.ts'
import { answered, openaiBatch } from '../support/batches/openai-lines.ts'

/** A batch by the SDK of OpenAI through a whole site, with the prices of a new installation. */

let site: RightsSite
let provider: BatchProvider
let ann: Person
let baseURL: string

beforeAll(async () => {
  site = await openRightsSite()
  provider = await openBatchProvider()
  const people = createPeople(site)
  const root = await people.make(role.root)
  const setting = JSON.stringify({ passthrough: { groups: ['default'], price: 0 } })
  const answer = await site.ask({
    method: 'POST',
    path: '/api/channel/',
    headers: withSession(root),
    body: { type: 1, name: 'batches', key: 'sk-d', models: 'other', group: 'default', base_url: provider.url, setting },
  })
  expect(answer.json.success).toBe(true)
  const channels = site.database.query.selectFrom('channels').select('id').where('name', '=', 'batches')
  baseURL = `${site.url}/p/${(await channels.executeTakeFirstOrThrow()).id}/v1`
  ann = await people.make(role.user)
  await site.database.query.updateTable('tokens').set({ unlimited_quota: 1 }).where('id', '=', ann.tokenId).execute()
})

afterAll(async () => {
  await site?.close()
  await provider?.close()
})

it('is charged to its maker when the SDK sees it completed', async () => {
  const client = new OpenAI({ apiKey: `sk-${ann.apiKey}`, baseURL, maxRetries: 0 })
  provider.answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
  provider.answers.set('POST /v1/batches', json(openaiBatch('validating')))
  const over = { output_file_id: 'file-out', request_counts: { total: 1, completed: 1, failed: 0 } }
  provider.answers.set('GET /v1/batches/batch_1', json(openaiBatch('completed', over)))
  provider.answers.set('GET /v1/files/file-out/content', lines([answered('gpt-4o-mini', 1000, 100)]))
  const body = { model: 'gpt-4o-mini', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
  const line = JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body })
  const file = await client.files.create({ file: await toFile(Buffer.from(line), 'in.jsonl'), purpose: 'batch' })
  const batch = await client.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  expect((await client.batches.retrieve(batch.id)).status).toBe('completed')
  const charges = () =>
    site.database.query
      .selectFrom('ledger_entries')
      .select(['amount', 'account_id', 'token_id'])
      .where('movement', 'like', 'batch-%')
      .execute()
  await expect.poll(charges).toHaveLength(1)
  const [charge] = await charges()
  // Half of 0.15 $ and 0.60 $ a million: 0.000105 $, of 500,000 units each.
  expect(charge).toMatchObject({ amount: -53, token_id: ann.tokenId })
  const logs = site.database.query.selectFrom('logs').selectAll().where('request_id', 'like', 'batch-%')
  await expect.poll(() => logs.execute()).toMatchObject([{ quota: 53, model_name: 'gpt-4o-mini' }])
  const own = await site.ask({ method: 'GET', path: '/api/log/self?p=1', headers: withSession(ann) })
  expect(JSON.stringify(own.json)).toContain('batch_1')
})
