import { expect, it } from 'vitest'
import { ask, channel, hi, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

it('speaks Gemini on channels that were made for PaLM, with the model that the channel names', async () => {
  useChannels(channel({ type: 11, modelMapping: new Map([['PaLM-2', 'gemini-2.5-flash']]) }))
  upstream.answer = json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, totalTokenCount: 10 },
  })
  const response = await ask({ ...hi, model: 'PaLM-2' })
  expect(upstream.received[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent')
  expect(upstream.received[0]?.headers['x-goog-api-key']).toBe('channel-key')
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
})
