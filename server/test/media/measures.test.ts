import { expect, it } from 'vitest'
import type { Price } from '../../src/billing/price.ts'
import { listPrice, priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestHolds, testPrices } from '../support/relay/ports.ts'
import { silence } from '../support/relay/sound.ts'

/**
 * Models that price lists sell by other measures than tokens: sound by the hour, speech by the character, searches, pictures apiece.
 */

useScene()

const at = async (price: Price, type = 1, balance?: number): Promise<void> => {
  await reopenGateway({ prices: testPrices(price), holds: openTestHolds(balance) })
  useChannels(channel({ type }))
}

const transcribe = (seconds: number): Promise<Response> => {
  const form = new FormData()
  form.append('file', silence(seconds))
  form.append('model', 'whisper-1')
  const headers = { authorization: 'Bearer sk-good' }
  return fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
}

const lastHold = (): unknown => gateway.parts.holds.ends.at(-1)?.amount

/** $0.36 an hour. */
const hourly = listPrice({ duration: 0.1 })

it('bills sound by the time that the provider states', async () => {
  await at(hourly)
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 90 } })
  await transcribe(1)
  expect(lastRecord()).toMatchObject({
    quota: 4500,
    promptTokens: 1500,
    receipt: { lines: [{ item: 'duration', quantity: 90_000, price: '0.1' }], estimated: false },
  })
})

it('measures sound that is sold by time where the provider states only tokens', async () => {
  await at(hourly)
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 }
  upstream.answer = json({ text: 'hello', usage })
  await transcribe(31)
  expect(lastRecord()).toMatchObject({
    quota: 1550,
    promptTokens: 14,
    completionTokens: 45,
    receipt: { lines: [{ item: 'duration', quantity: 31_000 }], estimated: false },
  })
})

it('bills sound by its tokens where they have a price, also when the provider states seconds', async () => {
  await at(listPrice({ input: 2.5, audio_input: 6, output: 10 }))
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 60 } })
  await transcribe(1)
  expect(lastRecord()).toMatchObject({ quota: 3000, receipt: { lines: [{ item: 'audio_input', quantity: 1000 }] } })
})

it('bills no tokens that only stand for seconds beside a price by time', async () => {
  await at(listPrice({ duration: 0.1, input: 2.5, audio_input: 6 }))
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 60 } })
  await transcribe(1)
  expect(lastRecord()?.receipt?.lines).toMatchObject([{ item: 'duration', quantity: 60_000 }])
})

it('holds the longest that sound of such a size may be, or its length where little is left', async () => {
  await at(hourly)
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 31 } })
  await transcribe(31)
  // 248,044 bytes at 750 a second.
  expect(lastHold()).toBe(Math.ceil((331 * 1000 * 0.1) / 2))
  await at(hourly, 1, 2000)
  await transcribe(31)
  expect(lastHold()).toBe(1550)
  expect((await transcribe(31)).status).toBe(403)
})

it('bills and holds speech by its characters, of which a pair of surrogates is one', async () => {
  await at(listPrice({ characters: 15 }))
  upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound')
  const question = { model: 'some-voice', input: `${'a'.repeat(99)}🙂`, voice: 'alloy' }
  await (await ask(question, '/v1/audio/speech')).arrayBuffer()
  expect(lastRecord()).toMatchObject({
    quota: 750,
    receipt: { lines: [{ item: 'characters', quantity: 100, price: '15' }], estimated: false },
  })
  expect(lastHold()).toBe(758)
})

it('bills speech that is sold by the tokens of its sound by its length, and holds the most that it may come to', async () => {
  await at(listPrice({ input: 0.6, output: 12 }))
  const tenSeconds = Buffer.alloc(160_000)
  tenSeconds.set([0xff, 0xfb, 0x90, 0])
  upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(tenSeconds)
  const question = { model: 'gpt-4o-mini-tts', input: 'a'.repeat(160), voice: 'alloy' }
  await (await ask(question, '/v1/audio/speech')).arrayBuffer()
  expect(lastRecord()).toMatchObject({ completionTokens: 209, receipt: { estimated: true } })
  expect(lastRecord()?.receipt?.lines).toMatchObject([
    { item: 'input' },
    { item: 'output', quantity: 209, price: '12' },
  ])
  expect(lastHold()).toBeGreaterThanOrEqual(Math.ceil((42 * 1250 * 12) / 60 / 2))
})

it('bills speech that is sold by ratios by its text alone', async () => {
  await at(priceOf('gpt-4o'))
  upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound')
  const question = { model: 'gpt-4o-mini-tts', input: 'a'.repeat(160), voice: 'alloy' }
  await (await ask(question, '/v1/audio/speech')).arrayBuffer()
  expect(lastRecord()).toMatchObject({ completionTokens: 0, receipt: { estimated: true } })
})

it('bills searches, one where the provider states none', async () => {
  const ranked = { results: [{ index: 0, relevance_score: 0.9 }] }
  const rank = () => ask({ model: 'rerank-v3.5', query: 'Rome?', documents: ['a', 'b'] }, '/v1/rerank')
  await at(listPrice({ queries: 2000 }), 34)
  upstream.answer = json({ ...ranked, meta: { billed_units: { search_units: 3 } } })
  await rank()
  expect(lastRecord()).toMatchObject({ quota: 3000, receipt: { lines: [{ item: 'queries', quantity: 3 }] } })
  upstream.answer = json(ranked)
  await rank()
  expect(lastRecord()).toMatchObject({ quota: 1000, receipt: { lines: [{ item: 'queries', quantity: 1 }] } })
  expect(lastHold()).toBe(1000)
})

const drawn = { created: 5, data: [{ url: 'https://x/1.png' }, { url: 'https://x/2.png' }] }
const draw = (body: object) => ask({ model: 'drawer', prompt: 'a cat', n: 2, ...body }, '/v1/images/generations')

it.each([
  ['its size and quality', { size: '1024x1792', quality: 'hd' }, '120000', 120_000],
  ['its size', { size: '1024x1792' }, '80000', 80_000],
  ['the usual price for other sizes', { size: '1024x1024' }, '40000', 40_000],
])('bills pictures apiece by %s', async (_, body, each, quota) => {
  await at(listPrice({ picture: 40_000 }, { pictures: { '1024x1792 hd': 0.12, '1024x1792': 0.08 } }))
  upstream.answer = json(drawn)
  await draw(body)
  expect(lastRecord()).toMatchObject({ quota, receipt: { lines: [{ item: 'image', quantity: 2, price: each }] } })
  expect(Number(lastHold())).toBeGreaterThanOrEqual(quota)
})

const byTokens = listPrice({ input: 5, image_input: 8, output: 10, image_output: 32 })

it('bills the tokens of pictures apart from those of text', async () => {
  await at(byTokens)
  const usage = {
    input_tokens: 221,
    output_tokens: 1318,
    total_tokens: 1539,
    input_tokens_details: { text_tokens: 27, image_tokens: 194 },
    output_tokens_details: { text_tokens: 262, image_tokens: 1056 },
  }
  upstream.answer = json({ ...drawn, usage })
  await draw({})
  expect(lastRecord()?.receipt).toMatchObject({
    quota: Math.round((27 * 5 + 194 * 8 + 262 * 10 + 1056 * 32) / 2),
    estimated: false,
  })
})

it('takes pictures for tokens of their size and quality where the provider states none', async () => {
  await at(byTokens)
  upstream.answer = json(drawn)
  await draw({ size: '1024x1536', quality: 'high' })
  expect(lastRecord()?.receipt).toMatchObject({
    lines: [{ item: 'image_output', quantity: 2 * 6240 }],
    estimated: true,
  })
})

it('bills pictures by a ratio as ever', async () => {
  await at(priceOf('drawer', { modelRatio: { drawer: 2 } }))
  upstream.answer = json(drawn)
  await draw({ size: '256x256' })
  expect(lastRecord()).toMatchObject({
    quota: 2000,
    receipt: { lines: [{ item: 'image', quantity: 2, price: '500' }] },
  })
})
