import { expect, it } from 'vitest'
import { ask, channel, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'

/** Clients without a field for thoughts drop what models want back with the calls that it led to. */

useScene()

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }

/** The client has written the arguments anew. */
const kept = { ...call, function: { name: 'look', arguments: '{"at":1}' } }

const first = {
  model: 'deepseek-reasoner',
  messages: [{ role: 'user', content: 'look' }],
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
}
const second = (message: object = { role: 'assistant', content: null, tool_calls: [kept] }) => ({
  ...first,
  messages: [...first.messages, message, { role: 'tool', tool_call_id: 'call_1', content: 'seen' }],
})
const sentTurn = (): unknown => JSON.parse(sentBody()).messages[1]

const answerWith = (message: object): void => {
  upstream.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const choices = [
      { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, ...message } },
    ]
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage }))
  }
}

it('gives DeepSeek its thoughts back, once for each turn', async () => {
  useChannels(channel({ type: 43 }))
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask(first)).text()
  await (await ask(second())).text()
  expect(sentTurn()).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [kept],
    reasoning_content: 'I must look.',
  })
})

it.each([
  [
    'what the client returns itself',
    { role: 'assistant', content: null, tool_calls: [kept], reasoning_content: 'Own.' },
  ],
  ['calls of another answer', { role: 'assistant', content: null, tool_calls: [{ ...kept, id: 'call_2' }] }],
])('leaves %s as it is', async (_, message) => {
  useChannels(channel({ type: 43 }))
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask(first)).text()
  await (await ask(second(message))).text()
  expect(sentTurn()).toEqual(message)
})

it('changes nothing for a provider that wants none', async () => {
  useChannels(channel())
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask({ ...first, model: 'gpt-4o' })).text()
  const body = JSON.stringify({ ...second(), model: 'gpt-4o' })
  await (await ask(body)).text()
  expect(sentBody()).toBe(body)
})
