import { describe, expect, it } from 'vitest'
import { testCaller } from '../../../test/support/relay/ports.ts'
import { anthropicDialect } from '../../dialects/anthropic/dialect.ts'
import { geminiDialect } from '../../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/dialect.ts'
import { openSessionCounts } from './session-counts.ts'
import { createSessionGuard, type GuardedCall, type LimitsByGroup } from './session-guard.ts'
import { sessionOf } from './session-of.ts'
import { repeatedRounds, toolsCalled } from './tool-rounds.ts'

const person = { role: 'user', content: 'mend it' }

const anthropicRound = (result: string) => [
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `t${Math.random()}`, name: 'Bash', input: { command: 'ls' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: result }] },
]
const chatRound = (result: string) => [
  { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c', content: result },
]
const responsesRound = (result: string) => [
  { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: result },
]
const geminiRound = (result: string) => [
  { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result } } }] },
]

describe.each([
  ['Messages', anthropicDialect, anthropicRound, (turns: unknown[]) => ({ messages: [person, ...turns] })],
  ['chat', openaiChatDialect, chatRound, (turns: unknown[]) => ({ messages: [person, ...turns] })],
  ['Responses', openaiResponsesDialect, responsesRound, (turns: unknown[]) => ({ input: [person, ...turns] })],
  [
    'Gemini',
    geminiDialect,
    geminiRound,
    (turns: unknown[]) => ({ contents: [{ role: 'user', parts: [{ text: 'x' }] }, ...turns] }),
  ],
] as const)('a loop in %s', (_, dialect, round, bodyOf) => {
  const repeated = (...turns: unknown[][]) => repeatedRounds(dialect, bodyOf(turns.flat()))

  it('is the same call with the same result, as often as it was made last', () => {
    expect(repeated()).toBe(0)
    expect(repeated(round('a'))).toBe(1)
    expect(repeated(round('b'), round('a'), round('a'), round('a'))).toBe(3)
    expect(repeated(round('a'), round('a'), round('b'))).toBe(1)
  })

  it('brings the results of tools, whose names are logged', () => {
    const called = (...turns: unknown[][]) => toolsCalled(dialect, { ...bodyOf(turns.flat()), tools: [{}] })
    const name = dialect === anthropicDialect ? 'Bash' : 'ls'
    expect(called()).toBeUndefined()
    expect(called(round('a'), round('b'))).toEqual({ [name]: 1 })
    const [call = {}, result = {}] = round('a')
    const twice = dialect === openaiResponsesDialect ? [call, call, result, result] : [call, result]
    expect(called(round('a'), twice)).toEqual({ [name]: dialect === openaiResponsesDialect ? 2 : 1 })
    const isOfGoogle = dialect === geminiDialect
    const said = isOfGoogle ? { role: 'model', parts: [{ text: 'done' }] } : { role: 'assistant', content: 'done' }
    expect(called(round('a'), [said], [isOfGoogle ? { role: 'user', parts: [{ text: 'x' }] } : person])).toBeUndefined()
    expect(toolsCalled(dialect, bodyOf(round('a')))).toBeUndefined()
  })

  it('ends where a person speaks', () => {
    const said = dialect === geminiDialect ? { role: 'user', parts: [{ text: 'again' }] } : person
    expect(repeated(round('a'), round('a'), [said], round('a'))).toBe(1)
  })
})

const callOf = (name: string, group = 'default', body: Record<string, unknown> = {}): GuardedCall => ({
  caller: { ...testCaller, group },
  session: sessionOf({ scope: '1', headers: { 'x-session-id': name }, body, dialect: undefined, size: 0 }),
  dialect: anthropicDialect,
  body,
})

describe('the guard', () => {
  const open = () => {
    const time = { now: 0 }
    const clock = () => time.now
    const guard = createSessionGuard(openSessionCounts({ clock }), clock)
    const ask = (call: GuardedCall, limits: Record<string, object>) =>
      guard.check(call, new Map(Object.entries(limits)) as LimitsByGroup, 500_000)
    return { time, guard, ask }
  }

  it('stops a session after so many calls, and no other', () => {
    const { ask } = open()
    const limits = { '*': { calls: 2 } }
    ask(callOf('s'), limits)
    ask(callOf('s'), limits)
    expect(() => ask(callOf('s'), limits)).toThrow('has reached its limit')
    ask(callOf('other'), limits)
  })

  it('stops a session that cost so many dollars', () => {
    const { ask, guard } = open()
    const limits = { '*': { money: 1 } }
    const call = callOf('s')
    ask(call, limits)
    const session = call.session?.id ?? ''
    guard.charged({ session, quota: 499_999 })
    ask(call, limits)
    guard.charged({ session, quota: 1 })
    expect(() => ask(call, limits)).toThrow('has reached its limit')
  })

  it('stops a session that goes on for so many minutes', () => {
    const { ask, time } = open()
    const limits = { '*': { minutes: 30 } }
    ask(callOf('s'), limits)
    time.now = 29 * 60_000
    ask(callOf('s'), limits)
    time.now = 30 * 60_000
    expect(() => ask(callOf('s'), limits)).toThrow('has reached its limit')
  })

  it('stops a loop, with the limit of the group before that of all', () => {
    const { ask } = open()
    const body = { messages: [person, ...anthropicRound('a'), ...anthropicRound('a'), ...anthropicRound('a')] }
    const limits = { '*': { repeats: 3 }, vip: { repeats: 4 } }
    expect(() => ask(callOf('s', 'default', body), limits)).toThrow('the same tool call')
    ask(callOf('s', 'vip', body), limits)
  })
})

it('names the tools of the last round only, eight of them at most and no longer than a name is', () => {
  const calls = Array.from({ length: 12 }, (_, index) => ({ type: 'function_call', name: `tool ${index % 10}` }))
  const long = { type: 'custom_tool_call', name: '夏'.repeat(200), input: '' }
  const output = { type: 'function_call_output', output: '' }
  const called = (...input: object[]) => toolsCalled(openaiResponsesDialect, { input, tools: [{}] })
  expect(called(...calls, output)).toEqual(
    Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`tool ${index}`, index < 2 ? 2 : 1])),
  )
  expect(called(long, { type: 'custom_tool_call_output', output: '' })).toEqual({ ['夏'.repeat(64)]: 1 })
})
