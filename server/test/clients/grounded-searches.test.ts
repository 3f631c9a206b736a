import { describe, expect, it } from 'vitest'
import { message } from '../support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

/** Google's searches as clients of other dialects read them. */

useScene()

const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }]
const model = 'gemini-2.5-pro'
const asking = { model, max_tokens: 90, messages: hi.messages, tools }
const answerTexts = ['Ruby 4.0 ', 'is the latest.']
const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 }
const groundingMetadata = {
  webSearchQueries: ['ruby release', '', 'ruby latest'],
  groundingChunks: [
    { web: { uri: 'https://a.example/', title: 'a.example' } },
    { web: { uri: 'https://b.example/', title: 'b.example' } },
  ],
  groundingSupports: [{ segment: { startIndex: 0, endIndex: 8, text: 'Ruby 4.0' }, groundingChunkIndices: [0] }],
}
const piece = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  modelVersion: model,
  responseId: 'g1',
})
const whole = { ...piece(answerTexts.join(''), { finishReason: 'STOP', groundingMetadata }), usageMetadata }
const events = (...texts: string[]) =>
  stream(
    ...texts.map((text) => `data: ${JSON.stringify(piece(text))}\n\n`),
    `data: ${JSON.stringify({ ...piece('', { finishReason: 'STOP', groundingMetadata }), usageMetadata })}\n\n`,
  )

const id = 'srvtoolu_tollgate_g1'
const results = [
  { type: 'web_search_result', url: 'https://a.example/', title: 'a.example' },
  { type: 'web_search_result', url: 'https://b.example/', title: 'b.example' },
]
const blocks = [
  { type: 'server_tool_use', id, name: 'web_search', input: { query: 'ruby release\nruby latest' } },
  { type: 'web_search_tool_result', tool_use_id: id, content: results },
]

interface Block {
  readonly type: string
  readonly text?: string
}
interface Event {
  readonly type: string
  readonly index?: number
  readonly content_block?: Block
  readonly delta?: { readonly type?: string; readonly text?: string }
  readonly usage?: object
}

const streamed = async (): Promise<Event[]> => {
  const text = await (await ask({ ...asking, stream: true }, '/v1/messages')).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Event)
}
const blocksOf = (all: readonly Event[]): Block[] => all.flatMap(({ content_block: block }) => (block ? [block] : []))
const textOf = (all: readonly Event[]): string => all.map(({ delta }) => delta?.text ?? '').join('')

describe('a search of Google', () => {
  it('becomes a search before the text that cites it, for Claude’s clients', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = json(whole)
    const answer = await ask(asking, '/v1/messages')
    expect(JSON.parse(sentBody())).toMatchObject({ tools: [{ googleSearch: {} }] })
    expect(answer.headers.get('x-tollgate-lost-fields') ?? '').not.toContain('answer.')
    const body = (await answer.json()) as { content: Block[]; usage: object }
    expect(body).toMatchObject({
      content: [
        ...blocks,
        {
          type: 'text',
          text: answerTexts.join(''),
          citations: [{ url: 'https://a.example/', cited_text: 'Ruby 4.0' }],
        },
      ],
      usage: { server_tool_use: { web_search_requests: 2 } },
    })
    expect(lastRecord()).toMatchObject({ kind: 'charge', receipt: { estimated: false } })

    // The next turn brings the blocks back, to Google or to Anthropic, who did not write them.
    const next = {
      ...asking,
      messages: [...hi.messages, { role: 'assistant', content: body.content }, { role: 'user', content: 'Go on.' }],
    }
    await ask(next, '/v1/messages')
    expect(sentBody()).toContain('- a.example: https://a.example/')
    expect(sentBody()).toContain(answerTexts.join(''))
    expect(sentBody()).not.toMatch(/server_tool_use|web_search_tool_result|tollgate/)
    useChannels(channel({ type: 14 }))
    upstream.answer = json(message)
    expect((await ask({ ...next, model: 'claude-sonnet-4-5' }, '/v1/messages')).status).toBe(200)
    expect(sentBody()).toContain('- a.example: https://a.example/')
    expect(sentBody()).not.toMatch(/server_tool_use|web_search_tool_result|tollgate/)
  })

  it('is streamed before the text, although Google reports it at the end', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = events(...answerTexts)
    const all = await streamed()
    expect(blocksOf(all)).toMatchObject([...blocks, { type: 'text' }])
    expect(textOf(all)).toBe(answerTexts.join(''))
    expect(all.filter(({ delta }) => delta?.type === 'citations_delta')).toMatchObject([
      { index: 2, delta: { citation: { url: 'https://a.example/' } } },
    ])
    expect(all.find(({ type }) => type === 'message_delta')?.usage).toMatchObject({
      server_tool_use: { web_search_requests: 2 },
    })
    expect(all.at(-1)?.type).toBe('message_stop')
  })

  it('is streamed after a text that is too long to wait for it', async () => {
    useChannels(channel({ type: 24 }))
    const long = ['x'.repeat(9000), 'y'.repeat(9000)]
    upstream.answer = events(...long)
    const all = await streamed()
    expect(blocksOf(all)).toMatchObject([{ type: 'text' }, ...blocks])
    expect(textOf(all)).toBe(long.join(''))
    expect(all.filter(({ delta }) => delta?.type === 'citations_delta')).toHaveLength(1)
  })

  it('that was offered but not made holds no text back for good', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = stream(
      `data: ${JSON.stringify({ ...piece('No search.', { finishReason: 'STOP' }), usageMetadata })}\n\n`,
    )
    const all = await streamed()
    expect(blocksOf(all)).toMatchObject([{ type: 'text' }])
    expect(textOf(all)).toBe('No search.')
  })

  it('is nothing but citations to clients of chat completions, which lose nothing', async () => {
    useChannels(channel({ type: 24 }))
    upstream.answer = json(whole)
    const answer = await ask({ model, messages: hi.messages })
    expect(answer.headers.get('x-tollgate-lost-fields')).toBeNull()
    expect(await answer.json()).toMatchObject({
      choices: [
        { message: { content: answerTexts.join(''), annotations: [{ url_citation: { url: 'https://a.example/' } }] } },
      ],
    })
  })
})
