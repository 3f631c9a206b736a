import { describe, expect, it } from 'vitest'
import { withCacheMarks } from './cache-marks.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: 'object', properties: {} }, ...more })
const user = (content: unknown) => ({ role: 'user', content })
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more })
const called = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] })

const sent = (body: object): Buffer => Buffer.from(JSON.stringify(body))
const marked = (body: object, ttl: '5m' | '1h' = '5m'): unknown => JSON.parse(String(withCacheMarks(sent(body), ttl)))

const session = {
  model: 'claude',
  system: 'You are an agent.',
  tools: [tool('Read'), tool('Edit')],
  messages: [user('mend it'), called('1'), user([result('1')]), called('2'), user([result('2'), text('go on')])],
}

describe('marks of what to cache', () => {
  it('stand behind the tools, the instructions and the last two turns of the user', () => {
    expect(marked(session)).toEqual({
      model: 'claude',
      system: [text('You are an agent.', mark)],
      tools: [tool('Read'), tool('Edit', mark)],
      messages: [
        user('mend it'),
        called('1'),
        user([result('1', mark)]),
        called('2'),
        user([result('2'), text('go on', mark)]),
      ],
    })
  })

  it('are four at most, however long a conversation is, and live as long as the operator says', () => {
    const turns = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? user(`turn ${index}`) : called('1')))
    const printed = String(withCacheMarks(sent({ ...session, messages: turns }), '1h'))
    expect(printed.match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g)).toHaveLength(4)
  })

  it.each<[string, object]>([
    ['a tool', { ...session, tools: [tool('Read', mark), tool('Edit')] }],
    ['the instructions', { ...session, system: [text('You are an agent.', mark)] }],
    ['a turn', { ...session, messages: [user([text('mend it', mark)])] }],
    ['the whole request', { ...session, ...mark }],
  ])('are not added where the client marked %s', (_, body) => {
    const bytes = sent(body)
    expect(withCacheMarks(bytes, '5m')).toBe(bytes)
  })

  it('are added where a text only speaks of them', () => {
    const body = { ...session, system: 'Set "cache_control" {"cache_control":1}.' }
    expect(marked(body)).toMatchObject({ system: [mark] })
  })

  it('leave out what cannot be marked: thinking, empty texts, tools that are loaded later', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
    expect(
      marked({
        tools: [tool('Read'), tool('Rare', { defer_loading: true })],
        system: ' ',
        messages: [user([text('one'), text('')]), { role: 'assistant', content: [thinking] }, user([thinking])],
      }),
    ).toEqual({
      tools: [tool('Read', mark), tool('Rare', { defer_loading: true })],
      system: ' ',
      messages: [user([text('one', mark), text('')]), { role: 'assistant', content: [thinking] }, user([thinking])],
    })
  })

  it('spare the only turn of a question that nothing follows', () => {
    const question = { system: 'Translate.', messages: [user('a long text')] }
    expect(marked(question)).toEqual({ system: [text('Translate.', mark)], messages: [user('a long text')] })
  })

  it('leave all other bytes as they came', () => {
    const body =
      '{ "max_tokens" : 1.0e3, "system":"a\\u00e9\\n", "messages":[ {"role":"user","content":"x"}, {"content":[],"role":"assistant"}], "tools": [] }'
    expect(String(withCacheMarks(Buffer.from(body), '5m'))).toBe(
      '{ "max_tokens" : 1.0e3, "system":[{"type":"text","text":"a\\u00e9\\n","cache_control":{"type":"ephemeral"}}], "messages":[ {"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}, {"content":[],"role":"assistant"}], "tools": [] }',
    )
  })

  it.each(['{}', '{"messages":[]}', '{"messages":5,"tools":{},"system":null}', '{"messages":[{},7,[]],"tools":[{}]}'])(
    'are not set in %s, and nothing breaks',
    (body) => expect(String(withCacheMarks(Buffer.from(body), '5m'))).toBe(body),
  )
})
