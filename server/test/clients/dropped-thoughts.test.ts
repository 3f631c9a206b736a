import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ask, channel, gateway, sentBody, until, upstream, useChannels, useScene } from '../support/gateway/scene.ts'

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

it.each(['/v1/chat/completions', '/pg/chat/completions'])(
  'gives DeepSeek its thoughts back, once for each turn: %s',
  async (path) => {
    useChannels(channel({ type: 43 }))
    answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
    await (await ask(first, path)).text()
    await (await ask(second(), path)).text()
    expect(sentTurn()).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [kept],
      reasoning_content: 'I must look.',
    })
  },
)

it.each([
  [
    'what the client returns itself',
    { role: 'assistant', content: null, tool_calls: [kept], reasoning_content: 'Own.' },
    'Own.',
  ],
  // DeepSeek refuses calls without any.
  ['calls of another answer', { role: 'assistant', content: null, tool_calls: [{ ...kept, id: 'call_2' }] }, ' '],
])('puts no remembered thoughts into %s', async (_, message, thoughts) => {
  useChannels(channel({ type: 43 }))
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask(first)).text()
  await (await ask(second(message))).text()
  expect(sentTurn()).toEqual({ ...message, reasoning_content: thoughts })
})

it('changes nothing for a provider that wants none', async () => {
  useChannels(channel())
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask({ ...first, model: 'gpt-4o' })).text()
  const body = JSON.stringify({ ...second(), model: 'gpt-4o' })
  await (await ask(body)).text()
  expect(sentBody()).toBe(body)
})

const look = { type: 'function', name: 'look', parameters: { type: 'object' } }
const asked = { model: 'deepseek-reasoner', tools: [look], input: 'look' }
const seen = { type: 'function_call_output', call_id: 'call_1', output: 'seen' }
const returned = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":1}' }
const input = [{ role: 'user', content: 'look' }, returned, seen]

it('gives them back in Responses', async () => {
  useChannels(channel({ type: 43 }))
  answerWith({ reasoning_content: 'I must look.', tool_calls: [call] })
  await (await ask(asked, '/v1/responses')).text()
  await (await ask({ ...asked, input }, '/v1/responses')).text()
  expect(sentTurn()).toMatchObject({ role: 'assistant', reasoning_content: 'I must look.' })
})

it('gives them back in Responses over a WebSocket', async () => {
  useChannels(channel({ type: 43 }))
  const delta = (part: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: part, finish_reason }] })}\n\n`
  upstream.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunks = [delta({ reasoning_content: 'I must look.' }), delta({ tool_calls: [{ index: 0, ...call }] })]
    response.end(`${chunks.join('')}${delta({}, 'tool_calls')}data: [DONE]\n\n`)
  }
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: 'Bearer sk-good' },
  })
  const ids: string[] = []
  socket.on('message', (data) => {
    const { type, response } = JSON.parse(data.toString())
    if (type === 'response.completed') ids.push(response.id)
  })
  const turn = async (event: object): Promise<void> => {
    const before = ids.length
    socket.send(JSON.stringify({ type: 'response.create', store: false, ...asked, ...event }))
    await until(() => ids.length > before)
  }
  await new Promise((resolve) => socket.on('open', resolve))
  await turn({})
  await turn({ input })
  expect(sentTurn()).toMatchObject({ role: 'assistant', reasoning_content: 'I must look.' })
  socket.close()
})
