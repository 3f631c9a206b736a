import { expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, done, stream, usageChunk } from '../support/gateway/upstream.ts'

/** `transformers serve` streams in Responses unless it is told not to. */

useScene()

const event = (value: { readonly type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
const item = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'hello', annotations: [] }],
}
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-4o',
  usage: { input_tokens: 10, output_tokens: 16, total_tokens: 26 },
}
const opening = [
  event({
    type: 'response.created',
    response: { ...response, status: 'in_progress', output: [], usage: null },
  } as never),
  event({ type: 'response.output_text.delta', item_id: 'm', delta: 'hello' } as never),
  event({ type: 'response.output_item.done', output_index: 0, item } as never),
]
const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
const engine = () => channel({ type: 1001, keys: [], other: 'responses, messages' })
const asked = { model: 'gpt-4o', input: 'hi' }

it.each([
  ['all of it', [item]],
  ['no output', []],
])('a response whose last event has %s is answered whole', async (_, output) => {
  upstream.answer = stream(
    ...opening,
    event({ type: 'response.completed', response: { ...response, output } } as never),
  )
  useChannels(engine())
  const answer = await ask(asked, '/v1/responses')
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toMatchObject({ id: 'resp_1', status: 'completed', output: [item] })
  expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 16, receipt: { estimated: false } })
})

it.each([
  ['OpenAI', { type: 1 }],
  ['Own server', { type: 1001, keys: [], other: '' }],
])('a chat completion is answered whole, too: %s', async (_, place) => {
  upstream.answer = stream(chunk('hel'), chunk('lo'), finish, usageChunk(10, 16), done)
  useChannels(channel(place))
  const answer = await ask(hi)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 16 },
  })
  expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 16, receipt: { estimated: false } })
})

it('a message is answered whole, too', async () => {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], usage }
  upstream.answer = stream(
    event({ type: 'message_start', message } as never),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } } as never),
    event({ type: 'content_block_stop', index: 0 } as never),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 16 } } as never),
    event({ type: 'message_stop' }),
  )
  useChannels(engine())
  const answer = await ask({ ...hi, max_tokens: 50 }, '/v1/messages')
  expect(await answer.json()).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'hello' }] })
  expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 16 })
})

it.each([
  ['breaks off', opening, 502],
  [
    'says that it failed',
    [...opening, event({ type: 'error', message: 'out of memory', code: 'server_error' } as never)],
    502,
  ],
])('a stream that %s is a failure, and free', async (_, events, status) => {
  upstream.answer = stream(...events)
  useChannels(engine())
  expect((await ask(asked, '/v1/responses')).status).toBe(status)
  expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
})
