import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { generated } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../test/support/gateway/upstream.ts'
import { testPrices } from '../../../test/support/relay/ports.ts'

/** Price of sound: the factor of its model, or the price of text where there is none. */

useScene()

const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  prompt_tokens_details: { audio_tokens: 100 },
  completion_tokens_details: { audio_tokens: 20 },
}

it.each<readonly [model: string, settings: object, quota: number]>([
  // (20 + 100 + 10 × 1 + 20 × 1) × 2
  ['my-own-model', { modelRatio: { 'my-own-model': 2 } }, 300],
  // Speech costs what written text costs: (20 + 100 + 30 × 4) × 2
  ['my-own-model', { modelRatio: { 'my-own-model': 2 }, completionRatio: { 'my-own-model': 4 } }, 480],
  // (20 + 100 × 16 + 10 × 4 + 20 × 16 × 2) × 1.25
  ['gpt-4o-audio-preview', {}, 2875],
  // (20 + 100 × 5 + 10 + 20 × 5 × 3) × 2
  [
    'my-own-model',
    {
      modelRatio: { 'my-own-model': 2 },
      audioRatio: { 'my-own-model': 5 },
      audioCompletionRatio: { 'my-own-model': 3 },
    },
    1660,
  ],
])('sound of %s at %j', async (model, settings, quota) => {
  await reopenGateway({ prices: testPrices(priceOf(model, settings)) })
  upstream.answer = json({ ...completion('hello'), usage })
  await ask({ ...hi, model })
  expect(lastRecord()?.quota).toBe(quota)
})

it('audio input of Gemini costs what its price page states', async () => {
  const model = 'gemini-2.5-flash'
  await reopenGateway({ prices: testPrices(priceOf(model, { modelRatio: { [model]: 0.15 } })) })
  useChannels(channel({ type: 24 }))
  const usageMetadata = {
    promptTokenCount: 30_000,
    promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 20_000 }],
    candidatesTokenCount: 0,
    totalTokenCount: 30_000,
  }
  upstream.answer = json({ ...generated, candidates: [], usageMetadata })
  const sound = { inlineData: { mimeType: 'audio/mp3', data: 'AAAA' } }
  await ask({ contents: [{ role: 'user', parts: [sound] }] }, `/v1beta/models/${model}:generateContent`)
  // 10,000 × $0.30 and 20,000 × $1.00 a million: $0.023, at 500,000 units a dollar.
  expect(lastRecord()?.quota).toBe(11_500)
})
