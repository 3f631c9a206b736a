import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cost } from '../../src/billing/cost.ts'
import { noUsage, type Usage } from '../../src/billing/usage.ts'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { type Answer, json, lines } from '../support/batches/batch-provider.ts'
import { type BatchNode, type BatchScene, openBatchScene, shippedPrices } from '../support/batches/batch-scene.ts'
import { answered, failedLine, inputFile, openaiBatch } from '../support/batches/openai-lines.ts'
import { describeWithDatabase } from '../support/db/databases.ts'

/** Batches in the forms of each provider, as its documentation has them. */

describeWithDatabase('a batch in the form of', (open) => {
  let scene: BatchScene
  let node: BatchNode

  const begin = async (type: number): Promise<void> => {
    const provider = providerOf(type)
    const changes: Partial<RelayChannel> = { type, ...(provider === undefined ? {} : { provider }) }
    scene = await openBatchScene(await open(), { changes })
    node = await scene.node()
  }
  afterEach(() => scene.close())

  const answer = (call: string, one: Answer): void => void scene.provider.answers.set(call, one)

  const amounts = async (): Promise<readonly number[]> => {
    await node.settled()
    expect(await scene.differences()).toEqual([])
    return (await scene.charges()).map(({ amount }) => 0 - amount)
  }

  /** Quota units of answers of a model in a batch. */
  const priced = async (model: string, ...usages: readonly Partial<Usage>[]): Promise<number> => {
    const price = (await shippedPrices()).of(model, 'default', { acceptsUnpriced: false })
    if (price === undefined) throw new Error(`${model} has no price`)
    return usages.reduce((sum, usage) => sum + cost({ ...noUsage, ...usage, tier: 'batch' }, price), 0)
  }

  const [openai, azure, anthropic, gemini, mistral, xai] = [1, 3, 14, 24, 42, 48]

  describe('Azure', () => {
    it('has files and batches below /openai with a version, and lines that name a deployment', async () => {
      await begin(azure)
      const version = '?api-version=2024-10-21'
      answer('POST /openai/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
      answer('POST /openai/batches', json(openaiBatch('validating')))
      const done = { output_file_id: 'file-out', request_counts: { total: 2, completed: 1, failed: 1 } }
      answer('GET /openai/batches/batch_1', json(openaiBatch('completed', done)))
      answer('GET /openai/files/file-out/content', lines([answered('gpt-4o-2024-08-06', 1000, 100), failedLine]))
      expect((await node.post(`/openai/files${version}`, inputFile('my-deployment', 2))).status).toBe(200)
      expect((await node.post(`/openai/batches${version}`, { input_file_id: 'file-in' })).status).toBe(200)
      expect((await node.get(`/openai/batches/batch_1${version}`)).status).toBe(200)
      expect(await amounts()).toEqual([await priced('gpt-4o', { input: 1000, output: 100 })])
      expect(scene.provider.received.at(-1)).toBe(`GET /openai/files/file-out/content${version}`)
    })
  })

  describe('hosts with the form of OpenAI', () => {
    it.each([
      ['/openai/v1', 'llama-3.3-70b-versatile'],
      ['/api/paas/v4', 'glm-4.5'],
      ['/compatible-mode/v1', 'qwen-plus'],
    ])('are read below %s', async (prefix, model) => {
      await begin(openai)
      answer(`POST ${prefix}/files`, json({ id: 'file-in', object: 'file', purpose: 'batch' }))
      answer(`POST ${prefix}/batches`, json(openaiBatch('validating')))
      answer(`GET ${prefix}/batches/batch_1`, json(openaiBatch('completed', { output_file_id: 'file-out' })))
      answer(`GET ${prefix}/files/file-out/content`, lines([answered(model, 1_000_000, 100_000)]))
      expect((await node.post(`${prefix}/files`, inputFile(model, 2))).status).toBe(200)
      expect((await node.post(`${prefix}/batches`, { input_file_id: 'file-in' })).status).toBe(200)
      expect((await node.get(`${prefix}/batches/batch_1`)).status).toBe(200)
      const [charge = 0] = await amounts()
      expect(charge).toBeGreaterThan(0)
      expect(scene.provider.received.at(-1)).toBe(`GET ${prefix}/files/file-out/content`)
    })

    it('may wrap the batch that they make, and shout its states', async () => {
      await begin(openai)
      answer('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
      answer('POST /v1/batches', json({ job: openaiBatch('VALIDATING') }))
      answer('GET /v1/batches/batch_1', json(openaiBatch('COMPLETED', { output_file_id: 'file-out' })))
      answer('GET /v1/files/file-out/content', lines([answered('gpt-5.5', 1000, 100)]))
      await node.post('/v1/files', inputFile('gpt-5.5', 1))
      expect((await node.post('/v1/batches', { input_file_id: 'file-in' })).status).toBe(200)
      expect((await node.get('/v1/batches/batch_1')).status).toBe(200)
      expect(await amounts()).toEqual([await priced('gpt-5.5', { input: 1000, output: 100 })])
    })

    it('may have lines of the Responses API and of vectors', async () => {
      await begin(openai)
      answer('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
      answer('POST /v1/batches', json(openaiBatch('validating')))
      answer('GET /v1/batches/batch_1', json(openaiBatch('completed', { output_file_id: 'file-out' })))
      const usage = {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 400 },
        output_tokens: 100,
        output_tokens_details: { reasoning_tokens: 60 },
        total_tokens: 1100,
      }
      const line = (body: object) => ({ custom_id: 'a', response: { status_code: 200, body }, error: null })
      const response = {
        id: 'resp_1',
        object: 'response',
        model: 'gpt-5.5',
        output: [],
        service_tier: 'default',
        usage,
      }
      const vectors = {
        object: 'list',
        data: [],
        model: 'text-embedding-3-small',
        usage: { prompt_tokens: 5000, total_tokens: 5000 },
      }
      answer('GET /v1/files/file-out/content', lines([line(response), line(vectors)]))
      await node.post('/v1/files', inputFile('gpt-5.5', 2))
      await node.post('/v1/batches', { input_file_id: 'file-in' })
      await node.get('/v1/batches/batch_1')
      const own = await priced('gpt-5.5', { input: 600, cacheRead: 400, output: 100, reasoning: 60 })
      expect(await amounts()).toEqual([own + (await priced('text-embedding-3-small', { input: 5000 }))])
      const [row] = await scene.logs()
      expect(row).toMatchObject({ prompt_tokens: 6000, completion_tokens: 100 })
    })
  })

  describe('OpenRouter', () => {
    const base = '/v1'
    const sum = { prompt_tokens: 3000, completion_tokens: 300, total_tokens: 3300 }
    const cached = { prompt_tokens_details: { cached_tokens: 400 } }
    const first = answered('gpt-5.5', 1000, 100, cached)
    const second = answered('gpt-5.4', 2000, 200)
    const done = (more: object = {}) =>
      openaiBatch('completed', {
        input_file_id: undefined,
        model: 'gpt-5.5',
        request_counts: { total: 3, completed: 2, failed: 1 },
        usage: sum,
        ...more,
      })
    const bill = async (object: object): Promise<readonly number[]> => {
      await begin(openai)
      answer(`POST ${base}/batches`, json(openaiBatch('validating', { model: 'gpt-5.5' })))
      answer(`GET ${base}/batches/batch_1`, json(object))
      const requests = [1, 2, 3].map((id) => ({
        custom_id: String(id),
        body: { max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
      }))
      const made = { endpoint: '/v1/chat/completions', model: 'gpt-5.5', requests }
      expect((await node.post(`${base}/batches`, made)).status).toBe(200)
      expect((await node.get(`${base}/batches/batch_1`)).status).toBe(200)
      return amounts()
    }
    const byLines = async () =>
      (await priced('gpt-5.5', { input: 600, cacheRead: 400, output: 100 })) +
      (await priced('gpt-5.4', { input: 2000, output: 200 }))

    it('is charged by the results in its object, each at the price of its own model', async () => {
      expect(await bill(done({ results: [first, failedLine, second] }))).toEqual([await byLines()])
    })

    it('is charged by the pages of its results where the object has none of them, or some', async () => {
      for (const results of [null, [first]]) {
        await scene?.close()
        const pages = [
          { object: 'list', data: [first, failedLine], has_more: true, next_cursor: 'a b' },
          { object: 'list', data: [second], has_more: false, next_cursor: null },
        ]
        const asked: string[] = []
        const paid = async (): Promise<readonly number[]> => {
          await begin(openai)
          answer(`GET ${base}/batches/batch_1/results`, (call, response) => {
            asked.push(call.url ?? '')
            json(pages[asked.length - 1] ?? {})(call, response, Buffer.alloc(0))
          })
          answer(`POST ${base}/batches`, json(openaiBatch('validating', { model: 'gpt-5.5' })))
          answer(`GET ${base}/batches/batch_1`, json(done({ results })))
          await node.post(`${base}/batches`, {
            endpoint: '/v1/chat/completions',
            model: 'gpt-5.5',
            requests: [{ custom_id: '1', body: { max_tokens: 100, messages: [] } }],
          })
          await node.get(`${base}/batches/batch_1`)
          return amounts()
        }
        expect(await paid()).toEqual([await byLines()])
        expect(asked).toEqual([
          `${base}/batches/batch_1/results?limit=1000`,
          `${base}/batches/batch_1/results?limit=1000&cursor=a%20b`,
        ])
      }
    })

    it('is charged by its sum where it has no results', async () => {
      expect(await bill(done())).toEqual([await priced('gpt-5.5', { input: 3000, output: 300 })])
    })
  })

  describe('Anthropic', () => {
    const made = (status: string, more: object = {}) => ({
      id: 'msgbatch_1',
      type: 'message_batch',
      processing_status: status,
      request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      results_url: null,
      ...more,
    })
    const message = (usage: object) => ({
      custom_id: 'a',
      result: {
        type: 'succeeded',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-4-5-20251101',
          content: [],
          usage,
        },
      },
    })
    const other = (type: string) => ({ custom_id: 'b', result: { type, error: { type: 'error' } } })
    const results = [
      message({ input_tokens: 1000, output_tokens: 100, cache_read_input_tokens: 2000, service_tier: 'batch' }),
      message({ input_tokens: 10, output_tokens: 10, service_tier: 'batch' }),
      ...['errored', 'canceled', 'expired'].map(other),
    ]
    const params = { model: 'claude-opus-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
    const expected = () =>
      priced('claude-opus-4-5', { input: 1000, output: 100, cacheRead: 2000 }, { input: 10, output: 10 })

    beforeEach(async () => {
      await begin(anthropic)
      answer('POST /v1/messages/batches', json(made('in_progress')))
      answer('GET /v1/messages/batches/msgbatch_1/results', lines(results))
      const requests = Array.from({ length: 5 }, (_, index) => ({ custom_id: String(index), params }))
      expect((await node.post('/v1/messages/batches', { requests })).status).toBe(200)
      await node.settled()
      expect(node.pending()).toBeGreaterThan(0)
    })

    it('is charged by its results, which are read beside its object', async () => {
      const counts = { processing: 0, succeeded: 2, errored: 1, canceled: 1, expired: 1 }
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: counts })))
      await node.get('/v1/messages/batches/msgbatch_1')
      expect(await amounts()).toEqual([await expected()])
      expect(node.pending()).toBe(0)
    })

    it('is counted while its client reads the results, which nobody else reads then', async () => {
      const read = await node.get('/v1/messages/batches/msgbatch_1/results')
      expect(read.text).toBe(results.map((line) => `${JSON.stringify(line)}\n`).join(''))
      expect(await amounts()).toEqual([await expected()])
      expect(scene.provider.received.filter((call) => call.startsWith('GET'))).toHaveLength(1)
    })

    it('is read by the gateway where what its client reads is not all of the results', async () => {
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: { succeeded: 2 } })))
      answer('GET /v1/messages/batches/msgbatch_1/results', (call, response, body) => {
        if (!call.url?.includes('?')) return lines(results)(call, response, body)
        lines(results.slice(1, 2))(call, response, body)
      })
      await node.get('/v1/messages/batches/msgbatch_1/results?limit=1')
      expect(await amounts()).toEqual([await expected()])
    })

    it('is read by the gateway where its client gets something else', async () => {
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: { succeeded: 2 } })))
      answer('GET /v1/messages/batches/msgbatch_1/results', (call, response, body) => {
        answer('GET /v1/messages/batches/msgbatch_1/results', lines(results))
        json({ name: 'no results' })(call, response, body)
      })
      await node.get('/v1/messages/batches/msgbatch_1/results')
      expect(await amounts()).toEqual([await expected()])
    })

    it('is read again where the results break off before their client has all', async () => {
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: { succeeded: 2 } })))
      answer('GET /v1/messages/batches/msgbatch_1/results', (_, response) => {
        answer('GET /v1/messages/batches/msgbatch_1/results', lines(results))
        response.writeHead(200, { 'content-type': 'application/x-jsonl' })
        response.write(`${JSON.stringify(results[1])}\n`, () => response.destroy())
      })
      await node.get('/v1/messages/batches/msgbatch_1/results').catch(() => undefined)
      expect(await amounts()).toEqual([await expected()])
    })

    it('costs nothing for lines that the model refused before it wrote', async () => {
      const counts = { processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 0 }
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: counts })))
      const refused = message({ input_tokens: 1000, output_tokens: 1, service_tier: 'batch' })
      const said = { ...refused.result.message, stop_reason: 'refusal' }
      answer(
        'GET /v1/messages/batches/msgbatch_1/results',
        lines([{ custom_id: 'a', result: { type: 'succeeded', message: said } }]),
      )
      await node.get('/v1/messages/batches/msgbatch_1')
      expect(await amounts()).toEqual([0])
    })

    it('may cost nothing', async () => {
      const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 5, expired: 0 }
      answer('GET /v1/messages/batches/msgbatch_1', json(made('ended', { request_counts: counts })))
      await node.get('/v1/messages/batches/msgbatch_1')
      expect(await amounts()).toEqual([0])
      expect(node.pending()).toBe(0)
    })
  })

  describe('Gemini', () => {
    const operation = (state: string, more: object = {}) => ({
      name: 'batches/b1',
      metadata: { '@type': 'x', model: 'models/gemini-2.5-flash', state, batchStats: { requestCount: '2' } },
      ...more,
    })
    const response = (prompt: number, completion: number) => ({
      candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: completion,
        totalTokenCount: prompt + completion,
      },
      modelVersion: 'gemini-2.5-flash',
    })
    const expected = () => priced('gemini-2.5-flash', { input: 1000, output: 100 }, { input: 20_000, output: 10 })

    beforeEach(() => begin(gemini))

    it('is charged by the answers in its operation', async () => {
      answer('POST /v1beta/models/gemini-2.5-flash:batchGenerateContent', json(operation('BATCH_STATE_PENDING')))
      const requests = [1, 2].map((key) => ({
        request: { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 100 } },
        metadata: { key: String(key) },
      }))
      const body = { batch: { displayName: 'x', inputConfig: { requests: { requests } } } }
      expect((await node.post('/v1beta/models/gemini-2.5-flash:batchGenerateContent', body)).status).toBe(200)
      await node.settled()
      expect(node.pending()).toBeGreaterThan(0)
      const inlined = [
        { response: response(1000, 100), metadata: { key: '1' } },
        { error: { code: 3 } },
        { response: response(20_000, 10) },
      ]
      const done = operation('BATCH_STATE_SUCCEEDED', {
        done: true,
        response: { '@type': 'y', inlinedResponses: { inlinedResponses: inlined } },
      })
      answer('GET /v1beta/batches/b1', json(done))
      expect((await node.get('/v1beta/batches/b1')).text).toBe(JSON.stringify(done))
      expect(await amounts()).toEqual([await expected()])
      expect(node.pending()).toBe(0)
    })

    it('is charged by its file of answers', async () => {
      answer('POST /upload/v1beta/files', json({ file: { name: 'files/in', uri: 'https://x/files/in' } }))
      answer('POST /v1beta/models/gemini-2.5-flash:batchGenerateContent', json(operation('BATCH_STATE_PENDING')))
      const input = [1, 2].map((key) => JSON.stringify({ key, request: { contents: [{ parts: [{ text: 'hi' }] }] } }))
      expect((await node.post('/upload/v1beta/files', input.join('\n'))).status).toBe(200)
      const done = operation('BATCH_STATE_SUCCEEDED', { done: true, response: { responsesFile: 'files/out' } })
      answer('GET /v1beta/batches/b1', json(done))
      answer(
        'GET /v1beta/files/out:download',
        lines([
          { key: '1', response: response(1000, 100) },
          { key: '2', error: { code: 3 } },
          { response: response(20_000, 10) },
        ]),
      )
      scene.madeObjects.note(
        ['files', 'batch_inputs'].map((kind) => ({ kind, id: 'in' })),
        { userId: scene.userId, tokenId: scene.tokenId, projectId: 0, memberId: 0 },
        { channelId: 7, key: 'sk-account' },
      )
      const body = { batch: { displayName: 'x', inputConfig: { fileName: 'files/in' } } }
      expect((await node.post('/v1beta/models/gemini-2.5-flash:batchGenerateContent', body)).status).toBe(200)
      await node.get('/v1beta/batches/b1')
      expect(await amounts()).toEqual([await expected()])
    })
  })

  describe('Mistral', () => {
    const job = (status: string, more: object = {}) => ({
      id: 'job-1',
      object: 'batch',
      endpoint: '/v1/chat/completions',
      model: 'mistral-large-latest',
      input_files: ['in'],
      status,
      total_requests: 2,
      ...more,
    })

    it('is charged by the output file of its job', async () => {
      await begin(mistral)
      answer('POST /v1/files', json({ id: 'in', object: 'file', purpose: 'batch' }))
      answer('POST /v1/batch/jobs', json(job('QUEUED')))
      answer('GET /v1/batch/jobs/job-1', json(job('SUCCESS', { output_file: 'out', succeeded_requests: 1 })))
      const line = { ...answered('mistral-large-latest', 1000, 100), error: null }
      answer('GET /v1/files/out/content', lines([line, failedLine]))
      const form = inputFile('', 2)
      expect((await node.post('/v1/files', form)).status).toBe(200)
      const body = { input_files: ['in'], model: 'mistral-large-latest', endpoint: '/v1/chat/completions' }
      expect((await node.post('/v1/batch/jobs', body)).status).toBe(200)
      await node.settled()
      expect(node.pending()).toBeGreaterThan(0)
      await node.get('/v1/batch/jobs/job-1')
      expect(await amounts()).toEqual([await priced('mistral-large-latest', { input: 1000, output: 100 })])
    })
  })

  describe('xAI', () => {
    it('is charged by pages of results, for lines that were added to it', async () => {
      await begin(xai)
      const state = { num_requests: 0, num_pending: 0, num_success: 0, num_error: 0, num_cancelled: 0 }
      const made = { batch_id: 'batch_x', name: 'chosen', state }
      answer('POST /v1/batches', json(made))
      answer('POST /v1/batches/batch_x/requests', json({}))
      expect((await node.post('/v1/batches', { name: 'chosen' })).status).toBe(200)
      await node.settled()
      const empty = node.pending()
      const request = (id: number) => ({
        batch_request_id: String(id),
        batch_request: {
          chat_get_completion: { model: 'grok-4', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
        },
      })
      const added = { batch_requests: [1, 2, 3].map(request) }
      expect((await node.post('/v1/batches/batch_x/requests', added)).status).toBe(200)
      await node.settled()
      expect(node.pending()).toBeGreaterThan(empty)
      const result = (id: number, usage: object) => ({
        batch_request_id: String(id),
        batch_result: {
          response: {
            chat_get_completion: { id: 'x', object: 'chat.completion', model: 'grok-4', choices: [], usage },
          },
        },
      })
      answer(
        'GET /v1/batches/batch_x',
        json({ ...made, state: { ...state, num_requests: 3, num_success: 2, num_error: 1 } }),
      )
      answer('GET /v1/batches/batch_x/results', (call, response) => {
        const isLast = call.url?.includes('pagination_token=next') === true
        const page = isLast
          ? { results: [result(2, { prompt_tokens: 20, completion_tokens: 5 })] }
          : {
              results: [
                result(1, { prompt_tokens: 1000, completion_tokens: 100 }),
                { batch_request_id: '3', batch_result: { error: { message: 'no' } } },
              ],
              pagination_token: 'next',
            }
        json(page)(call, response, Buffer.alloc(0))
      })
      await node.get('/v1/batches/batch_x')
      expect(await amounts()).toEqual([await priced('grok-4', { input: 1000, output: 100 }, { input: 20, output: 5 })])
      expect(node.pending()).toBe(0)
      expect((await node.post('/v1/batches/batch_x/requests', added)).status).toBe(404)
    })
  })
})
