import { describe, expect, it } from 'vitest'
import { anthropicDialect } from '../../dialects/anthropic/dialect.ts'
import { geminiDialect } from '../../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/dialect.ts'
import { type SessionedRequest, sessionOf } from './session-of.ts'

const request = (body: Record<string, unknown>, more: Partial<SessionedRequest> = {}): SessionedRequest => ({
  scope: '7',
  headers: {},
  body,
  dialect: openaiChatDialect,
  size: 4000,
  ...more,
})

const saying = (text: string, more: Record<string, unknown> = {}) => ({
  ...more,
  messages: [{ role: 'user', content: text }],
})

const uuid = 'c31ac7cf-56a7-4c0a-b363-2b726377687d'
const idOf = (...parts: Parameters<typeof request>) => sessionOf(request(...parts))?.id

const reminded = (...said: readonly string[]) => ({
  messages: [{ role: 'user', content: said.map((text) => ({ type: 'text', text })) }],
})
const reminder = `<system-reminder>\n${'A skill is available. '.repeat(50)}</system-reminder>`

describe('what a program puts before the words of a person', () => {
  it('tells no conversations apart, and holds none together', () => {
    expect(idOf(reminded(reminder, 'Mend it.'))).not.toBe(idOf(reminded(reminder, 'Build it.')))
    expect(idOf(reminded(`${reminder}\n\nMend it.`))).not.toBe(idOf(reminded(`${reminder}\n\nBuild it.`)))
    expect(idOf(reminded(reminder, 'Mend it.'))).toBe(idOf(reminded(reminder, reminder, 'Mend it.')))
  })

  it('is what is known of a conversation that has nothing else', () => {
    const other = '<system-reminder>\nAnother one.\n</system-reminder>'
    expect(idOf(reminded(reminder))).not.toBe(idOf(reminded(other)))
  })
})

describe('a session that the client names', () => {
  it.each([
    'x-claude-code-session-id',
    'session-id',
    'session_id',
    'x-session-id',
    'x-opencode-session',
    'x-session-affinity',
    'agent-session-id',
  ])('is known by the header %s, whatever is said, in every kind of call', (header) => {
    const headers = { [header]: uuid }
    expect(sessionOf(request(saying('one'), { headers }))).toMatchObject({ named: true, staysWithChannel: true })
    expect(idOf(saying('one'), { headers })).toBe(idOf(saying('two'), { headers }))
    expect(idOf(saying('one'), { headers })).not.toBe(idOf(saying('one')))
    expect(idOf({ input: 'x' }, { headers, dialect: undefined })).toBe(idOf(saying('one'), { headers }))
  })

  it.each<[string, Record<string, unknown>]>([
    ['a prompt cache key', { prompt_cache_key: uuid }],
    ['a session id', { session_id: uuid }],
    ['a conversation', { conversation: uuid }],
    ['a conversation with an id', { conversation: { id: uuid } }],
    ['Claude Code', { metadata: { user_id: `user_0a1b_account_77_session_${uuid}` } }],
    ['Claude Code without an account', { metadata: { user_id: `user_0a1b_account__session_${uuid}` } }],
    [
      'a later Claude Code',
      { metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: uuid }) } },
    ],
  ])('is known in the body by %s: all of them mean the same name', (_, fields) => {
    expect(idOf(saying('one', fields))).toBe(idOf(saying('two', fields)))
    expect(idOf(saying('one', fields))).toBe(idOf(saying('one'), { headers: { 'x-session-id': uuid } }))
  })

  it('goes by the header where the body says something else', () => {
    const body = saying('one', { prompt_cache_key: 'the app' })
    expect(idOf(body, { headers: { 'session-id': uuid } })).toBe(idOf(saying(''), { headers: { 'session-id': uuid } }))
  })

  it('is never that of another user', () => {
    const headers = { 'x-session-id': 'main' }
    expect(idOf(saying('one'), { headers, scope: '8' })).not.toBe(idOf(saying('one'), { headers }))
  })

  it.each<[string, Record<string, unknown>]>([
    ['an empty name', { prompt_cache_key: ' ' }],
    ['a name without end', { prompt_cache_key: 'x'.repeat(257) }],
    ['no text', { prompt_cache_key: 5, session_id: {}, conversation: [], metadata: 'm' }],
    ['broken JSON', { metadata: { user_id: '{"session_id":' } }],
    ['JSON that names none', { metadata: { user_id: '{"session_id":7}' } }],
  ])('is not read from %s', (_, fields) => {
    expect(sessionOf(request(saying('one', fields)))?.named).toBe(false)
  })
})

describe('a session without a name', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, Partial<SessionedRequest>]>([
    [
      'Responses',
      { instructions: 'i', input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] },
      { instructions: 'i', input: [{ role: 'user', content: [{ type: 'input_text', text: 'b' }] }] },
      { dialect: openaiResponsesDialect },
    ],
    [
      'Messages',
      { system: [{ type: 'text', text: 's' }], messages: [{ role: 'user', content: 'a' }] },
      { system: [{ type: 'text', text: 't' }], messages: [{ role: 'user', content: 'a' }] },
      { dialect: anthropicDialect },
    ],
    [
      'Gemini',
      { systemInstruction: { parts: [{ text: 's' }] }, contents: [{ parts: [{ text: 'a' }] }] },
      { systemInstruction: { parts: [{ text: 's' }] }, contents: [{ parts: [{ text: 'b' }] }] },
      { dialect: geminiDialect },
    ],
    ['users', saying('a', { user: 'u1' }), saying('a', { user: 'u2' }), {}],
    ['safety identifiers', saying('a', { safety_identifier: 'u1' }), saying('a', { safety_identifier: 'u2' }), {}],
  ])('is told apart from others by its beginning: %s', (_, one, other, more) => {
    expect(idOf(one, more)).toMatch(/^[0-9a-f]{16}$/)
    expect(idOf(structuredClone(one), more)).toBe(idOf(one, more))
    expect(idOf(other, more)).not.toBe(idOf(one, more))
  })

  it('stays the same as it grows, and when Claude Code changes its billing header', () => {
    const system = (billing: string) => [
      { type: 'text', text: `x-anthropic-billing-header: cch=${billing};` },
      { type: 'text', text: 'You are an agent.' },
    ]
    const first = { role: 'user', content: 'mend it' }
    const more = { dialect: anthropicDialect }
    expect(idOf({ system: system('a1'), messages: [first] }, more)).toBe(
      idOf({ system: system('b2'), messages: [first, { role: 'assistant', content: 'done' }] }, more),
    )
  })

  it('may go anywhere while it is too short for any cache', () => {
    expect(sessionOf(request(saying('hi'), { size: 100 }))?.staysWithChannel).toBe(false)
    expect(sessionOf(request(saying('hi'), { size: 4000 }))?.staysWithChannel).toBe(true)
  })

  it.each([{}, { messages: 5 }, { messages: [null] }, { messages: [7] }, { input: 5 }])(
    'is not found in %j, and nothing breaks',
    (body) => expect(sessionOf(request(body))).toBeUndefined(),
  )
})
