import { describe, expect, it } from 'vitest'
import { ask, channel, hi, hiStream, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, type Received, stream, usageChunk } from '../support/gateway/upstream.ts'

/** llama.cpp states its tokens also in `timings`, of which its last chunk has some where nobody asked for usage. */

useScene()

const timings = { cache_n: 27, prompt_n: 517, predicted_n: 17, predicted_ms: 3.5 }
const finish = `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  timings,
})}\n\n`
const asking = { ...hiStream, stream_options: { include_usage: true } }
const exact = { promptTokens: 544, completionTokens: 17, receipt: { estimated: false } }
const cached = { other: { cache_tokens: 27 } }
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

describe.each([
  ['Own server', { type: 1001, keys: [], other: '' }],
  ['OpenAI', { type: 1 }],
  ['Custom', { type: 8 }],
] as const)('timings at %s', (_, place) => {
  it.each([
    ['chat', '/v1/chat/completions', hiStream],
    ['Messages', '/v1/messages', { ...hiStream, max_tokens: 900 }],
    ['Gemini', '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents }],
  ])('are the usage of a stream that states none: %s', async (_name, path, body) => {
    upstream.answer = stream(chunk('hello'), finish, done)
    useChannels(channel(place))
    await (await ask(body, path)).text()
    expect(lastRecord()).toMatchObject({ ...exact, ...cached })
  })

  it('are told as usage to a client that asked for it, once', async () => {
    upstream.answer = stream(chunk('hello'), finish, done)
    useChannels(channel(place))
    const text = await (await ask(asking)).text()
    expect(text.match(/"prompt_tokens":544/g)).toHaveLength(1)
    expect(text.match(/"cached_tokens":27/g)).toHaveLength(1)
    expect(text).toContain('"timings"')
  })

  it('are the usage of an answer that states none', async () => {
    const { usage: _usage, ...answer } = JSON.parse(JSON.stringify(completion('hello'))) as Record<string, unknown>
    upstream.answer = json({ ...answer, timings })
    useChannels(channel(place))
    expect(await (await ask(hi)).json()).toMatchObject({ timings })
    expect(lastRecord()).toMatchObject({ ...exact, ...cached })
    const told = await (await ask({ ...hi, max_tokens: 900 }, '/v1/messages')).json()
    expect(told).toMatchObject({ usage: { input_tokens: 517, cache_read_input_tokens: 27, output_tokens: 17 } })
  })

  it('count no prompt without what was cached', async () => {
    const older = finish.replace('"cache_n":27,', '')
    upstream.answer = stream(chunk('hello'), older, done)
    useChannels(channel(place))
    await (await ask(hiStream)).text()
    expect(lastRecord()).toMatchObject({ receipt: { estimated: true } })
  })
})

it('timings stay in a stream whose usage nobody but the gateway asked for', async () => {
  const usage = usageChunk(544, 17).replace(/}\n\n$/, `,"timings":${JSON.stringify(timings)}}\n\n`)
  upstream.answer = stream(chunk('hello'), usage, done)
  useChannels(channel({ type: 1001, keys: [], other: '' }))
  const text = await (await ask(hiStream)).text()
  expect(text).not.toContain('"usage"')
  expect(text).toContain(`"timings":${JSON.stringify(timings)}`)
  expect(text).toContain('"choices":[{"index":0,"delta":{},"finish_reason":null}]')
  expect(lastRecord()).toMatchObject(exact)
})

describe('a stream that breaks off', () => {
  const breaking = ({ response, path, body }: Received): void => {
    const { content } = JSON.parse(body.toString()) as { content?: string }
    if (path === '/tokenize' && content !== undefined) json({ tokens: [...content] })({ response } as Received)
    else if (path === '/v1/chat/completions/input_tokens') json({ input_tokens: 594 })({ response } as Received)
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('hello'), () => response.destroy())
    }
  }

  it.each([
    ['chat', '/v1/chat/completions', hiStream],
    ['Messages', '/v1/messages', { ...hiStream, max_tokens: 900 }],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true }],
    ['Gemini', '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents }],
  ])('is charged with what the engine counts: %s', async (_, path, body) => {
    upstream.answer = breaking
    useChannels(channel({ type: 1001, keys: [], other: '' }))
    await (await ask(body, path)).text()
    expect(lastRecord()).toMatchObject({
      promptTokens: 594,
      completionTokens: 5,
      receipt: { estimated: true },
      other: { end: 'upstream_broke' },
    })
  })

  it('is counted here at providers that are no engines', async () => {
    upstream.answer = breaking
    await (await ask(hiStream)).text()
    expect(upstream.received).toHaveLength(1)
    expect(lastRecord()?.promptTokens).not.toBe(594)
  })
})
