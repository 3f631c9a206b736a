import { describe, expect, it } from 'vitest'
import { claude, eventsIn, message, messageStream, question } from '../support/gateway/dialects.ts'
import { ask, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

useScene()

describe('an Anthropic client', () => {
  it('gets what its own provider answered, byte for byte, and pays for each kind of token', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask(question, '/v1/messages')
    expect(await response.text()).toBe(JSON.stringify(message))
    expect(sentBody()).toBe(JSON.stringify(question))
    expect(upstream.received[0]?.headers).toMatchObject({
      'x-api-key': 'channel-key',
      'anthropic-version': '2023-06-01',
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
    expect(lastRecord()?.receipt?.lines.map(({ item, quantity }) => [item, quantity])).toEqual([
      ['input', 12],
      ['cache_read', 30],
      ['cache_write', 5],
      ['output', 3],
    ])
  })

  it('gets its own provider’s stream byte for byte, whatever its texts contain', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const response = await ask({ ...question, stream: true }, '/v1/messages')
    expect(await response.text()).toBe(messageStream.join(''))
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3, isStream: true })
  })

  it('gets an error event when its provider’s stream is cut off', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream.slice(0, 4))
    const text = await (await ask({ ...question, stream: true }, '/v1/messages')).text()
    expect(text).not.toContain('event: message_stop')
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
  })

  it.each(['/v1/messages', '/v1/chat/completions'])(
    'pays for what was said in a stream that was cut off: %s',
    async (path) => {
      useChannels(claude())
      upstream.answer = ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const event of messageStream.slice(0, 4)) response.write(event)
        setImmediate(() => response.destroy())
      }
      await (await ask({ ...question, stream: true }, path)).text()
      // The input as reported, and the 18 letters that the test's counter counts; the upstream had reported 1.
      expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 18, receipt: { estimated: true } })
    },
  )

  it('may speak to any provider of chat completions', async () => {
    upstream.answer = json(completion('Hello'))
    const response = await ask({ ...question, model: 'gpt-4o', top_k: 5 }, '/v1/messages')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
      max_completion_tokens: 100,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('top_k')
    expect(await response.json()).toEqual({
      id: 'x',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello' }],
      container: null,
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 5,
      },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5, other: { lost_fields: ['top_k'] } })
  })

  it('gets a chat completion as the events of a message', async () => {
    const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\n'
    upstream.answer = stream(chunk('one '), chunk('two'), finish, usageChunk(3, 4), done)
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    expect(eventsIn(text)).toMatchObject([
      { type: 'message_start', message: { id: 'c', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', delta: { text: 'one ' } },
      { type: 'content_block_delta', delta: { text: 'two' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens' },
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      { type: 'message_stop' },
    ])
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4 })
  })

  it('gets a whole answer as a stream where the upstream sends none', async () => {
    upstream.answer = json(completion('Hello'))
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  it('gets estimated usage too', async () => {
    const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    upstream.answer = stream(chunk('counted'), finish, done)
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    const delta = eventsIn(text).find(({ type }) => type === 'message_delta')
    expect(delta).toMatchObject({ usage: { output_tokens: lastRecord()?.completionTokens } })
    expect(lastRecord()?.completionTokens).toBeGreaterThan(0)
  })

  it('gets errors in its own dialect', async () => {
    upstream.answer = json({ error: { message: 'slow down', type: 'rate_limited', code: null } }, 400)
    const response = await ask({ ...question, model: 'gpt-4o' }, '/v1/messages')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('slow down') },
    })
  })

  it('reads why it has to wait, where OpenAI’s clients only hear that it has to', async () => {
    upstream.answer = json({ error: { message: 'of the output tokens per minute', type: 'rate_limit_error' } }, 429)
    const message = async (body: Record<string, unknown>, path: string): Promise<string> => {
      const refusal = (await (await ask(body, path)).json()) as { error: { message: string } }
      return refusal.error.message.replace(/ \(request id.*/, '')
    }
    expect(await message({ ...question, model: 'gpt-4o' }, '/v1/messages')).toBe('of the output tokens per minute')
    expect(await message(hi, '/v1/chat/completions')).toBe('当前分组上游负载已饱和，请稍后再试')
  })
})
