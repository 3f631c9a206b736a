import { type ApiError, GoogleGenAI } from '@google/genai'
import { beforeEach, expect, it } from 'vitest'
import { bookWith, defaultSettings } from '../support/billing/price.ts'
import { testToken, testUser } from '../support/gateway/listener.ts'
import { channel, gateway, reopenGateway, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'

/** Contents that Gemini keeps for later calls, with Google's own client. */

useScene()

const model = 'gemini-2.5-flash'
const hour = 3_600_000

interface Kept {
  readonly key: string
  expires: number
}

/** Cached contents of the provider, by name; each account sees its own only. */
let kept: Map<string, Kept>
let now = 0

const gemini = (id: number, key: string) => channel({ id, type: 24, keys: [key], models: new Set([model]) })
const asClient = (apiKey = 'sk-good') => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } })
const records = () => gateway.parts.recorder.records

const prices = bookWith({
  modelRatio: { ...defaultSettings.modelRatio, [model]: 0.15 },
  toolPrices: { cache_storage: 0.001 },
})

beforeEach(async () => {
  await reopenGateway({ prices })
  kept = new Map()
  now = Date.now()
  useChannels(gemini(1, 'first'), gemini(2, 'second'))
  upstream.answer = ({ path, body, headers, method, response }) => {
    const key = String(headers['x-goog-api-key'])
    const sent = body.length === 0 ? {} : JSON.parse(body.toString())
    const answer = (status: number, json: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }
    const shown = (name: string, { expires }: Kept) => ({
      name,
      model: `models/${model}`,
      displayName: 'book',
      createTime: new Date(now).toISOString(),
      expireTime: new Date(expires).toISOString(),
      usageMetadata: { totalTokenCount: 100_000 },
    })
    const seconds = Number(String(sent.ttl ?? '3600s').slice(0, -1))
    const name = /cachedContents\/\w+/.exec(sent.cachedContent ?? path)?.[0] ?? ''
    const found = kept.get(name)
    if (method === 'POST' && path === '/v1/cachedContents') {
      const made = `cachedContents/c${kept.size}`
      kept.set(made, { key, expires: now + seconds * 1000 })
      answer(200, shown(made, { key, expires: now + seconds * 1000 }))
    } else if (found?.key !== key)
      answer(403, { error: { code: 403, message: 'no permission', status: 'PERMISSION_DENIED' } })
    else if (method === 'DELETE') {
      kept.delete(name)
      answer(200, {})
    } else if (method === 'PATCH') {
      found.expires = now + seconds * 1000
      answer(200, shown(name, found))
    } else if (method === 'GET') answer(200, shown(name, found))
    else
      answer(200, {
        candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 100_010,
          cachedContentTokenCount: 100_000,
          candidatesTokenCount: 1,
          totalTokenCount: 100_011,
        },
      })
  }
})

const create = (ai = asClient(), ttl = '7200s') =>
  ai.caches.create({ model, config: { contents: 'a long book', displayName: 'book', ttl } })

it('are made, billed with their storage, and used at the account that keeps them', async () => {
  const ai = asClient()
  const { name = '' } = await create(ai)
  const made = records()[0]
  expect(made).toMatchObject({ kind: 'charge', model, promptTokens: 100_000, completionTokens: 0 })
  expect(made?.other.client).toBe('Google Gen AI SDK (JavaScript)')
  expect(made?.receipt?.tools).toMatchObject([{ tool: 'cache_storage', quantity: 200_000 }])
  // 100,000 tokens at 0.3 dollars a million, and 200,000 for an hour at 1 dollar: 0.23 dollars.
  expect(made?.quota).toBe(115_000)
  const { channelId } = made ?? {}
  for (let call = 0; call < 6; call += 1) {
    const answer = await ai.models.generateContent({ model, contents: 'q', config: { cachedContent: name } })
    expect(answer.text).toBe('hi')
  }
  expect(new Set(records().map((record) => record.channelId))).toEqual(new Set([channelId]))
  expect(records()[1]?.other).toMatchObject({ cache_tokens: 100_000 })
  expect(JSON.parse(sentBody())).toMatchObject({ cachedContent: name })
})

it('are read, listed, kept for longer and deleted', async () => {
  const ai = asClient()
  const { name = '' } = await create(ai, '3600s')
  await create(ai, '3600s')
  expect(await ai.caches.get({ name })).toMatchObject({ name, displayName: 'book' })
  const longer = await ai.caches.update({ name, config: { ttl: '10800s' } })
  expect(Date.parse(longer.expireTime ?? '')).toBe(now + 3 * hour)
  const [added] = records()[2]?.receipt?.tools ?? []
  expect(added?.tool).toBe('cache_storage')
  expect(added?.quantity).toBeCloseTo(200_000, -3)
  const names = async (): Promise<unknown[]> => {
    const all = []
    for await (const content of await ai.caches.list({ config: { pageSize: 1 } })) all.push(content.name)
    return all
  }
  expect(await names()).toEqual(['cachedContents/c1', 'cachedContents/c0'])
  await ai.caches.delete({ name })
  expect(await names()).toEqual(['cachedContents/c1'])
  await expect(ai.caches.get({ name })).rejects.toMatchObject({ status: 404 })
  expect(records().filter(({ kind }) => kind === 'charge')).toHaveLength(3)
})

it('pay for each hour once, when calls come at the same time', async () => {
  const ai = asClient()
  const { name = '' } = await create(ai, '3600s')
  const longer = () => ai.caches.update({ name, config: { ttl: '10800s' } })
  await Promise.all([longer(), ai.caches.get({ name }), longer(), longer(), ai.caches.get({ name })])
  const stored = records().map(({ receipt }) => receipt?.tools?.[0]?.quantity ?? 0)
  // 100,000 tokens for three hours, but for the milliseconds between the calls.
  expect(stored.reduce((sum, hours) => sum + hours, 0)).toBeCloseTo(300_000, -3)
  const charged = records().reduce((sum, { quota }) => sum + quota, 0)
  await ai.caches.delete({ name })
  const back = gateway.parts.givenBack.reduce((sum, { quota }) => sum + quota, 0)
  // The tokens themselves are all that was used.
  expect(charged - back).toBeGreaterThanOrEqual(15_000)
  expect(charged - back).toBeLessThan(15_100)
})

it('pay back what keeping them would still have cost when they are deleted', async () => {
  const ai = asClient()
  const { name = '' } = await create(ai, '7200s')
  // A life that grows again within the paid time costs nothing more.
  await ai.caches.update({ name, config: { ttl: '600s' } })
  await ai.caches.update({ name, config: { ttl: '7000s' } })
  await ai.caches.update({ name, config: { ttl: '10800s' } })
  const [made, shorter, again, longer] = records()
  expect([shorter?.quota, again?.quota]).toEqual([0, 0])
  expect(longer?.quota).toBeCloseTo(50_000, -2)
  await ai.caches.delete({ name })
  const { givenBack } = gateway.parts
  expect(givenBack).toMatchObject([{ requestId: made?.id, name }, { requestId: longer?.id }])
  // Of 115,000 units, 15,000 are for the tokens themselves.
  expect(givenBack[0]?.quota).toBeLessThanOrEqual(100_000)
  expect(givenBack[0]?.quota).toBeGreaterThan(99_000)
  expect(givenBack[1]?.quota).toBeLessThanOrEqual(longer?.quota ?? 0)
  await expect(ai.caches.delete({ name })).rejects.toMatchObject({ status: 404 })
  expect(givenBack).toHaveLength(2)
  expect(JSON.stringify((await ai.caches.list()).page)).not.toContain('payments')
})

it('are nobody else’s: their names do not exist for others', async () => {
  const { name = '' } = await create()
  gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 8 } })
  const other = asClient('sk-other')
  const refused = (call: Promise<unknown>) =>
    expect(call).rejects.toMatchObject({ status: 404 } satisfies Partial<ApiError>)
  await refused(other.caches.get({ name }))
  await refused(other.caches.delete({ name }))
  await refused(other.caches.update({ name, config: { ttl: '60s' } }))
  await refused(other.models.generateContent({ model, contents: 'q', config: { cachedContent: name } }))
  expect((await other.caches.list()).page).toEqual([])
  expect(kept.size).toBe(1)
})

it('are not made where they cannot be paid for, and cost nothing where they are refused', async () => {
  await expect(create(asClient(), '999999999999s')).rejects.toMatchObject({ status: 403 })
  expect(kept.size).toBe(0)
  useChannels(channel({ type: 1, models: new Set([model]) }))
  await expect(create()).rejects.toThrow(/cachedContents/)
  expect(records().map(({ kind }) => kind)).toEqual(['error', 'error'])
})
