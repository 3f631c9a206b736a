import { GoogleGenAI } from '@google/genai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { json } from '#server-test/support/gateway/upstream.ts'
import { type BatchScene, openBatchScene } from '../tests/batch-scene.ts'
import { geminiApi, openFakeInline } from '../tests/fake-inline.ts'
import { openProviderScene, type ProviderScene } from '../tests/provider-scene.ts'

const texts = ['one', 'two', 'three']

describeEachEngine('batches of embeddings in the form of Gemini', (open) => {
  let database: Database
  let scene: BatchScene | ProviderScene

  beforeEach(async () => {
    database = await open()
    // The SDK says that the call is experimental.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await scene.close()
  })

  const clientOf = ({ scene: { gateway } }: BatchScene | ProviderScene): GoogleGenAI =>
    new GoogleGenAI({ apiKey: 'sk-good', vertexai: false, httpOptions: { baseUrl: gateway.url } })

  it('of the official SDK, made line by line at any provider', async () => {
    const batch = await openBatchScene(database)
    scene = batch
    batch.scene.upstream.answer = (call) => {
      const { input } = JSON.parse(call.body.toString())
      const length = texts.indexOf([input].flat()[0])
      json({
        object: 'list',
        model: 'text-embedding-3-small',
        data: [{ object: 'embedding', index: 0, embedding: [length, 0.5] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      })(call)
    }
    const { batches } = clientOf(batch)
    const made = await batches.createEmbeddings({
      model: 'text-embedding-3-small',
      src: { inlinedRequests: { contents: texts, config: { outputDimensionality: 2 } } },
      config: { displayName: 'vectors' },
    })
    const name = made.name ?? ''
    expect(made).toMatchObject({ displayName: 'vectors', model: 'models/text-embedding-3-small' })
    await expect.poll(async () => (await batches.get({ name })).state, { timeout: 30_000 }).toBe('JOB_STATE_SUCCEEDED')
    const { dest } = await batches.get({ name })
    expect(dest?.inlinedEmbedContentResponses?.map(({ response }) => response?.embedding?.values)).toEqual(
      texts.map((_, index) => [index, 0.5]),
    )
    expect(JSON.parse(batch.scene.upstream.received[0]?.body.toString() ?? '')).toMatchObject({ dimensions: 2 })
    expect((await batch.call('GET', `/v1beta/${name}`)).json.metadata['@type']).toMatch(/\.EmbedContentBatch$/)
  })

  it('that Gemini makes cost their tokens at the price of batches', async () => {
    const provider = openFakeInline(
      geminiApi(({ request }) => ({
        response: {
          embedding: { values: [JSON.stringify(request).includes('one') ? 1 : 2] },
          tokenCount: '100',
        },
      })),
    )
    const at = await openProviderScene(database, provider.answer, { type: 24 })
    scene = at
    const { batches } = clientOf(at)
    const made = await batches.createEmbeddings({
      model: 'gemini-embedding-001',
      src: { inlinedRequests: { contents: texts, config: { taskType: 'RETRIEVAL_DOCUMENT' } } },
    })
    await at.submitted()
    expect(provider.batches.map(({ path }) => path)).toEqual([
      '/v1beta/models/gemini-embedding-001:asyncBatchEmbedContent',
    ])
    expect(provider.batches[0]?.lines[0]?.request).toEqual({
      content: { parts: [{ text: 'one' }], role: 'user' },
      taskType: 'RETRIEVAL_DOCUMENT',
    })
    provider.finish()
    await at.ended()
    const { dest } = await batches.get({ name: made.name ?? '' })
    expect(dest?.inlinedEmbedContentResponses?.map(({ response }) => response?.embedding?.values)).toEqual([
      [1],
      [2],
      [2],
    ])
    expect(await at.charges()).toEqual({ count: 3, quota: 150 })
    expect(await at.row()).toMatchObject({ is_open: 0, held: 0 })
  })
})
