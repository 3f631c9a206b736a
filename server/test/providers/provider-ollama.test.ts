import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  hi,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, type Received, stream, usageChunk } from '../support/gateway/upstream.ts'

useScene()

const ollama = (baseUrl = upstream.url) => channel({ type: 4, baseUrl })

const line = (message: object, more: object = {}): object => ({
  model: 'qwen3',
  created_at: '2026-01-02T03:04:05Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
})

const last = line({}, { done: true, done_reason: 'stop', prompt_eval_count: 6, eval_count: 4 })

const lines =
  (...all: readonly object[]) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const one of all) response.write(`${JSON.stringify(one)}\n`)
    response.end()
  }

const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((row) => row.startsWith('data: {'))
    .map((row) => JSON.parse(row.slice(6)))

describe('Ollama', () => {
  it('gets its own format, and the client its dialect', async () => {
    useChannels(ollama())
    upstream.answer = json(
      line({ content: 'Hello', thinking: 'Hm.' }, { ...last, message: { content: 'Hello', thinking: 'Hm.' } }),
    )
    const response = await ask({ ...hi, max_tokens: 9, keep_alive: '1h', user: 'u' })
    expect(upstream.received[0]?.path).toBe('/api/chat')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
      keep_alive: '1h',
      options: { num_predict: 9 },
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('user')
    expect(await response.json()).toMatchObject({
      created: 1767323045,
      choices: [{ message: { content: 'Hello', reasoning_content: 'Hm.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 6, completion_tokens: 4 },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 6, completionTokens: 4 })
  })

  it('streams lines, which become events, calls included', async () => {
    useChannels(ollama())
    const call = { function: { name: 'f', arguments: { x: 1 } } }
    upstream.answer = lines(line({ content: 'Wait.' }), line({ tool_calls: [call] }), last)
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    expect(eventsIn(text)).toMatchObject([
      { choices: [{ delta: { content: 'Wait.' } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'f' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] } }] },
      { choices: [{ finish_reason: 'tool_calls' }] },
      { usage: { prompt_tokens: 6, completion_tokens: 4 } },
    ])
    expect(lastRecord()).toMatchObject({ promptTokens: 6, completionTokens: 4, isStream: true })
  })

  const cached = line({}, { done: true, done_reason: 'stop', eval_count: 4 })
  // The test's counter counts characters.
  const counted = JSON.stringify(hi.messages).length

  it('is billed the output that it reports where its cached prompt is missing, which is counted here', async () => {
    useChannels(ollama())
    upstream.answer = json({ ...cached, message: { content: 'a longer answer than four characters' } })
    const usage = { prompt_tokens: counted, completion_tokens: 4 }
    expect(await (await ask(hi)).json()).toMatchObject({ usage })
    const billed = { promptTokens: counted, completionTokens: 4, receipt: { estimated: true } }
    expect(lastRecord()).toMatchObject(billed)
    upstream.answer = lines(line({ content: 'a longer answer than four characters' }), cached)
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    expect(eventsIn(text).filter((event) => event.usage)).toMatchObject([{ usage }])
    expect(lastRecord()).toMatchObject(billed)
  })

  it('is billed the same through its OpenAI-compatible API, and reports usage once', async () => {
    useChannels(ollama(`${upstream.url}/v1`))
    upstream.answer = stream(chunk('a longer answer'), usageChunk(0, 4), done)
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    expect(eventsIn(text).filter((event) => event.usage)).toHaveLength(1)
    expect(lastRecord()).toMatchObject({ promptTokens: counted, completionTokens: 4, receipt: { estimated: true } })
  })

  it.each([404, 200])('says why it did not answer: %i', async (status) => {
    useChannels(ollama())
    upstream.answer = json({ error: "model 'x' not found" }, status)
    const response = await ask(hi)
    expect(response.status).toBe(status === 200 ? 502 : status)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("model 'x' not found") } })
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('may break in the middle of a stream, or end without saying so', async () => {
    useChannels(ollama())
    upstream.answer = lines(line({ content: 'Hel' }), { error: 'out of memory' })
    expect(eventsIn(await (await ask(hiStream)).text()).at(-1)).toMatchObject({
      error: { message: expect.stringContaining('out of memory') },
    })
    upstream.answer = lines(line({ content: 'Hel' }))
    expect(eventsIn(await (await ask(hiStream)).text()).at(-1)).toHaveProperty('error')
    expect(lastRecord()).toMatchObject({ kind: 'charge' })
  })

  it('is called through its OpenAI-compatible API when the address says so', async () => {
    useChannels(ollama(`${upstream.url}/v1`))
    upstream.answer = stream(chunk('hello'), usageChunk(3, 4), done)
    await ask(hiStream)
    expect(upstream.received[0]?.path).toBe('/v1/chat/completions')
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4 })
    upstream.answer = json({ embeddings: [[1]], prompt_eval_count: 2 })
    await ask({ model: 'm', input: 'x' }, '/v1/embeddings')
    expect(upstream.received[1]?.path).toBe('/api/embed')
  })

  it('completes plain prompts through that API, whatever the address', async () => {
    useChannels(ollama())
    upstream.answer = json({ ...completion('x'), choices: [{ index: 0, text: 'x', finish_reason: 'stop' }] })
    await ask({ model: 'm', prompt: 'a' }, '/v1/completions')
    expect(upstream.received[0]?.path).toBe('/v1/completions')
  })
})
