import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

/** Embeddings asked for in Gemini's words, by Google's own client where it can. */

const google = () => new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
const vectors = (...lists: readonly number[][]) => ({
  object: 'list',
  data: lists.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 6, total_tokens: 6 },
})
const one = '/v1beta/models/text-embedding-3-small:embedContent'

describe('embeddings in Gemini’s dialect', () => {
  it('are asked of a provider that speaks OpenAI’s, and what those cannot say is named', async () => {
    upstream.answer = json(vectors([0.5, -1], [2, 3]))
    const answer = await google().models.embedContent({
      model: 'text-embedding-3-small',
      contents: ['a', 'b'],
      config: { outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' },
    })
    expect(answer.embeddings).toEqual([{ values: [0.5, -1] }, { values: [2, 3] }])
    expect(upstream.received[0]?.path).toBe('/v1/embeddings')
    expect(JSON.parse(sentBody())).toEqual({ model: 'text-embedding-3-small', input: ['a', 'b'], dimensions: 2 })
    expect(answer.sdkHttpResponse?.headers?.['x-tollgate-lost-fields']).toBe('taskType')
    expect(lastRecord()).toMatchObject({ promptTokens: 6, other: { lost_fields: ['taskType'] } })
  })

  it('are one vector where one content was given, with the tokens that were counted', async () => {
    upstream.answer = json({ ...vectors([1]), usage: undefined })
    const response = await ask({ content: { parts: [{ text: 'some words' }, { text: 'to count' }] } }, one)
    expect(JSON.parse(sentBody())).toEqual({ model: 'text-embedding-3-small', input: ['some words\nto count'] })
    const promptTokenCount = lastRecord()?.promptTokens
    expect(promptTokenCount).toBeGreaterThan(2)
    expect(await response.json()).toEqual({ embedding: { values: [1] }, usageMetadata: { promptTokenCount } })
  })

  it('go to Google byte for byte, under the name that the channel has for the model', async () => {
    useChannels(channel({ type: 24 }))
    const generated = { embeddings: [{ values: [1, 2] }], usageMetadata: { promptTokenCount: 4 } }
    upstream.answer = json(generated)
    const path = '/v1beta/models/gemini-embedding-001:batchEmbedContents'
    const request = {
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text: 'a' }] },
      taskType: 'CLUSTERING',
    }
    const body = `{"requests": [${JSON.stringify(request)}]}`
    const response = await ask(body, path)
    expect(await response.text()).toBe(JSON.stringify(generated))
    expect(upstream.received[0]?.path).toBe(path)
    expect(sentBody()).toBe(body)
    expect(lastRecord()).toMatchObject({ promptTokens: 4, receipt: { estimated: false } })
    useChannels(channel({ type: 24, modelMapping: new Map([['small', 'gemini-embedding-001']]) }))
    await ask(
      `{"requests": [${JSON.stringify({ ...request, model: 'models/small' })}]}`,
      path.replace(/[^/]+:/, 'small:'),
    )
    expect(upstream.received[1]?.path).toBe(path)
    expect(JSON.parse(sentBody())).toEqual({ requests: [request] })
  })

  it('send the purpose of the texts to Cohere', async () => {
    useChannels(channel({ type: 34 }))
    upstream.answer = json({ id: 'e', embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 7 } } })
    const path = '/v1beta/models/embed-v4.0:batchEmbedContents'
    const requests = ['a', 'b'].map((text) => ({
      content: { parts: [{ text }] },
      task_type: 'RETRIEVAL_QUERY',
      title: text,
    }))
    const response = await ask({ requests }, path)
    expect(JSON.parse(sentBody())).toMatchObject({ input_type: 'search_query', texts: ['a', 'b'] })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('title')
    expect(await response.json()).toMatchObject({
      embeddings: [{ values: [1] }],
      usageMetadata: { promptTokenCount: 7 },
    })
  })

  it('are refused in Gemini’s dialect for pictures at other providers, and for empty input', async () => {
    const picture = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }
    for (const body of [picture, {}]) {
      const response = await ask(body, one)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    }
    expect((await ask({ requests: [] }, one.replace('embedContent', 'batchEmbedContents'))).status).toBe(400)
    expect(upstream.received).toHaveLength(0)
    useChannels(channel({ type: 24 }))
    upstream.answer = json({ embedding: { values: [1] } })
    expect((await ask(picture, one)).status).toBe(200)
    expect(JSON.parse(sentBody())).toEqual(picture)
  })
})
