import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { claude, named } from '../support/gateway/dialects.ts'
import { ask, gateway, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { stream } from '../support/gateway/upstream.ts'

useScene()

/** Signed thoughts that clients of chat completions give back without their text. Claude refuses a thought that was changed. */

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5-5',
  content: [],
  usage: { input_tokens: 9, output_tokens: 1 },
}
const thinking = (...pieces: readonly object[]): string[] => [
  named('message_start', { message }),
  named('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  ...pieces.map((delta) => named('content_block_delta', { index: 0, delta })),
  named('content_block_stop', { index: 0 }),
  named('content_block_start', {
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  }),
  named('content_block_stop', { index: 1 }),
  named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } }),
  named('message_stop', {}),
]
const piece = (text: string) => ({ type: 'thinking_delta', thinking: text })
const signed = { type: 'signature_delta', signature: 'SIG' }

const tools = [
  { type: 'function' as const, function: { name: 'look', parameters: { type: 'object', properties: {} } } },
]
const asked = {
  model: 'claude-opus-5-5',
  reasoning_effort: 'high' as const,
  tools,
  messages: [{ role: 'user' as const, content: 'look' }],
}
const sentThought = (): unknown => JSON.parse(sentBody()).messages[1].content[0]

it('the helper of openai-node gives them back whole', async () => {
  useChannels(claude())
  upstream.answer = stream(...thinking(piece('I must '), piece('look.'), signed))
  const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const { message: answer } = (await client.chat.completions.stream(asked).finalChatCompletion()).choices[0] ?? {}
  if (answer === undefined) throw new Error('no answer')
  const result = { role: 'tool' as const, tool_call_id: 'toolu_1', content: 'seen' }
  await (await ask({ ...asked, messages: [...asked.messages, answer, result] })).text()
  expect(sentThought()).toEqual({ type: 'thinking', thinking: 'I must look.', signature: 'SIG' })
})

const detail = (text: string) => ({
  type: 'reasoning.text',
  text,
  signature: 'SIG',
  index: 0,
  format: 'anthropic-claude-v1',
})
const call = { id: 'toolu_9', type: 'function', function: { name: 'look', arguments: '{}' } }
const turn = (members: object) => [
  ...asked.messages,
  { role: 'assistant', content: null, tool_calls: [call], ...members },
  { role: 'tool', tool_call_id: 'toolu_9', content: 'seen' },
]

it.each([
  [
    'the text beside it, where nobody remembers the thought',
    { reasoning_content: 'I must look.', reasoning_details: [detail('')] },
    'I must look.',
  ],
  ['its own text', { reasoning_content: 'Other', reasoning_details: [detail('I must look.')] }, 'I must look.'],
  ['no text, where its model told none', { reasoning_details: [detail('')] }, ''],
])('a signature has %s', async (_, members, text) => {
  useChannels(claude())
  upstream.answer = stream(...thinking(signed))
  await (await ask({ ...asked, messages: turn(members) })).text()
  expect(sentThought()).toEqual({ type: 'thinking', thinking: text, signature: 'SIG' })
})
