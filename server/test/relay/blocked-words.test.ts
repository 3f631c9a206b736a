import { describe, expect, it } from 'vitest'
import type { AnswerCheck } from '../../src/relay/stream/answer-guard.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  openStream,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

/** Answers are checked for blocked words, as an option asks for. */

const check = (changes: Partial<AnswerCheck> = {}): void => {
  gateway.parts.settings = {
    ...testOptions,
    answerCheck: { words: ['forbidden', '秘密'], stop: true, hold: 0, ...changes },
  }
}

const stopped = /^生成内容包含屏蔽词，已停止/
const contents = (text: string): string =>
  [...text.matchAll(/"content":"((?:\\.|[^"])*)"/g)].map(([, content]) => content).join('')

describe('a whole answer with a blocked word', () => {
  it('is withheld and billed, and the operator reads which word it was', async () => {
    check()
    upstream.answer = json(completion('This is FORBIDDEN.'))
    const response = await ask(hi)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { code: 'sensitive_words_in_answer', message: expect.stringMatching(stopped) },
    })
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      promptTokens: 10,
      completionTokens: 5,
      other: { end: 'stopped', admin_info: { blocked_word: 'forbidden' } },
    })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
    expect(gateway.parts.channels.reports.map(({ failure }) => failure)).toEqual([undefined])
  })

  it('is delivered and noted when the operator does not stop at it', async () => {
    check({ stop: false })
    upstream.answer = json(completion('all forbidden'))
    expect(await (await ask(hi)).json()).toEqual(completion('all forbidden'))
    expect(lastRecord()).toMatchObject({ other: { end: 'done', admin_info: { blocked_word: 'forbidden' } } })
  })

  it('is not looked at when the check is off', async () => {
    upstream.answer = json(completion('forbidden'))
    expect((await ask(hi)).status).toBe(200)
    expect(lastRecord()?.other.admin_info).not.toHaveProperty('blocked_word')
  })
})

describe('a stream with a blocked word', () => {
  it('stops where the word is whole, across events, ends its upstream and bills what was produced', async () => {
    check()
    let write = (_: string): void => {}
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write = (text) => response.write(text)
      write(chunk('fine, '))
    }
    const response = await openStream()
    let text = ''
    response.on('data', (data: Buffer) => (text += data))
    await until(() => text.includes('fine'))
    write(chunk('for'))
    await until(() => text.includes('"for"'))
    write(chunk('bidden') + chunk(' never'))
    await upstream.received[0]?.closed
    await until(() => lastRecord() !== undefined && response.readableEnded)
    expect(contents(text)).toBe('fine, for')
    expect(text).toMatch(
      /data: \{"error":\{"message":"生成内容包含屏蔽词[^\n]*"code":"sensitive_words_in_answer"\}\}\n\n$/,
    )
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      completionTokens: 'fine, forbidden never'.length,
      receipt: { estimated: true },
      other: { end: 'stopped', admin_info: { blocked_word: 'forbidden' } },
    })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })

  it('never shows the first half of the word when events are held back', async () => {
    check({ hold: 3 })
    upstream.answer = stream(chunk('a'), chunk('b'), chunk('for'), chunk('bid'), chunk('den'), chunk('c'), done)
    const text = await (await ask(hiStream)).text()
    expect(contents(text)).toBe('a')
    expect(text).toContain('sensitive_words_in_answer')
    expect(text).not.toContain('[DONE]')
  })

  it('is refused with a status when nothing has gone out yet', async () => {
    check({ hold: 10 })
    upstream.answer = stream(chunk('forbid'), chunk('den'), done)
    expect((await ask(hiStream)).status).toBe(400)
  })

  it('goes on and is noted when the operator does not stop at it', async () => {
    check({ stop: false, hold: 1 })
    const events = [chunk('for'), chunk('bidden'), chunk('!')]
    upstream.answer = stream(...events, usageChunk(8, 9), done)
    expect(await (await ask(hiStream)).text()).toBe(events.join('') + done)
    expect(lastRecord()).toMatchObject({
      promptTokens: 8,
      completionTokens: 9,
      other: { end: 'done', admin_info: { blocked_word: 'forbidden' } },
    })
  })

  it('without one goes through as it is, events held back or not', async () => {
    const events = [chunk('for '), chunk('bid'), chunk('秘'), chunk('与密')]
    for (const hold of [0, 2, 100]) {
      check({ hold })
      upstream.answer = stream(...events, usageChunk(8, 9), done)
      const request = { ...hiStream, stream_options: { include_usage: true } }
      expect(await (await ask(request)).text()).toBe(events.join('') + usageChunk(8, 9) + done)
      upstream.answer = stream(...events, done)
      expect(contents(await (await ask(hiStream)).text())).toBe('for bid秘与密')
    }
  })

  it('is not looked at when the check is off', async () => {
    upstream.answer = stream(chunk('forbidden'), done)
    expect(await (await ask(hiStream)).text()).toBe(chunk('forbidden') + done)
  })
})

const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const delta = (text: string): string => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] }
const begin = [
  named('message_start', { message: { ...message, usage: { input_tokens: 12, output_tokens: 1 } } }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
]

const question = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }

describe('in other dialects', () => {
  it('an Anthropic client gets an Anthropic error, and pays for the reported input', async () => {
    check()
    useChannels(channel({ type: 14 }))
    upstream.answer = stream(...begin, delta('it is 秘'), delta('密'), delta(' more'))
    const text = await (await ask({ ...question, stream: true }, '/v1/messages')).text()
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"invalid_request_error"')
    expect(text).not.toContain('more')
    expect(lastRecord()).toMatchObject({ promptTokens: 12, other: { end: 'stopped' } })
    expect(lastRecord()?.completionTokens).toBeGreaterThanOrEqual('it is 秘密'.length)
  })

  it('an OpenAI client of a Claude channel is stopped all the same', async () => {
    check({ hold: 2 })
    useChannels(channel({ type: 14 }))
    upstream.answer = stream(...begin, delta('one '), delta('two '), delta('for'), delta('bidden'), delta(' more'))
    const text = await (await ask(hiStream)).text()
    expect(contents(text)).toContain('one')
    expect(contents(text)).not.toContain('for')
    expect(text).toMatch(/data: \{"error":[^\n]*"code":"sensitive_words_in_answer"\}\}\n\n$/)
    expect(lastRecord()).toMatchObject({ other: { end: 'stopped', admin_info: { blocked_word: 'forbidden' } } })
  })

  it('an OpenAI client of a Claude channel gets the whole of an answer without blocked words', async () => {
    check({ hold: 50 })
    useChannels(channel({ type: 14 }))
    const end = [
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
      named('message_stop', {}),
    ]
    upstream.answer = stream(...begin, delta('one '), delta('two'), ...end)
    const text = await (await ask(hiStream)).text()
    expect(contents(text)).toBe('one two')
    expect(text).toContain('"finish_reason":"stop"')
    expect(text.endsWith(done)).toBe(true)
  })

  it('a Gemini client gets its list closed with a Gemini error', async () => {
    check()
    await reopenGateway({ settings: gateway.parts.settings })
    useChannels(channel({ type: 24 }))
    const piece = (text: string): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })}\n\n`
    upstream.answer = stream(piece('fine '), piece('for'), piece('bidden'), piece('more'))
    const request = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
    const path = '/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse'
    const text = await (await ask(request, path)).text()
    expect(text).toMatch(
      /data: \{"error":\{"code":400,"message":"生成内容包含屏蔽词[^\n]*"status":"INVALID_ARGUMENT"\}\}\n\n$/,
    )
    expect(text).not.toContain('bidden')
  })
})
