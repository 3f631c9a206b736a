import { describe, expect, it } from 'vitest'
import {
  claude,
  eventsIn,
  gemini,
  generated,
  generatedStream,
  message,
  messageStream,
  named,
} from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

describe('an OpenAI client', () => {
  it('may speak to Anthropic', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask({ ...hi, model: 'claude-sonnet-4-5', max_tokens: 9, seed: 1 })
    expect(upstream.received[0]?.path).toBe('/v1/messages')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('seed')
    expect(await response.json()).toMatchObject({
      id: 'msg_1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 47, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 30 } },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it.each([true, false])('gets Anthropic’s stream as chunks, usage requested: %s', async (include_usage) => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const request = { ...hiStream, model: 'claude-sonnet-4-5', stream_options: { include_usage } }
    const text = await (await ask(request)).text()
    const events = eventsIn(text)
    expect(events.slice(0, 2)).toMatchObject([
      {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Say "message_stop"' } }],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ])
    expect(events.length).toBe(include_usage ? 3 : 2)
    if (include_usage)
      expect(events[2]).toMatchObject({ choices: [], usage: { prompt_tokens: 47, completion_tokens: 3 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it('is sent to another channel when Anthropic begins with an error, and gets an error in the middle of a stream', async () => {
    const failing = named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels({ ...claude(), priority: 1 }, channel({ id: 2 }))
    const answers = [stream(messageStream[0] ?? '', failing), stream(chunk('saved'), done)]
    upstream.answer = (call) => answers[call.path === '/v1/messages' ? 0 : 1]?.(call)
    const text = await (await ask(hiStream)).text()
    expect(text).toContain('saved')
    expect(text).not.toContain('Overloaded')
    useChannels(claude())
    upstream.answer = stream(...messageStream.slice(0, 4), failing)
    const broken = eventsIn(await (await ask(hiStream)).text())
    expect(broken.at(-1)).toMatchObject({ error: { message: expect.stringContaining('Overloaded') } })
  })

  it('gets an error when no channel of a model supports such a call', async () => {
    useChannels(claude())
    const response = await ask({ model: 'claude-sonnet-4-5', input: 'x' }, '/v1/embeddings')
    expect(response.status).toBe(501)
    expect(upstream.received).toHaveLength(0)
  })
})

it('lets an OpenAI client speak to Gemini', async () => {
  useChannels(gemini())
  upstream.answer = json(generated)
  const response = await ask({ ...hi, model: 'gemini-2.5-flash' })
  expect(JSON.parse(sentBody())).toMatchObject({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    safetySettings: expect.arrayContaining([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }]),
  })
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 5 } },
  })
  upstream.answer = stream(...generatedStream)
  const events = eventsIn(await (await ask({ ...hiStream, model: 'gemini-2.5-flash' })).text())
  expect(events).toMatchObject([
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo' } }] },
    { choices: [{ finish_reason: 'stop' }] },
  ])
})

it('refuses what would be lost for groups that want nothing lost, unless another channel can say it', async () => {
  gateway.parts.settings = { ...testOptions, strictGroups: new Set(['default']) }
  useChannels(claude())
  const request = { ...hi, model: 'claude-sonnet-4-5', seed: 1 }
  const refused = await ask(request)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('seed') } })
  expect(upstream.received).toHaveLength(0)
  useChannels({ ...claude(), priority: 5 }, channel({ id: 2 }))
  upstream.answer = json(completion('Hello'))
  expect((await ask(request)).status).toBe(200)
  expect(upstream.received[0]?.path).toBe('/v1/chat/completions')
})
