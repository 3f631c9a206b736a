import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { claude, message, question } from '../support/gateway/dialects.ts'
import { ask, gateway, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

useScene()

/** Anthropic keeps a conversation as a thread; no other provider does (platform.claude.com/docs/en/build-with-claude/message-threads). */

const continued = { ...question, thread: { type: 'continue', previous_message_id: 'msg_1' } }

it('a thread goes on at Anthropic, and is not found anywhere else', async () => {
  const refused = await ask({ ...continued, model: 'gpt-4o' }, '/v1/messages')
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({
    error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } },
  })
  expect(upstream.received).toHaveLength(0)
  useChannels(claude())
  upstream.answer = json(message)
  expect((await ask(continued, '/v1/messages')).status).toBe(200)
  expect(sentBody()).toBe(JSON.stringify(continued))
})

it('Anthropic’s tool runner, which threads, gets to its answer at other providers', async () => {
  const call = { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
  const calling = completion('Let me look.')
  const [choice] = calling.choices
  const asks = { ...calling, choices: [{ ...choice, message: { ...choice?.message, tool_calls: [call] } }] }
  upstream.answer = (request) => json(upstream.received.length === 1 ? asks : completion('Sunny'))(request)
  const client = new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })
  const final = await client.beta.messages.toolRunner({
    model: 'gpt-4o',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [
      {
        type: 'custom',
        name: 'weather',
        input_schema: { type: 'object', properties: { city: { type: 'string' } } },
        parse: (input) => input,
        run: () => Promise.resolve('rain'),
      },
    ],
  })
  expect(final.content).toMatchObject([{ type: 'text', text: 'Sunny' }])
  expect(JSON.parse(sentBody()).messages).toEqual([
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: 'Let me look.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
  ])
})
