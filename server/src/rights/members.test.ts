import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { type Made, madeText, makersIn, plantMade } from '../../test/rights/organisations/made.ts'
import { createPeople } from '../../test/rights/people.ts'
import { type Answer, type Ask, openRightsSite, type RightsSite } from '../../test/rights/site.ts'
import { openProviderAccount, type ProviderAccount } from '../../test/support/direct/provider-account.ts'

/**
 * Keys of two projects and two members of one organisation, each with a task, a song, responses, a chat completion, a conversation,
 * a cached content, and a file and a batch in the account of a channel that they call directly: every call of the relay that names one answers a key that may not read it as if there were none.
 */

let site: RightsSite
let account: ProviderAccount
/** Beginning of direct calls. */
let direct = ''
const sent: string[] = []
let responses = 0

/** An upstream that answers with what it was asked, under an id of its own. */
const upstream = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  sent.push(`${request.method} ${request.url} ${body}`)
  responses += 1
  const content = [{ type: 'output_text', text: makersIn(body).map(madeText).join(' '), annotations: [] }]
  response.setHeader('content-type', 'application/json')
  const [, id] = /^\/v1\/responses\/([^/?]+)/.exec(request.url ?? '') ?? []
  const answer = { object: 'response', created_at: 1, status: 'completed', model: 'gpt-4o' }
  if (id !== undefined)
    response.end(JSON.stringify({ id, ...answer, output: [{ type: 'text', text: stored.get(id) }] }))
  else if (/\/image-seed$/.test(request.url ?? '')) response.end(JSON.stringify({ code: 1, result: 'seed' }))
  else if (request.url === '/v1/responses') {
    const made = { id: `resp_${responses}`, ...answer, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
    stored.set(made.id, JSON.stringify(content))
    const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content }]
    response.end(JSON.stringify({ ...made, output }))
  } else {
    const message = { role: 'assistant', content: content[0]?.text }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.end(
      JSON.stringify({
        id: `chat_${responses}`,
        object: 'chat.completion',
        created: 1,
        model: 'gpt-4o',
        choices,
        usage,
      }),
    )
  }
})
const stored = new Map<string, string>()
upstream.keepAliveTimeout = 600_000

const keys = new Map<string, string>()
const made = new Map<string, Made>()

/** Which keys read what a key made. `outsider` is a key that Ann pays herself. */
const readersOf: Readonly<Record<string, readonly string[]>> = {
  machine1: ['machine1'],
  machine2: ['machine2'],
  ann1: ['machine1', 'ann1', 'ann2'],
  ann2: ['machine2', 'ann1', 'ann2'],
  bob1: ['machine1', 'bob1'],
  outsider: ['outsider'],
}
const names = Object.keys(readersOf)

const call = (name: string, ask: Ask): Promise<Answer> =>
  site.ask({ ...ask, headers: { authorization: `Bearer sk-${keys.get(name)}` } })
const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body })
const get = (path: string): Ask => ({ method: 'GET', path })

beforeAll(async () => {
  site = await openRightsSite()
  account = await openProviderAccount()
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const people = createPeople(site)
  const root = await people.make(role.root)
  const done = async (person: typeof root, method: string, path: string, body: unknown) => {
    const answer = await site.ask({ method, path: `/api/${path}`, headers: withSession(person), body })
    expect([path, answer.json.success, answer.json.code]).toEqual([path, true, undefined])
    return (answer.json.data ?? {}) as Readonly<Record<string, unknown>>
  }
  const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  await done(root, 'POST', 'channel/', {
    type: 1,
    name: 'c',
    key: 'sk-c',
    models: 'gpt-4o',
    group: 'default',
    base_url,
  })
  await done(root, 'POST', 'channel/', {
    type: 1,
    name: 'd',
    key: 'sk-d',
    models: 'gpt-4o',
    group: 'default',
    priority: -1,
    base_url: account.url,
    setting: JSON.stringify({ passthrough: { groups: ['default'], price: 0 } }),
  })
  const { id: directId } = await site.database.query
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'd')
    .executeTakeFirstOrThrow()
  direct = `/p/${directId}`
  await done(root, 'PUT', 'option/', { key: 'OrganisationsEnabled', value: 'true' })
  const [owner, ann, bob] = [await people.make(role.user), await people.make(role.user), await people.make(role.user)]
  const at = `organisation/${(await done(owner, 'POST', 'organisation/', { name: 'Northwind' })).id}`
  const team_id = (await done(owner, 'PUT', `${at}/team`, { team_id: 0, name: 'Platform' })).id
  const project = async (name: string) =>
    (await done(owner, 'PUT', `${at}/project`, { project_id: 0, team_id, name })).id
  const [one, two] = [await project('one'), await project('two')]
  for (const person of [ann, bob]) {
    const { secret } = await done(owner, 'POST', `${at}/invitations`, { team_id: 0, role: 'member' })
    await done(person, 'POST', 'organisation/invitation/accept', { secret })
  }
  await done(owner, 'POST', `${at}/transfer`, { direction: 'in', amount: 500_000, transfer_id: 'first-transfer' })
  const plan = [
    ...([['machine1', one, 0] as const, ['machine2', two, 0] as const] as const),
    ...([['ann1', one, ann.id] as const, ['ann2', two, ann.id] as const, ['bob1', one, bob.id] as const] as const),
  ]
  for (const [name, project_id, member_id] of plan) {
    const key = await done(owner, 'POST', `${at}/keys`, { name, unlimited_quota: true, project_id, member_id })
    keys.set(name, String(key.key))
  }
  keys.set('outsider', ann.apiKey)
  await site.database.query.updateTable('tokens').set({ unlimited_quota: 1 }).where('id', '=', ann.tokenId).execute()
  for (const name of names)
    made.set(name, await plantMade(site, name, keys.get(name) ?? '', direct, (ask) => call(name, ask)))
}, 120_000)

afterAll(async () => {
  await site?.close()
  await account?.close()
  upstream.close()
})

/** Calls that name one thing of another key, and read it. */
const reads: readonly ((made: Made) => Ask)[] = [
  ({ drawing }) => get(`/mj/task/${drawing}/fetch`),
  ({ drawing }) => get(`/mj/task/${drawing}/image-seed`),
  ({ song }) => get(`/suno/fetch/${song}`),
  ({ response }) => get(`/v1/responses/${response}`),
  ({ completion }) => get(`/v1/chat/completions/${completion}`),
  ({ completion }) => get(`/v1/chat/completions/${completion}/messages`),
  ({ conversation }) => get(`/v1/conversations/${conversation}`),
  ({ conversation }) => get(`/v1/conversations/${conversation}/items`),
  ({ conversation, item }) => get(`/v1/conversations/${conversation}/items/${item}`),
  ({ file }) => get(`${direct}/v1/files/${file}`),
  ({ file }) => get(`${direct}/v1/files/${file}/content`),
  ({ batch }) => get(`${direct}/v1/batches/${batch}`),
  ({ batchOutput }) => get(`${direct}/v1/files/${batchOutput}/content`),
]

const naming = (file_id: string) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
})

/** Calls that change a thing, or go on from it. */
const changes: readonly ((made: Made) => Ask)[] = [
  ({ drawing }) => post('/mj/notify', { id: drawing }),
  ({ drawing }) => post('/mj/submit/change', { taskId: drawing, action: 'UPSCALE', index: 1 }),
  ({ song }) => post('/suno/submit/music', { task_id: song, continue_clip_id: 'clip', prompt: 'on' }),
  ({ response }) => post('/v1/responses', { model: 'gpt-4o', input: 'on', previous_response_id: response }),
  ({ response }) => ({ method: 'DELETE', path: `/v1/responses/${response}` }),
  ({ completion }) => post(`/v1/chat/completions/${completion}`, { metadata: { a: 'b' } }),
  ({ completion }) => ({ method: 'DELETE', path: `/v1/chat/completions/${completion}` }),
  ({ conversation }) => post(`/v1/conversations/${conversation}`, { metadata: { a: 'b' } }),
  ({ conversation }) => post(`/v1/conversations/${conversation}/items`, { items: [{ role: 'user', content: 'x' }] }),
  ({ conversation, item }) => ({ method: 'DELETE', path: `/v1/conversations/${conversation}/items/${item}` }),
  ({ conversation }) => ({ method: 'DELETE', path: `/v1/conversations/${conversation}` }),
  ({ content }) => get(`/v1beta/${content}`),
  ({ content }) => ({ method: 'PATCH', path: `/v1beta/${content}`, body: { ttl: '60s' } }),
  ({ content }) => ({ method: 'DELETE', path: `/v1beta/${content}` }),
  ({ file }) => ({ method: 'DELETE', path: `${direct}/v1/files/${file}` }),
  ({ batch }) => post(`${direct}/v1/batches/${batch}/cancel`, {}),
  ({ file }) => post(`${direct}/v1/batches`, { input_file_id: file }),
  ({ file }) => post(`${direct}/v1/vector_stores`, { file_ids: [file] }),
  ({ file }) => post(`${direct}/v1/chat/completions`, naming(file)),
  ({ file }) => post('/v1/chat/completions', naming(file)),
]

/** What is there for nobody, named alike. */
const nothing: Made = {
  drawing: 'nodrawing',
  song: 'nosong',
  response: 'resp_none',
  completion: 'chat_none',
  conversation: 'conv_none',
  item: 'msg_none',
  content: 'cachedContents/none',
  file: 'file-none',
  batch: 'batch_none',
  batchOutput: 'file-outnone',
}

/** Status and text of an answer without the names of what was asked for, and of the call. */
const shapeOf = ({ status, text }: Answer, of: Made): string =>
  Object.values(of)
    // The longest first: some names stand in others.
    .toSorted((left, right) => right.length - left.length)
    .reduce((shape, name) => shape.replaceAll(name, '…'), `${status} ${text}`)
    .replaceAll('none', '…')
    .replace(/"created(_at)?":\d+|[0-9a-f-]{20,}|(resp|chat)_\d+|request id: \S+/g, '…')

it('a key reads what its member made, or for a machine what its project made', async () => {
  for (const maker of names) {
    const things = made.get(maker) ?? nothing
    for (const reader of readersOf[maker] ?? [])
      for (const read of reads) {
        const ask = read(things)
        const answer = await call(reader, ask)
        expect([maker, reader, ask.path, answer.status, answer.text.slice(0, 300)]).toEqual([
          ...[maker, reader, ask.path, 200],
          ask.path.endsWith('image-seed') ? expect.stringContaining('seed') : answer.text.slice(0, 300),
        ])
        if (!ask.path.endsWith('image-seed')) expect([ask.path, makersIn(answer.text)]).toEqual([ask.path, [maker]])
      }
  }
}, 120_000)

it('every other key is answered as for a thing that is not there, and changes nothing', async () => {
  for (const reader of names) {
    const foreign = names.filter((maker) => !readersOf[maker]?.includes(reader))
    for (const aim of [...reads, ...changes]) {
      const unknown = await call(reader, aim(nothing))
      for (const maker of foreign) {
        const things = made.get(maker) ?? nothing
        const ask = aim(things)
        sent.length = 0
        account.received.length = 0
        const answer = await call(reader, ask)
        const what = [reader, maker, ask.method, ask.path, JSON.stringify(ask.body)].join(' ')
        expect(makersIn(answer.text), what).toEqual([])
        // Nothing that names somebody else's thing goes to the account.
        expect([what, account.received]).toEqual([what, []])
        // A provider that knows the response would go on from it, so it is never asked.
        if (JSON.stringify(ask.body)?.includes('previous_response_id')) {
          expect([what, answer.status, sent]).toEqual([what, 400, []])
          continue
        }
        expect(`${what}: ${shapeOf(answer, things)}`).toBe(`${what}: ${shapeOf(unknown, nothing)}`)
      }
    }
  }
  for (const maker of names)
    for (const read of reads) expect((await call(maker, read(made.get(maker) ?? nothing))).status).toBe(200)
}, 240_000)

it('lists hold what the key may read, and nothing else', async () => {
  const things = [...made.values()]
  const lists = [
    post('/mj/task/list-by-condition', { ids: things.map(({ drawing }) => drawing) }),
    post('/suno/fetch', { ids: things.map(({ song }) => song) }),
    get('/v1/chat/completions?limit=100'),
    get('/v1beta/cachedContents?pageSize=100'),
    get(`${direct}/v1/files?limit=100`),
    get(`${direct}/v1/batches?limit=100`),
  ]
  for (const reader of names) {
    const readable = names.filter((maker) => readersOf[maker]?.includes(reader)).toSorted()
    for (const ask of lists) {
      const answer = await call(reader, ask)
      expect([reader, ask.path, makersIn(answer.text).toSorted()]).toEqual([reader, ask.path, readable])
    }
  }
})

it('rows from before their key was written are read by every key of their payer, as before', async () => {
  const { query } = site.database
  for (const table of ['midjourneys', 'tasks'] as const) await query.updateTable(table).set({ token_id: 0 }).execute()
  for (const maker of names.filter((name) => name !== 'outsider'))
    for (const reader of names) {
      const { drawing, song } = made.get(maker) ?? nothing
      const found = [
        await call(reader, get(`/mj/task/${drawing}/fetch`)),
        await call(reader, get(`/suno/fetch/${song}`)),
      ]
      const seen = found.map(({ text }) => makersIn(text).length)
      expect([maker, reader, seen]).toEqual([maker, reader, reader === 'outsider' ? [0, 0] : [1, 1]])
    }
})
