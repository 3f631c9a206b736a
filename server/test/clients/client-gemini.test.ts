import { describe, expect, it } from 'vitest'
import {
  claude,
  contents,
  eventsIn,
  gemini,
  generated,
  generatedStream,
  messageStream,
} from '../support/gateway/dialects.ts'
import { ask, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

describe('a Gemini client', () => {
  it('gets what its own provider answered, byte for byte', async () => {
    useChannels(gemini())
    upstream.answer = json(generated)
    const response = await ask(contents, '/v1beta/models/gemini-2.5-flash:generateContent')
    expect(await response.text()).toBe(JSON.stringify(generated))
    expect(upstream.received[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent')
    expect(sentBody()).toBe(JSON.stringify(contents))
    expect(lastRecord()).toMatchObject({ model: 'gemini-2.5-flash', promptTokens: 8, completionTokens: 7 })
  })

  it('gets its own provider’s stream, as events or as one list', async () => {
    useChannels(gemini())
    upstream.answer = stream(...generatedStream)
    const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent'
    expect(await (await ask(contents, `${path}?alt=sse`)).text()).toBe(generatedStream.join(''))
    expect(upstream.received[0]?.path).toBe(`${path}?alt=sse`)
    const listed = await ask(contents, path)
    expect(listed.headers.get('content-type')).toContain('application/json')
    expect(await listed.json()).toMatchObject([{ responseId: 'r1' }, { candidates: [{ finishReason: 'STOP' }] }])
    expect(lastRecord()).toMatchObject({ promptTokens: 8, completionTokens: 7, isStream: true })
  })

  it('may speak to any provider of chat completions, and to Anthropic', async () => {
    upstream.answer = json(completion('Hello'))
    const path = '/v1beta/models/gpt-4o:generateContent'
    const response = await ask(contents, path)
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
      max_completion_tokens: 50,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('top_k')
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    })
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const events = eventsIn(
      await (await ask(contents, '/v1beta/models/claude-sonnet-4-5:streamGenerateContent?alt=sse')).text(),
    )
    expect(events).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Say "message_stop"' }] } }] },
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 47, cachedContentTokenCount: 30 } },
    ])
  })

  it('gets errors in its own dialect', async () => {
    upstream.answer = json({ error: { message: 'no', type: 'x', code: null } }, 400)
    const response = await ask(contents, '/v1beta/models/gpt-4o:generateContent')
    expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  })
})
