import { describe, expect, it } from 'vitest'
import { account, call, form, idOf, open, useFencedChannel } from '../support/direct/fenced-channel.ts'
import { testToken, testUser } from '../support/gateway/listener.ts'
import { gateway, useChannels } from '../support/gateway/scene.ts'

useFencedChannel()

/** Batches of a key, of files that another key of the same maker has uploaded. `good` has no list of models, `narrow` is another key of the same person. */

const project = { id: 5, organisationId: 3, teamId: 4, memberId: 0, name: 'p' }

const narrow = (...models: readonly string[]): void => {
  gateway.tokens.set('narrow', { ...testToken, tokenId: 31, modelLimits: new Set(models) })
}

const line = (model: string, more: object = {}): string =>
  JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/responses', body: { model, input: 'hi', ...more } })

const upload = async (who: string, text: string): Promise<string> => {
  const answer = await call(who, '/v1/files', { body: form(text) })
  expect(answer.status).toBe(200)
  return idOf(answer)
}

const googleUpload = async (who: 'good' | 'narrow', text: string): Promise<string> => {
  const send = async (query: string, headers: Readonly<Record<string, string>>, body: string) =>
    fetch(`${gateway.url}/p/7/upload/v1beta/files${query}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': `sk-${who}`, ...headers },
      body,
    })
  const begun = await send('', { 'x-goog-upload-command': 'start' }, '{"file":{}}')
  await begun.text()
  const { search } = new URL(begun.headers.get('x-goog-upload-url') ?? '')
  const headers = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' }
  const done = (await (await send(search, headers, text)).json()) as { readonly file: { readonly name: string } }
  return done.file.name
}

/** The calls by which providers make a batch of a file. */
const batches = [
  ['OpenAI', '/v1/batches', (id: string) => ({ input_file_id: id, endpoint: '/v1/responses' })],
  ['Azure', '/openai/batches', (id: string) => ({ input_file_id: id, endpoint: '/v1/responses' })],
  ['Mistral', '/v1/batch/jobs', (id: string) => ({ input_files: [id], model: 'cheap', endpoint: '/v1/chat' })],
] as const

describe.each([true, false])('where things are shared: %s', (shared) => {
  const openChannel = () => useChannels(open({ shared }))

  it.each(batches)('a key with a list makes no batch of lines for other models: %s', async (_, path, body) => {
    openChannel()
    narrow('cheap', 'passthrough')
    const dear = await upload('good', `${line('cheap')}\n${line('dear')}`)
    const cheap = await upload('good', `${line('cheap')}\n${line('cheap')}`)
    const fallbacks = await upload('good', line('cheap', { models: ['dear'] }))
    const routed = await upload('good', line('cheap', { plugins: [{ id: 'fusion' }] }))
    const letters = await upload('good', line('cheap', { MODEL: 'dear' }))
    account().received.length = 0
    for (const [id, status] of [
      [dear, 403],
      [fallbacks, 403],
      [routed, 400],
      [letters, 400],
    ] as const)
      expect([id, (await call('narrow', path, { body: body(id) })).status]).toEqual([id, status])
    expect(account().received).toEqual([])
    expect((await call('narrow', path, { body: body(cheap) })).status).toBe(200)
    for (const id of [dear, cheap]) expect((await call('good', path, { body: body(id) })).status).toBe(200)
    // A list that has grown since counts as it is.
    narrow('cheap', 'dear', 'passthrough')
    expect((await call('narrow', path, { body: body(dear) })).status).toBe(200)
    narrow('other', 'passthrough')
    expect((await call('narrow', path, { body: body(cheap) })).status).toBe(403)
  })

  it('a file of Google’s is held to the list in the same way', async () => {
    openChannel()
    narrow('cheap', 'passthrough')
    const request = (model: string) => JSON.stringify({ key: 'a', request: { model: `models/${model}`, contents: [] } })
    const dear = await googleUpload('good', request('dear'))
    const cheap = await googleUpload('good', request('cheap'))
    account().received.length = 0
    const make = (file: string, member = 'fileName') =>
      call('narrow', '/v1beta/models/cheap:batchGenerateContent', {
        body: { batch: { inputConfig: { [member]: file } } },
      })
    for (const [file, member] of [
      [dear, 'fileName'],
      [dear, 'file_name'],
      [`https://generativelanguage.googleapis.com/v1beta/${dear}`, 'fileName'],
    ] as const)
      expect([file, member, (await make(file, member)).status]).toEqual([file, member, 403])
    for (const unread of [`${dear}/`, 'gs://bucket/lines.jsonl']) expect((await make(unread)).status).toBe(400)
    expect(account().received).toEqual([])
    expect((await make(cheap)).status).toBe(200)
  })

  it('lines in the body are those of the call itself: Anthropic', async () => {
    openChannel()
    narrow('cheap', 'passthrough')
    const batch = (model: string) => ({
      requests: [{ custom_id: 'a', params: { model, max_tokens: 1, messages: [] } }],
    })
    account().received.length = 0
    expect((await call('narrow', '/v1/messages/batches', { body: batch('dear') })).status).toBe(403)
    expect(account().received).toEqual([])
    expect((await call('narrow', '/v1/messages/batches', { body: batch('cheap') })).status).toBe(200)
  })

  it('lines that are not remembered, or stand elsewhere, are no input of a key with a list', async () => {
    openChannel()
    narrow('cheap', 'passthrough')
    const made = { userId: testUser.id, tokenId: testToken.tokenId, projectId: 0, memberId: 0 }
    for (const kind of ['files', 'batch_inputs'])
      gateway.parts.madeObjects.note([{ kind, id: 'file-before' }], made, { channelId: 7, key: 'sk-account' })
    account().received.length = 0
    const unknown = await call('narrow', '/v1/batches', { body: { input_file_id: 'file-before' } })
    expect([unknown.status, unknown.text]).toEqual([403, expect.stringContaining('batch_input_unknown')])
    const blob = { input_blob: 'https://storage.example/lines.jsonl' }
    expect((await call('narrow', '/openai/batches', { body: blob })).status).toBe(400)
    expect(account().received).toEqual([])
    expect((await call('good', '/v1/batches', { body: { input_file_id: 'file-before' } })).status).toBe(200)
    expect((await call('good', '/openai/batches', { body: blob })).status).toBe(shared ? 200 : 400)
  })
})

it('a file of somebody else is not found, whatever its lines name', async () => {
  narrow('cheap', 'passthrough')
  for (const model of ['cheap', 'dear']) {
    const id = await upload('ben', line(model))
    account().received.length = 0
    const refused = await call('narrow', '/v1/batches', { body: { input_file_id: id } })
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('object_not_found')])
    expect(account().received).toEqual([])
  }
})

it('a file that has no lines is imported by a store, and is no input of a batch', async () => {
  const file = await googleUpload('good', 'a text of people')
  const store = idOf(await call('good', '/v1beta/fileSearchStores', { body: {} }))
  const take = (who: string) => call(who, `/v1beta/fileSearchStores/${store}:importFile`, { body: { fileName: file } })
  expect([(await take('good')).status, (await take('ben')).status]).toEqual([200, 404])
  const batch = { batch: { inputConfig: { fileName: file } } }
  expect((await call('good', '/v1beta/models/cheap:batchGenerateContent', { body: batch })).status).toBe(404)
})

it('lines are remembered where all was shared, and by channels with the same account', async () => {
  useChannels(open({ shared: true }), open({}, { id: 8 }))
  narrow('cheap', 'passthrough')
  const dear = await upload('good', line('dear'))
  const cheap = await upload('good', line('cheap'))
  for (const [id, status] of [
    [dear, 403],
    [cheap, 200],
  ] as const)
    expect((await call('narrow', '/v1/batches', { body: { input_file_id: id }, channel: 8 })).status).toBe(status)
})

describe('objects that lines name', () => {
  const machine = (name: string, tokenId: number, changes: object = {}): void => {
    gateway.tokens.set(name, { ...testToken, tokenId, project: { ...project, ...changes } })
  }

  it('are held to the key that makes the batch, which may read less than the one that uploaded them', async () => {
    // A member of two projects, whose key in the second has a secret that others know.
    machine('member', 41, { memberId: 6 })
    machine('known', 42, { memberId: 6, isShared: true })
    machine('elsewhere', 43, { id: 9, memberId: 6 })
    const other = idOf(await call('elsewhere', '/v1/files', { body: { text: 'of the other project' } }))
    const naming = (id: string) => line('cheap', { input: [{ type: 'input_file', file_id: id }] })
    const input = await upload('member', naming(other))
    account().received.length = 0
    const refused = await call('known', '/v1/batches', { body: { input_file_id: input } })
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('object_not_found')])
    expect(account().received).toEqual([])
    expect((await call('member', '/v1/batches', { body: { input_file_id: input } })).status).toBe(200)
    const own = idOf(await call('member', '/v1/files', { body: { text: 'of this project' } }))
    const plain = await upload('member', naming(own))
    expect((await call('known', '/v1/batches', { body: { input_file_id: plain } })).status).toBe(200)
  })
})
