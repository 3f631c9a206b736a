import { expect, it } from 'vitest'
import { silentConversation as conversation } from '../../../test/support/dialects/speakers.ts'
import type { Part } from '../conversation/conversation.ts'
import { isObject, type JsonObject, objectsOf } from '../conversation/json.ts'
import { withPackedThoughts } from './carried-thoughts.ts'
import { geminiDialect } from './dialect.ts'

/** A client that keeps call signatures but drops thoughts still returns the thoughts of other providers. */

const call = (id: string): Part => ({ kind: 'tool_call', id, name: 'look', arguments: '{}' })

const before: Part = { kind: 'thinking', text: 'Hm — “π”.', signature: 'seal-1', by: 'anthropic' }
const secret: Part = { kind: 'thinking', text: '', encrypted: 'e-2', id: 'rs_2', by: 'openai-responses' }
const plain: Part = { kind: 'thinking', text: 'unsigned' }

const request = (parts: readonly JsonObject[]) =>
  geminiDialect.readRequest({ contents: [{ role: 'model', parts }] }, { model: 'm', stream: false }).messages[0]?.parts

const answered = (parts: readonly Part[]): readonly JsonObject[] => {
  const answer = geminiDialect.writeAnswer(
    {
      id: 'a',
      model: 'm',
      created: 0,
      choices: [{ index: 0, parts, finish: 'tool_calls' }],
      usage: undefined,
    },
    conversation,
  )
  const [candidate] = objectsOf(answer.candidates)
  return objectsOf(isObject(candidate?.content) ? candidate.content.parts : [])
}

const withoutThoughts = (parts: readonly JsonObject[]): JsonObject[] => parts.filter(({ thought }) => thought !== true)

it.each([
  ['a signed thought', [before, call('1')]],
  ['one that is encrypted', [secret, call('1')]],
  ['one without a signature', [plain, call('1')]],
  ['a thought before text, which stays before it', [before, { kind: 'text', text: 'Well.' } as const, call('1')]],
  ['a thought behind text', [{ kind: 'text', text: 'Well.' } as const, before, call('1'), call('2')]],
  ['several', [before, secret, call('1'), { ...before, signature: 'seal-3' }, call('2')]],
])('carries %s', (_, parts: readonly Part[]) => {
  expect(request(withoutThoughts(answered(parts)))).toEqual(parts)
})

it('does not repeat thoughts that came back by themselves', () => {
  expect(request(answered([before, call('1')]))).toEqual([before, call('1')])
})

it('joins the pieces of a stream', () => {
  const writer = geminiDialect.openStream(conversation)
  const choice = 0
  const text = [
    writer.write({ kind: 'thinking', choice, text: 'Hm — ' }),
    writer.write({ kind: 'thinking', choice, text: '“π”.' }),
    writer.write({ kind: 'thinking', choice, text: '', signature: 'seal-1', by: 'anthropic' }),
    writer.write({ kind: 'tool_call', choice, index: 0, id: '1', name: 'look' }),
    writer.write({ kind: 'finish', choice, finish: 'tool_calls' }),
    writer.write({ kind: 'end' }),
  ].join('')
  const parts = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .flatMap((line) => objectsOf((JSON.parse(line.slice(6)) as { candidates: unknown }).candidates))
    .flatMap(({ content }) => objectsOf((content as JsonObject).parts))
  const kept = withoutThoughts(parts).filter(({ text }) => text !== '')
  expect(request(kept)).toEqual([before, call('1')])
})

it('takes what a client keeps of a stream, piece for piece, for one turn', () => {
  const pieces: JsonObject[][] = [
    [{ text: 'Hm — ', thought: true }],
    [{ text: '“π”.', thought: true }],
    [...answered([{ ...before, text: '' }])],
    [{ text: 'Well.' }],
    [...answered([before, call('1')])].filter(({ thought }) => thought !== true),
    [{ functionCall: { id: '2', name: 'look', args: {} } }],
    [{ text: '' }],
  ]
  const turns = (contents: readonly JsonObject[]) =>
    geminiDialect.readRequest({ contents }, { model: 'm', stream: false }).messages
  const well: Part = { kind: 'text', text: 'Well.' }
  expect(turns(pieces.map((parts) => ({ role: 'model', parts })))).toEqual([
    { role: 'assistant', parts: [before, well, call('1'), call('2')] },
  ])
  const spoken = pieces.slice(0, 4).map((parts) => ({ role: 'model', parts }))
  expect(turns(spoken)).toEqual([{ role: 'assistant', parts: [before, well] }])
})

it('leaves Gemini’s own signatures alone', () => {
  const own: Part[] = [
    { kind: 'thinking', text: 'Mine.', by: 'gemini' },
    { kind: 'tool_call', id: '1', name: 'look', arguments: '{}', signature: 'own' },
  ]
  expect(withPackedThoughts(own)).toEqual(own)
  const signed = { functionCall: { id: '1', name: 'look', args: {} }, thoughtSignature: 'own' }
  expect(request([signed])).toEqual([own[1]])
})
