import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'
import { testPrices } from '../../../test/support/relay/ports.ts'

/** Reports of pictures, sound and rerank that cannot be. */

useScene()

const huge = 400_000_000

it.each([1e6, 1e12, 1e300])('rerank is billed by its documents where %d search units are reported', async (units) => {
  const settings = { modelPrice: { 'rerank-v3.5': 0.002 } }
  await reopenGateway({ prices: testPrices(priceOf('rerank-v3.5', settings)) })
  useChannels(channel({ type: 34 }))
  const meta = { tokens: { input_tokens: 9 }, billed_units: { search_units: units } }
  upstream.answer = json({ results: [{ index: 0, relevance_score: 0.5 }], meta })
  const got = await ask({ model: 'rerank-v3.5', query: 'hi', documents: ['a', 'b'] }, '/v1/rerank')
  expect(got.status).toBe(200)
  expect(lastRecord()).toMatchObject({ quota: 1000, receipt: { disputed: { search_units: Math.min(units, 1e15) } } })
})

it('rerank is billed by the units of a long list of documents', async () => {
  await reopenGateway({ prices: testPrices(priceOf('rerank-v3.5', { modelPrice: { 'rerank-v3.5': 0.002 } })) })
  useChannels(channel({ type: 34 }))
  const meta = { tokens: { input_tokens: 9 }, billed_units: { search_units: 7 } }
  upstream.answer = json({ results: [], meta })
  const documents = Array.from({ length: 620 }, () => 'a')
  await ask({ model: 'rerank-v3.5', query: 'hi', documents }, '/v1/rerank')
  expect(lastRecord()).toMatchObject({ quota: 7000 })
  expect(lastRecord()?.receipt?.disputed).toBeUndefined()
})

it.each([
  { input_tokens: huge, output_tokens: 5 },
  { input_tokens: 5, output_tokens: huge },
  { input_tokens: 1e300, output_tokens: 1e300 },
])('pictures are billed by their number where %j is reported', async (usage) => {
  await reopenGateway({ prices: testPrices(priceOf('gpt-image-1', { modelRatio: { 'gpt-image-1': 1 } })) })
  upstream.answer = json({ created: 1, data: [{ b64_json: 'AA==' }], usage })
  const got = await ask({ model: 'gpt-image-1', prompt: 'a cat' }, '/v1/images/generations')
  expect(got.status).toBe(200)
  expect(lastRecord()).toMatchObject({
    quota: 1250,
    receipt: { lines: [{ item: 'image', quantity: 1 }], disputed: expect.anything() },
  })
})

it.each([{ seconds: 1e300 }, { seconds: 1e9 }, { input_tokens: huge, output_tokens: 3, total_tokens: huge }])(
  'sound is measured where %j is reported',
  async (usage) => {
    await reopenGateway({ prices: testPrices(priceOf('whisper-1')) })
    upstream.answer = json({ text: 'hello', usage })
    const form = new FormData()
    form.append('model', 'whisper-1')
    form.append('file', new File([Buffer.alloc(160_000)], 'a.mp3', { type: 'audio/mpeg' }))
    const headers = { authorization: 'Bearer sk-good' }
    const got = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
    expect(got.status).toBe(200)
    expect(await got.text()).toContain('hello')
    // Ten seconds by their size: a sixth of a thousand tokens.
    expect(lastRecord()).toMatchObject({
      promptTokens: 167,
      receipt: { estimated: true, disputed: { prompt_tokens: expect.any(Number) } },
    })
  },
)
