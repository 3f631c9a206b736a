import fc from 'fast-check'
import { expect, it } from 'vitest'
import { words } from '../../../test/support/dialects/events.ts'
import { silentConversation, speakers } from '../../../test/support/dialects/speakers.ts'
import { anthropicMessages } from '../anthropic/dialect.ts'
import { collect, eventsOf } from '../conversation/collect.ts'
import type { Answer, Conversation, ToolCallPart } from '../conversation/conversation.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { openaiChat, openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../openai-responses/dialect.ts'
import { inputOf } from './custom-tools.ts'

/** Custom tools (free text) are translated for providers whose tools take JSON objects. */

const conversation: Conversation = {
  ...silentConversation,
  tools: [
    { kind: 'custom', name: 'apply_patch', description: 'Changes files', format: { type: 'grammar', syntax: 'lark' } },
    { kind: 'function', name: 'shell', parameters: { type: 'object', properties: {} } },
  ],
  toolChoice: { kind: 'tool', name: 'apply_patch', custom: true },
}

it.each(['openai-chat', 'anthropic', 'gemini'] as const)(
  'are offered as functions in %s, and a dropped grammar is reported as unsupported',
  (name) => {
    const upstream =
      name === 'openai-chat'
        ? openaiChat({ customTools: false })
        : speakers.find((speaker) => speaker.name === name)?.upstream
    const unsupported = createUnsupportedFields()
    const again = speakers
      .find((speaker) => speaker.name === name)
      ?.client.readRequest(upstream?.writeRequest(conversation, unsupported) ?? {}, { model: 'm', stream: true })
    expect(again?.tools[0]).toMatchObject({ kind: 'function', name: 'apply_patch', description: 'Changes files' })
    expect(again?.toolChoice).toEqual({ kind: 'tool', name: 'apply_patch' })
    expect(unsupported.list()).toEqual(['tools.custom.format'])
  },
)

it('keep their names and grammars where they are known', () => {
  const unsupported = createUnsupportedFields()
  for (const upstream of [openaiChat(), openaiResponses])
    expect(JSON.stringify(upstream.writeRequest(conversation, unsupported))).toContain('"syntax":"lark"')
  expect(unsupported.list()).toEqual([])
})

const clients = [
  { client: openaiChatDialect, back: openaiChat() },
  { client: openaiResponsesDialect, back: openaiResponses },
]

const answerOf = (text: string): Answer => {
  const patch: ToolCallPart = { kind: 'tool_call', id: 'c1', name: 'apply_patch', arguments: text, custom: true }
  const others: ToolCallPart = { kind: 'tool_call', id: 'c2', name: 'shell', arguments: '{"input":"ls"}' }
  const choice = { index: 0, parts: [patch, others], finish: 'tool_calls' as const }
  return { id: 'r1', model: 'm', created: 7, choices: [choice], usage: undefined }
}

/** The answer of a provider without custom tools. */
const asObject = (answer: Answer): Answer => ({
  ...answer,
  choices: answer.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) => {
      if (part.kind !== 'tool_call' || !part.custom) return part
      const { custom: _, ...call } = part
      return { ...call, arguments: JSON.stringify(inputOf(part)) }
    }),
  })),
})

const inPieces = (events: readonly StreamEvent[]): StreamEvent[] =>
  events.flatMap((event): StreamEvent[] =>
    event.kind === 'arguments' ? [...event.text].map((text) => ({ ...event, text })) : [event],
  )

it.each(clients)('are called with their text, whole and in a stream: $client.name', ({ client, back }) => {
  fc.assert(
    fc.property(words, (text) => {
      const expected = answerOf(text).choices[0]?.parts
      const whole = back.readAnswer(client.writeAnswer(asObject(answerOf(text)), conversation))
      expect(whole.choices[0]?.parts).toEqual(expected)
      const writer = client.openStream(conversation)
      const printed = inPieces(eventsOf(asObject(answerOf(text)))).map((event) => writer.write(event))
      const reader = back.openStream()
      const data = printed
        .join('')
        .split('\n')
        .filter((line) => line.startsWith('data: '))
      const events = [...data.flatMap((line) => reader.read(line.slice(6), '')), ...reader.end()]
      expect(collect(events).choices[0]?.parts).toEqual(expected)
    }),
  )
})

it('are given back to Anthropic as they were called', () => {
  const [choice] = answerOf('*** Begin Patch').choices
  const body = anthropicMessages().writeRequest(
    { ...conversation, messages: [{ role: 'assistant', parts: choice?.parts ?? [] }] },
    createUnsupportedFields(),
  )
  expect(JSON.stringify(body.messages)).toContain('"input":{"input":"*** Begin Patch"}')
})
