import { expect, it } from 'vitest'
import type { JsonObject } from '../conversation/json.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { openaiChatDialect } from '../openai-chat/dialect.ts'
import { anthropicMessages } from './dialect.ts'

const ask = (messages: readonly JsonObject[], model = 'claude-opus-5') => {
  const unsupported = createUnsupportedFields()
  const conversation = openaiChatDialect.readRequest({ messages }, { model, stream: false })
  const { system, messages: turns } = anthropicMessages().writeRequest(conversation, unsupported)
  return { system, turns, unsupported: unsupported.list() }
}

const say = (role: string, content: string) => ({ role, content })

it('later instructions stay behind the turn of the user that they came with', () => {
  expect(
    ask([
      say('system', 'Be brief.'),
      say('user', 'One.'),
      say('assistant', 'Yes?'),
      say('developer', 'Plan only.'),
      say('user', 'Two.'),
      say('developer', 'No tools.'),
      say('user', 'Three.'),
      say('assistant', 'Fine.'),
      say('user', 'Four.'),
      say('developer', 'Go on.'),
    ]),
  ).toEqual({
    system: 'Be brief.',
    turns: [
      say('user', 'One.'),
      say('assistant', 'Yes?'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Two.' },
          { type: 'text', text: 'Three.' },
        ],
      },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Plan only.' },
          { type: 'text', text: 'No tools.' },
        ],
      },
      say('assistant', 'Fine.'),
      say('user', 'Four.'),
      say('system', 'Go on.'),
    ],
    unsupported: [],
  })
})

it('behind the results of tools, too; those that nobody’s turn comes with go first', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const { system, turns, unsupported } = ask([
    say('user', 'One.'),
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
    say('developer', 'Hurry.'),
    say('assistant', 'I do.'),
    say('developer', 'Stop.'),
    say('assistant', 'Done.'),
  ])
  expect(turns).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'user', content: [{ type: 'tool_result' }] },
    { role: 'system', content: 'Hurry.' },
    { role: 'assistant' },
  ])
  expect(system).toBe('Stop.')
  expect(unsupported).toEqual(['messages.system.position'])
})

it('models that take none get all of them first', () => {
  for (const model of ['claude-sonnet-4-5', 'claude-opus-4-7', 'claude-haiku-4-5']) {
    const { system, turns, unsupported } = ask([say('user', 'One.'), say('developer', 'Hurry.')], model)
    expect({ system, turns }).toEqual({ system: 'Hurry.', turns: [say('user', 'One.')] })
    expect(unsupported).toEqual(['messages.system.position'])
  }
})
