import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { type BatchScene, openBatchScene } from '../tests/batch-scene.ts'

describeEachEngine('batches', (open) => {
  let database: Database
  let batch: BatchScene

  beforeEach(async () => {
    database = await open()
    batch = await openBatchScene(database)
    batch.scene.upstream.answer = (call) => {
      const isBad = call.body.toString().includes('bad')
      json(
        isBad ? { error: { message: 'no', type: 'invalid_request_error' } } : completion('ok'),
        isBad ? 400 : 200,
      )(call)
    }
  })
  afterEach(async () => {
    await batch.close()
  })

  const message = (name: string, text = name) => ({
    custom_id: name,
    params: { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: text }] },
  })

  it('of Anthropic are translated to any provider, and their results read as lines', async () => {
    const requests = [message('a'), message('b', 'bad'), message('c')]
    const made = await batch.call('POST', '/v1/messages/batches', { requests })
    expect(made.json).toMatchObject({
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 3, succeeded: 0 },
      results_url: null,
    })
    const path = `/v1/messages/batches/${made.json.id}`
    const early = await batch.call('GET', `${path}/results`)
    expect([200, 409]).toContain(early.status)
    await expect
      .poll(async () => (await batch.call('GET', path)).json.processing_status, { timeout: 30_000 })
      .toBe('ended')
    const { json: ended } = await batch.call('GET', path)
    expect(ended.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 })
    expect(ended.results_url).toBe(`${batch.scene.gateway.url}${path}/results`)
    const { text } = await batch.call('GET', `${path}/results`)
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((left, right) => left.custom_id.localeCompare(right.custom_id))
    expect(results).toMatchObject([
      { custom_id: 'a', result: { type: 'succeeded', message: { type: 'message', role: 'assistant' } } },
      {
        custom_id: 'b',
        result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error' } } },
      },
      { custom_id: 'c', result: { type: 'succeeded' } },
    ])
    expect((await batch.call('GET', '/v1/messages/batches?limit=5')).json).toMatchObject({
      data: [{ id: made.json.id }],
      has_more: false,
    })
    expect((await batch.call('DELETE', path)).json).toEqual({ id: made.json.id, type: 'message_batch_deleted' })
    expect((await batch.call('GET', path)).status).toBe(404)
    expect(await database.query.selectFrom('batch_chunks').selectAll().execute()).toEqual([])
  })

  it('of Anthropic are refused as a whole where a request cannot be read', async () => {
    const refused = async (requests: unknown) => (await batch.call('POST', '/v1/messages/batches', { requests })).json
    for (const requests of [[], [message('a'), message('a')], [{ custom_id: 'no spaces' }], [{ custom_id: 'a' }]])
      expect(await refused(requests)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(await database.query.selectFrom('batches').selectAll().execute()).toEqual([])
  })

  const content = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] })
  const create = (batchBody: object) =>
    batch.call('POST', '/v1beta/models/gpt-4o:batchGenerateContent', { batch: batchBody })
  const ended = async (name: string) => {
    await expect
      .poll(async () => (await batch.call('GET', `/v1beta/${name}`)).json?.done, { timeout: 30_000 })
      .toBe(true)
    return (await batch.call('GET', `/v1beta/${name}`)).json
  }

  it('of Gemini answer in the operation, in the order of their requests', async () => {
    batch.scene.upstream.answer = (call) => {
      const { messages } = JSON.parse(call.body.toString())
      const text: string = JSON.stringify(messages)
      const number = Number(/q(\d+)/.exec(text)?.[1])
      setTimeout(() => json(completion(`answer ${number}`))(call), (10 - number) * 30)
    }
    const requests = Array.from({ length: 8 }, (_, index) => ({
      request: content(`q${index}`),
      metadata: { key: `k${index}` },
    }))
    const made = await create({ displayName: 'mine', inputConfig: { requests: { requests } } })
    expect(made.json).toMatchObject({ done: false, metadata: { displayName: 'mine', model: 'models/gpt-4o' } })
    const done = await ended(made.json.name)
    expect(done.metadata).toMatchObject({
      state: 'BATCH_STATE_SUCCEEDED',
      batchStats: { requestCount: '8', successfulRequestCount: '8', pendingRequestCount: '0' },
    })
    const answers = done.metadata.output.inlinedResponses.inlinedResponses
    expect(
      answers.map((answer: { metadata: { key: string }; response: { candidates: { content: object }[] } }) => [
        answer.metadata.key,
        answer.response.candidates[0]?.content,
      ]),
    ).toEqual(requests.map((_, index) => [`k${index}`, { role: 'model', parts: [{ text: `answer ${index}` }] }]))
    expect((await batch.call('GET', '/v1beta/batches')).json).toMatchObject({ operations: [{ name: made.json.name }] })
    // Version 1 shares its path with OpenAI's clients.
    const googles = { 'x-goog-api-key': 'sk-good' }
    expect((await batch.call('GET', `/v1/${made.json.name}`, undefined, googles)).json.done).toBe(true)
    expect((await batch.call('GET', '/v1/batches', undefined, googles)).json.operations).toHaveLength(1)
    const none = await batch.call('GET', '/v1/batches/none', undefined, googles)
    expect(none.json).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
    expect((await batch.call('GET', `/v1/${made.json.name}`)).status).toBe(404)
    expect((await batch.call('DELETE', `/v1beta/${made.json.name}`)).status).toBe(200)
    expect((await batch.call('GET', `/v1beta/${made.json.name}`)).status).toBe(404)
  })

  it('of Gemini read a file, and answer in one', async () => {
    const lines = ['a', 'bad'].map((key) => JSON.stringify({ key, request: content(key) }))
    const file = await batch.file(lines)
    const made = await create({ inputConfig: { fileName: file.replace('file-', 'files/') } })
    const done = await ended(made.json.name)
    const name: string = done.metadata.output.responsesFile
    const text = await batch.textOf(name.replace('files/', 'file-'))
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((left, right) => left.key.localeCompare(right.key))
    expect(results).toMatchObject([
      { key: 'a', response: { candidates: [{}] } },
      { key: 'bad', error: { code: 400 } },
    ])
    expect((await create({ inputConfig: { fileName: 'files/none' } })).status).toBe(404)
    const wrong = await create({ inputConfig: { fileName: (await batch.file(['{'])).replace('file-', 'files/') } })
    expect(await ended(wrong.json.name)).toMatchObject({
      metadata: { state: 'BATCH_STATE_FAILED' },
      error: { code: 3 },
    })
  })
})
