import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type Bench, openBench } from '../../../../test/support/features/channel-test-bench.ts'
import { signedIn } from '../../../../test/support/features/signed-in.ts'
import type { Answers } from '../../../../test/support/features/upstream.ts'
import type { Database } from '../../../db/database.ts'
import { channelRoutes } from '../routes.ts'

const body = { choices: [{ message: { content: 'hello' } }], usage: { prompt_tokens: 4, completion_tokens: 2 } }
const path = '/api/channel/test/unsaved'
const typed = { type: 1, base_url: 'https://up.example/', key: 'sk-typed\nsk-second', models: 'gpt-4o' }
const english = { 'accept-language': 'en' }

describeEachEngine('a channel that is not saved', (open) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
  })

  const benchOf = (answer: Answers): Promise<Bench> => openBench(database, answer)

  it('is asked as a saved one: mapping, overrides and settings of the form hold, and nothing is stored', async () => {
    const bench = await benchOf({ status: 200, body })
    const channel = {
      ...typed,
      model_mapping: '{"gpt-4o":"deployed"}',
      param_override: '{"temperature":0}',
      setting: '{"header_override":{"X-Tenant":"one"}}',
    }
    const tested = await bench.data('POST', path, { channel, model: 'gpt-4o', prompt: 'Say hello' })
    expect(tested).toMatchObject({ time: 1.25, answer: 'hello', prompt_tokens: 4, completion_tokens: 2 })
    const [asked] = bench.upstream.requests
    expect(asked).toMatchObject({ origin: 'https://up.example', headers: { authorization: 'Bearer sk-typed' } })
    expect(asked?.headers['x-tenant']).toBe('one')
    expect(JSON.parse(String(asked?.body))).toMatchObject({ model: 'deployed', temperature: 0 })
    expect(await bench.list()).toEqual([])
    expect(bench.logs).toMatchObject([{ channelId: 0, model: 'gpt-4o', promptTokens: 4 }])
    expect(bench.traces.at(-1)).toMatchObject({ action: 'channel.test', objectId: 0, after: { model: 'gpt-4o' } })
  })

  it('takes what was not changed from the stored one, its key included, which stays as it is', async () => {
    const bench = await benchOf({ status: 200, body })
    const { id } = await bench.create({ base_url: 'https://old.example', test_model: 'gpt-4o' })
    await bench.data('POST', path, { id, channel: { base_url: 'https://new.example' } })
    expect(bench.upstream.requests[0]).toMatchObject({
      origin: 'https://new.example',
      headers: { authorization: 'Bearer sk-0123456789abcdef' },
    })
    expect(bench.logs).toMatchObject([{ channelId: id, model: 'gpt-4o' }])
    expect(await bench.data('GET', `/api/channel/${id}`)).toMatchObject({
      base_url: 'https://old.example',
      test_time: 0,
      response_time: 0,
    })
  })

  const failure = (code: string): Error => Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code })

  it.each<[string, Answers, string]>([
    [
      'a refused connection',
      failure('ECONNREFUSED'),
      'Nothing answers at https://up.example (connection refused). Check host and port; inside Docker, localhost is the container: use host.docker.internal.',
    ],
    [
      'a refused key',
      { status: 401, body: { error: { message: 'Incorrect API key' } } },
      'https://up.example/v1/chat/completions refused the key (401): Incorrect API key. Check the key and its permissions.',
    ],
    [
      'an unknown path',
      { status: 404, body: { error: { message: 'no such model' } } },
      'https://up.example/v1/chat/completions answered 404: no such model. Check the base URL and the name of the model.',
    ],
    [
      'another refusal',
      { status: 503, body: { error: { message: 'The model is overloaded' } } },
      'status code 503: The model is overloaded',
    ],
  ])('says what to do about %s, and how long it took', async (_, answer, message) => {
    const bench = await benchOf(answer)
    const { json } = await bench.call('POST', path, { channel: typed }, english)
    expect(json).toMatchObject({ success: false, message, time: 1.25 })
    expect(bench.logs).toEqual([])
  })

  it.each<[string, object, string]>([
    ['has no key', { ...typed, key: '' }, 'Fill in the key'],
    ['has an address of a metadata service', { ...typed, base_url: 'http://169.254.169.254' }, 'is not allowed'],
    ['has settings that could not be saved', { ...typed, param_override: '[' }, 'parameter override'],
    ['has a group that does not exist', { ...typed, group: 'nobody' }, 'nobody'],
  ])('is not asked where it %s', async (_, channel, message) => {
    const bench = await benchOf({ status: 200, body })
    const { json } = await bench.call('POST', path, { channel }, english)
    expect(json).toMatchObject({ success: false })
    expect(String(json.message).toLowerCase()).toContain(message.toLowerCase())
    expect(bench.upstream.requests).toEqual([])
  })

  it('is for admins only', async () => {
    const bench = await benchOf({ status: 200, body })
    const user = signedIn((on) => channelRoutes(on, bench.parts), { role: 1 })
    expect((await user('POST', path, { channel: typed })).json).toMatchObject({ code: 'permission_denied' })
    expect(bench.upstream.requests).toEqual([])
  })
})
