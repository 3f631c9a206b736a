import { generateKeyPairSync } from 'node:crypto'
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { bookWith, defaultSettings } from '../support/billing/price.ts'
import { channel, gateway, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, type Received } from '../support/gateway/upstream.ts'

/** Contents that Vertex AI keeps, with the client of AI Studio: the two name contents and models differently. */

useScene()

const model = 'gemini-2.5-flash'
const place = 'projects/p1/locations/europe-west4'
const kept = `projects/77/locations/europe-west4/cachedContents/123`
const shown = {
  name: kept,
  model: `${place}/publishers/google/models/gemini-2.5-flash-001`,
  createTime: new Date().toISOString(),
  expireTime: new Date(Date.now() + 3_600_000).toISOString(),
  usageMetadata: { totalTokenCount: 40_000 },
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = (): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key_id: 'k',
    client_email: 'a@p1.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${upstream.url}/token`,
  })

/** Refuses what Vertex AI refuses: other names, contents without a role, other regions, calls without a token. */
const vertex = (call: Received) => {
  const { path, body, headers, method } = call
  if (path === '/token') return json({ access_token: 'ya29', expires_in: 3600 })(call)
  const refuse = (why: string) => json({ error: { code: 400, message: why, status: 'INVALID_ARGUMENT' } }, 400)(call)
  if (headers.authorization !== 'Bearer ya29') return refuse('no token')
  const sent = body.length === 0 ? {} : JSON.parse(body.toString())
  if ((sent.contents ?? []).some(({ role }: { role?: string }) => role === undefined)) return refuse('no role')
  if (method === 'POST' && path === `/v1beta1/${place}/cachedContents`) {
    return sent.model === shown.model ? json(shown)(call) : refuse('the model')
  }
  if (path === `/v1beta1/${place}/cachedContents/123`) return json(method === 'DELETE' ? {} : shown)(call)
  if (sent.cachedContent !== `${place}/cachedContents/123`) return refuse('the name of the content')
  return json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 40_003,
      cachedContentTokenCount: 40_000,
      candidatesTokenCount: 1,
      totalTokenCount: 40_004,
    },
  })(call)
}

const prices = bookWith({
  modelRatio: { ...defaultSettings.modelRatio, [model]: 0.15 },
  toolPrices: { cache_storage: 0.001 },
})
const vertexChannel = (id: number, key: string) =>
  channel({
    id,
    type: 41,
    keys: [key],
    models: new Set([model]),
    other: '{"default":"global","gemini-2.5-flash":"europe-west4"}',
    modelMapping: new Map([[model, 'gemini-2.5-flash-001']]),
  })
const ai = () => new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })

it('are made, used, read, kept for longer and deleted under names of AI Studio', async () => {
  await reopenGateway({ prices })
  useChannels(vertexChannel(1, account()))
  upstream.answer = vertex
  const config = { contents: [{ parts: [{ text: 'a long book' }] }], ttl: '3600s' }
  const made = await ai().caches.create({ model, config })
  expect(made).toMatchObject({ name: 'cachedContents/123', model: `models/${model}` })
  const { name = '' } = made
  const answer = await ai().models.generateContent({ model, contents: 'q', config: { cachedContent: name } })
  expect(answer.text).toBe('hi')
  const streamed = await ai().models.generateContentStream({ model, contents: 'q', config: { cachedContent: name } })
  await expect(async () => {
    for await (const _ of streamed);
  }).not.toThrow()
  expect(await ai().caches.get({ name })).toMatchObject({ name, model: `models/${model}` })
  expect(await ai().caches.update({ name, config: { ttl: '7200s' } })).toMatchObject({ name })
  expect((await ai().caches.list()).page).toMatchObject([{ name }])
  await ai().caches.delete({ name })
  const { records } = gateway.parts.recorder
  expect(records[0]).toMatchObject({ kind: 'charge', promptTokens: 40_000, receipt: { tools: [{ quantity: 40_000 }] } })
  expect(records[1]).toMatchObject({ kind: 'charge', other: { cache_tokens: 40_000 } })
  expect(gateway.parts.givenBack).toMatchObject([{ name }])
})

it('are refused in words where a channel has only an API key, which names no project', async () => {
  await reopenGateway({ prices })
  useChannels(vertexChannel(1, 'an-api-key'))
  upstream.answer = vertex
  const made = ai().caches.create({ model, config: { contents: 'a long book' } })
  await expect(made).rejects.toThrow(/No channel of model gemini-2.5-flash supports .*cachedContents/)
  expect(upstream.received).toEqual([])
})
