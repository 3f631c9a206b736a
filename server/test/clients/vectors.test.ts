import { describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

/** Embeddings and rerank: the client speaks OpenAI's or Jina's dialect, the provider its own. */

const embed = (body: Record<string, unknown>) => ask({ model: 'embed-v4.0', input: 'hi', ...body }, '/v1/embeddings')

describe('embeddings', () => {
  it('are requested from Cohere in its format', async () => {
    useChannels(channel({ type: 34 }))
    upstream.answer = json({
      id: 'e',
      embeddings: {
        float: [
          [0.5, -1],
          [2, 3],
        ],
      },
      meta: { billed_units: { input_tokens: 7 } },
    })
    const response = await embed({ input: ['a', 'b'], dimensions: 2, input_type: 'search_query', user: 'u' })
    expect(upstream.received[0]?.path).toBe('/v2/embed')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'embed-v4.0',
      input_type: 'search_query',
      texts: ['a', 'b'],
      embedding_types: ['float'],
      output_dimension: 2,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('user')
    expect(await response.json()).toEqual({
      object: 'list',
      model: 'embed-v4.0',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, -1] },
        { object: 'embedding', index: 1, embedding: [2, 3] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 7, completionTokens: 0, receipt: { estimated: false } })
  })

  it('come as base64 of 32-bit floats to clients that ask so', async () => {
    useChannels(channel({ type: 4 }))
    upstream.answer = json({ embeddings: [[0.5, -1]], prompt_eval_count: 2 })
    const answer = (await (await embed({ encoding_format: 'base64' })).json()) as { data: { embedding: string }[] }
    const bytes = Buffer.from(answer.data[0]?.embedding ?? '', 'base64')
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.5, -1])
    expect(upstream.received[0]?.path).toBe('/api/embed')
    expect(JSON.parse(sentBody())).toEqual({ model: 'embed-v4.0', input: ['hi'] })
  })

  it('are counted here where the provider reports no usage, and the answer says so', async () => {
    useChannels(channel({ type: 4 }))
    upstream.answer = json({ embeddings: [[1]] })
    const answer = (await (await embed({ input: 'some words to count' })).json()) as {
      usage: { prompt_tokens: number }
    }
    expect(lastRecord()?.promptTokens).toBeGreaterThan(2)
    expect(answer.usage.prompt_tokens).toBe(lastRecord()?.promptTokens)
    expect(lastRecord()).toMatchObject({ receipt: { estimated: true } })
  })

  const many = Array.from({ length: 4000 }, (_, index) => ({ index, object: 'embedding', embedding: [index / 7] }))
  it.each([
    ['at the end', { data: many, usage: { prompt_tokens: 9, total_tokens: 9 } }, 9, false],
    ['before the vectors', { usage: { prompt_tokens: 9, total_tokens: 9 }, data: many }, 9, false],
    ['as a total', { data: many, usage: { total_tokens: 8 } }, 8, false],
    ['nowhere but in a vector', { data: [...many, { usage: { prompt_tokens: 500 } }] }, 4, true],
  ])(
    'go through as they came, however many, and are billed by what stands %s',
    async (_, answer, tokens, estimated) => {
      upstream.answer = json(answer)
      const response = await embed({ input: 'hi' })
      expect(await response.text()).toBe(JSON.stringify(answer))
      expect(lastRecord()).toMatchObject({ promptTokens: tokens, receipt: { estimated } })
    },
  )

  it.each([
    ['an error beside them', { error: { message: 'broken' }, data: many, usage: { prompt_tokens: 9 } }],
    ['no object', [many, { usage: { prompt_tokens: 9 } }]],
  ])('are refused with %s, however many', async (_, answer) => {
    upstream.answer = json(answer)
    expect((await embed({})).status).toBe(502)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  const bedrock = () => channel({ type: 33, keys: ['A|S|us-east-1'] })

  it.each([
    ['amazon.titan-embed-text-v2:0', { inputText: 'hi', dimensions: 2 }, { embedding: [1, 2] }],
    ['cohere.embed-v4:0', { texts: ['hi'], output_dimension: 2 }, { embeddings: { float: [[1, 2]] } }],
    [
      'amazon.nova-2-multimodal-embeddings-v1:0',
      { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: { embeddingDimension: 2, text: { value: 'hi' } } },
      { embeddings: [{ embedding: [1, 2] }] },
    ],
  ])('are asked of %s at Bedrock, whose usage is in a header', async (model, sent, answer) => {
    useChannels(bedrock())
    upstream.answer = json(answer, 200, { 'x-amzn-bedrock-input-token-count': '5' })
    const response = await embed({ model, dimensions: 2 })
    expect(upstream.received[0]?.path).toBe(`/model/${encodeURIComponent(model)}/invoke`)
    expect(JSON.parse(sentBody())).toMatchObject(sent)
    expect(await response.json()).toMatchObject({ data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 5 } })
    expect(lastRecord()).toMatchObject({ promptTokens: 5 })
  })

  it('are asked of Gemini all at once', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = json({ embeddings: [{ values: [1] }, { values: [2] }], usageMetadata: { promptTokenCount: 4 } })
    const response = await embed({ model: 'gemini-embedding-001', input: ['a', { text: 'b' }], dimensions: 1 })
    expect(upstream.received[0]?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents')
    const request = (text: string) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      outputDimensionality: 1,
    })
    expect(JSON.parse(sentBody())).toEqual({ requests: [request('a'), request('b')] })
    expect(await response.json()).toMatchObject({ data: [{ embedding: [1] }, { embedding: [2] }] })
    expect(lastRecord()).toMatchObject({ promptTokens: 4 })
  })

  it.each([
    ['gemini-embedding-001', ':predict', { instances: [{ content: 'hi' }] }],
    ['gemini-embedding-2', ':embedContent', { content: { parts: [{ text: 'hi' }] } }],
  ])('are asked of %s at Vertex', async (model, action, sent) => {
    useChannels(channel({ type: 41, keys: ['AQ.key'] }))
    upstream.answer = json(
      action === ':predict'
        ? { predictions: [{ embeddings: { values: [1], statistics: { token_count: 3 } } }] }
        : { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 3 } },
    )
    const response = await embed({ model })
    expect(upstream.received[0]?.path).toBe(`/v1/publishers/google/models/${model}${action}`)
    expect(JSON.parse(sentBody())).toEqual(sent)
    expect(await response.json()).toMatchObject({ data: [{ embedding: [1] }], usage: { prompt_tokens: 3 } })
  })

  it.each([
    ['ready tokens', 34, 'embed-v4.0', [1, 2, 3]],
    ['two texts at once where a model takes one', 33, 'amazon.titan-embed-text-v2:0', ['a', 'b']],
  ])('are refused for %s without a call to the provider', async (_, type, model, input) => {
    useChannels(channel({ type, keys: ['A|S|us-east-1'] }))
    const response = await embed({ model, input })
    expect(response.status).toBe(400)
    expect(upstream.received).toHaveLength(0)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('fail with the provider’s error text', async () => {
    useChannels(channel({ type: 34 }))
    upstream.answer = json({ id: 'x', message: 'texts must not be empty' }, 400)
    const response = await embed({})
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('texts must not be empty') },
    })
  })
})

const documents = ['Paris is in France.', { text: 'Rome is in Italy.' }, 'Berlin']
const rank = (body: Record<string, unknown> = {}) =>
  ask({ model: 'rerank-v3.5', query: 'Where is Rome?', documents, ...body }, '/v1/rerank')

const ranked = {
  results: [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ],
}

describe('rerank', () => {
  it('is requested from Cohere in its format and answered in Jina’s', async () => {
    useChannels(channel({ type: 34 }))
    upstream.answer = json({ id: 'r', ...ranked, meta: { billed_units: { search_units: 1 } } })
    const response = await rank({ top_n: 2, return_documents: true, max_chunk_per_doc: 3 })
    expect(upstream.received[0]?.path).toBe('/v2/rerank')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'rerank-v3.5',
      query: 'Where is Rome?',
      documents: ['Paris is in France.', 'Rome is in Italy.', 'Berlin'],
      top_n: 2,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('max_chunk_per_doc')
    const record = lastRecord()
    expect(await response.json()).toEqual({
      model: 'rerank-v3.5',
      object: 'list',
      results: [
        { index: 1, relevance_score: 0.9, document: { text: 'Rome is in Italy.' } },
        { index: 0, relevance_score: 0.1, document: { text: 'Paris is in France.' } },
      ],
      meta: { billed_units: { search_units: 1 } },
      usage: { prompt_tokens: record?.promptTokens, total_tokens: record?.promptTokens },
    })
    // Nobody reported tokens, so they are counted.
    expect(record?.promptTokens).toBeGreaterThan(0)
    expect(record).toMatchObject({ receipt: { estimated: true } })
  })

  it('costs a fixed price once for each search unit', async () => {
    const { prices } = gateway.parts
    await reopenGateway({
      prices: {
        of: (...query) => {
          const price = prices.of(...query)
          return price && { ...price, perCall: decimal('0.002') }
        },
      },
    })
    useChannels(channel({ type: 34 }))
    upstream.answer = json({ ...ranked, meta: { billed_units: { search_units: 3 } } })
    await rank()
    expect(lastRecord()).toMatchObject({ quota: 3000, receipt: { lines: [{ item: 'call', quantity: 3 }] } })
    useChannels(channel({ type: 33, keys: ['A|S|us-east-1'] }))
    upstream.answer = json(ranked)
    await rank({ model: 'cohere.rerank-v3-5:0', documents: Array.from({ length: 150 }, () => 'x') })
    expect(JSON.parse(sentBody())).toMatchObject({ api_version: 2 })
    expect(upstream.received.at(-1)?.path).toBe('/model/cohere.rerank-v3-5%3A0/invoke')
    expect(lastRecord()).toMatchObject({ quota: 2000 })
  })

  it.each([
    ['Jina', { usage: { total_tokens: 43 } }, 43],
    ['SiliconFlow', { meta: { tokens: { input_tokens: 40, output_tokens: 3 } } }, 40],
  ])('passes through to providers with the same format, and is billed as %s reports', async (_, more, promptTokens) => {
    const answer = { ...ranked, ...more }
    upstream.answer = json(answer)
    const response = await rank()
    expect(await response.json()).toEqual(answer)
    expect(upstream.received[0]?.path).toBe('/v1/rerank')
    expect(JSON.parse(sentBody())).toMatchObject({ documents })
    expect(lastRecord()).toMatchObject({ promptTokens, receipt: { estimated: false } })
  })

  it('is not sent to providers without reranking', async () => {
    useChannels(channel({ type: 14 }))
    expect((await rank()).status).toBe(501)
    const refusal = async (body: Record<string, unknown>): Promise<unknown> => (await rank(body)).json()
    const error = (message: string, code: string) => ({
      error: { message: expect.stringMatching(`^${message} `), code },
    })
    expect(await refusal({ query: undefined })).toMatchObject(error('query is empty', 'invalid_query'))
    expect(await refusal({ documents: undefined })).toMatchObject(error('documents is empty', 'invalid_documents'))
    expect((await rank({ query: undefined })).status).toBe(400)
    expect((await rank({ documents: 'x' })).status).toBe(400)
    expect(upstream.received).toHaveLength(0)
  })
})
