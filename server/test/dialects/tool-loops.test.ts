import { describe, expect, it } from 'vitest'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import type { Conversation, Message, Part } from '../../src/dialects/conversation/conversation.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import { geminiContent } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import { deepseek } from '../../src/providers/deepseek/provider.ts'
import { openai } from '../../src/providers/openai/provider.ts'
import { silentConversation } from '../support/dialects/speakers.ts'

/** Refusals of conversations with tools, each maker for reasons of its own. */

const written = (upstream: ReturnType<typeof openaiChat>, more: Partial<Conversation>) => {
  const unsupported = createUnsupportedFields()
  const body: JsonObject = upstream.writeRequest({ ...silentConversation, ...more }, unsupported)
  return { body, lost: unsupported.list() }
}

const asks: Message = { role: 'user', parts: [{ kind: 'text', text: 'hi' }] }
const call: Part = { kind: 'tool_call', id: 'call_1', name: 'look', arguments: '{}' }
const png = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } } as const
const result: Part = { kind: 'tool_result', id: 'call_1', content: [{ kind: 'text', text: 'seen' }, png] }
const tool = { kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } } as const
const looped = (...parts: readonly Part[]): Message[] => [
  asks,
  { role: 'assistant', parts: [...parts, call] },
  { role: 'tool', parts: [result] },
]

describe('Claude', () => {
  it.each([
    ['claude-sonnet-4-5', { temperature: 0.5, top_k: 64 }, ['top_p']],
    ['claude-opus-4-1', { temperature: 0.5, top_k: 64 }, ['top_p']],
    ['claude-sonnet-4-0', { temperature: 0.5, top_p: 0.9, top_k: 64 }, []],
    ['claude-opus-4-7', {}, ['temperature', 'top_k', 'top_p']],
  ])('%s takes temperature and top_p as it can', (model, sampling, lost) => {
    const request = { model, temperature: 0.5, topP: 0.9, topK: 64, messages: [asks] }
    const { body, lost: named } = written(anthropicMessages(), request)
    const { temperature, top_p, top_k } = body
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(sampling)
    expect(named).toEqual(lost)
  })

  it('is given top_p when that is all', () => {
    const { body } = written(anthropicMessages(), { model: 'claude-sonnet-4-5', topP: 0.9, messages: [asks] })
    expect(body.top_p).toBe(0.9)
  })
})

describe('Gemini', () => {
  const contents = (model: string) => written(geminiContent(), { model, messages: looped() }).body.contents
  const response = { id: 'call_1', name: 'look', response: { result: 'seen' } }
  const inlineData = { mimeType: 'image/png', data: 'AAAA' }

  it('takes pictures in results since its third family', () => {
    expect(contents('gemini-3-pro-preview')).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { ...response, parts: [{ inlineData }] } }] },
    ])
  })

  it('takes them behind the results before', () => {
    expect(contents('gemini-2.5-pro')).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: response }, { inlineData }] },
    ])
    expect(JSON.stringify(contents('gemini-2.5-pro'))).not.toContain('"parts":[{"inlineData"')
  })
})

describe('DeepSeek', () => {
  const [language] = deepseek.languages
  const messages = (all: readonly Message[]) =>
    language?.dialect({} as never).writeRequest({ ...silentConversation, messages: all }, createUnsupportedFields())
      .messages

  it('gets the reasoning of its calls back, whichever provider signed it', () => {
    const thought: Part = { kind: 'thinking', text: 'Hm.', by: 'anthropic' }
    expect(messages(looped(thought))).toMatchObject([{}, { reasoning_content: 'Hm.' }, {}, {}])
  })

  it('gets some for the calls of others, as it refuses calls without', () => {
    expect(messages(looped())).toMatchObject([{}, { reasoning_content: ' ' }, {}, {}])
    expect(messages([asks, { role: 'assistant', parts: [{ kind: 'text', text: 'yes' }] }])).not.toHaveProperty(
      '1.reasoning_content',
    )
  })
})

describe('OpenAI', () => {
  const at = { channel: { baseUrl: '', organization: '', other: '' }, key: '' }
  const firstOf = (model: string) => openai.languagesOf?.(model, at)[0]?.name

  it.each([
    ['gpt-5.2', 'openai-chat'],
    ['gpt-5.4', 'openai-responses'],
    ['gpt-5.6-terra', 'openai-responses'],
    ['gpt-5.10', 'openai-responses'],
    ['gpt-5.5-chat-latest', 'openai-chat'],
    ['gpt-5.2-codex', 'openai-responses'],
    ['gpt-4o', 'openai-chat'],
  ])('serves %s in the dialect %s', (model, name) => {
    expect(firstOf(model)).toBe(name)
  })

  it('still takes chat completions as they are', () => {
    expect(openai.languagesOf?.('gpt-5.6', at).map(({ name }) => name)).toContain('openai-chat')
  })

  it('gets no reasoning effort where tools and reasoning exclude each other', () => {
    const request = { model: 'gpt-5.6', messages: [asks], reasoning: { effort: 'high' } as const }
    expect(written(openaiChat(), { ...request, tools: [tool] })).toMatchObject({
      body: { reasoning_effort: 'none' },
      lost: ['reasoning'],
    })
    expect(written(openaiChat(), request)).toMatchObject({ body: { reasoning_effort: 'high' }, lost: [] })
  })

  it('gets no signatures of Google and no empty texts', () => {
    const parts: Part[] = [
      { kind: 'text', text: 'Well.' },
      { ...call, signature: 'google' },
      { kind: 'text', text: '' },
    ]
    const { body } = written(openaiChat(), { messages: [asks, { role: 'assistant', parts }] })
    expect(body.messages).toMatchObject([{}, { content: 'Well.' }])
    expect(JSON.stringify(body)).not.toContain('google')
  })

  it('keeps what its own client said about storing and including', () => {
    const body = { model: 'gpt-5.2', input: 'hi', store: false, include: ['reasoning.encrypted_content'], metadata: {} }
    const read = openaiResponsesDialect.readRequest(body, { model: 'gpt-5.2', stream: false })
    const unsupported = createUnsupportedFields()
    expect(openaiResponses.writeRequest(read, unsupported)).toMatchObject({
      store: false,
      include: body.include,
      metadata: {},
    })
    anthropicMessages().writeRequest(read, unsupported)
    expect(unsupported.list()).toEqual([])
  })
})

describe('an unsigned thinking block', () => {
  const unsigned: Part = { kind: 'thinking', text: 'Hm.' }
  const answer = {
    id: 'a',
    model: 'm',
    created: 0,
    choices: [{ index: 0, parts: [unsigned, call], finish: 'tool_calls' as const }],
    usage: undefined,
  }

  it.each([
    [
      'Anthropic’s',
      anthropicDialect,
      (content: unknown) => ({ messages: [{ role: 'assistant', content }] }),
      'content',
    ],
    ['OpenAI’s', openaiResponsesDialect, (input: unknown) => ({ input }), 'output'],
  ] as const)('is not taken for %s', (_, client, requestOf, member) => {
    const written = client.writeAnswer(answer, silentConversation)[member]
    const read = client.readRequest(requestOf(written), { model: 'm', stream: false })
    const [thought] = read.messages[0]?.parts ?? []
    expect(thought).toMatchObject({ kind: 'thinking', text: 'Hm.', by: 'openai-chat' })
  })

  it('is marked at the end of its block in a stream', () => {
    const writer = anthropicDialect.openStream(silentConversation)
    const text = [
      writer.write({ kind: 'thinking', choice: 0, text: 'Hm.' }),
      writer.write({ kind: 'text', choice: 0, text: 'Yes.' }),
      writer.write({ kind: 'thinking', choice: 0, text: 'Oh.' }),
      writer.write({ kind: 'thinking', choice: 0, text: '', signature: 'mine', by: 'anthropic' }),
      writer.write({ kind: 'end' }),
    ].join('')
    const signatures = [...text.matchAll(/"signature_delta","signature":"([^"]*)"/g)].map(([, signature]) => signature)
    expect(signatures).toEqual([expect.stringMatching(/^tollgate:/), 'mine'])
  })
})
