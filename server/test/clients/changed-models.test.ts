import { describe, expect, it } from 'vitest'
import { message } from '../support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

/** A conversation that began at one maker and goes on at another, in the client's own language. */

const turns = (signature: string) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature },
        { type: 'text', text: 'Yes?' },
      ],
    },
    { role: 'user', content: 'go on' },
  ],
})

describe('Anthropic', () => {
  it('does not get reasoning of another vendor, and the client sees it as unsupported', async () => {
    useChannels(channel({ type: 14 }))
    upstream.answer = json(message)
    const response = await ask(turns('tollgate:gemini:s:abc'), '/v1/messages')
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' })
    expect(JSON.parse(sentBody()).messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'go on' },
    ])
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('messages.thinking')
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it('gets its own thoughts untouched', async () => {
    useChannels(channel({ type: 14 }))
    upstream.answer = json(message)
    await ask(turns('genuine'), '/v1/messages')
    expect(sentBody()).toBe(JSON.stringify(turns('genuine')))
  })
})

it('Gemini gets no signature of a call that another maker made', async () => {
  useChannels(channel({ type: 24 }))
  upstream.answer = json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
  })
  const carried = Buffer.from('tollgate-thoughts:[]').toString('base64')
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ functionCall: { id: '1', name: 'look', args: {} }, thoughtSignature: carried }] },
    { role: 'user', parts: [{ functionResponse: { id: '1', name: 'look', response: { ok: true } } }] },
  ]
  await ask({ contents }, '/v1beta/models/gemini-3-pro-preview:generateContent')
  expect(sentBody()).not.toContain(carried)
  expect(JSON.parse(sentBody())).toMatchObject({
    contents: [{}, { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }, {}],
  })
})

it('what a client adds to the address of its own language is not sent in another', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  await ask({ contents }, '/v1beta/models/gpt-4o:generateContent?alt=json')
  expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions')
  await ask(hi, '/v1/chat/completions?beta=true')
  expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions?beta=true')
})
