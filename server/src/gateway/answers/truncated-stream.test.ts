import { describe, expect, it } from 'vitest'
import { question, respond } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, done, stream, usageChunk } from '../../../test/support/gateway/upstream.ts'

/** A stream of OpenAI's dialect ends with `[DONE]` or after a reason to finish; one with neither was cut off. */

useScene()

const event = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 5, model: 'm', choices, ...more })}\n\n`

const finish = (reason: string | null, index = 0): string => event([{ index, delta: {}, finish_reason: reason }])
const text = (content: string, finish_reason: string | null = null): string =>
  event([{ index: 0, text: content, finish_reason }])

const answered = async (body: Record<string, unknown>, path?: string): Promise<string> => (await ask(body, path)).text()

const expectBroken = (): void => {
  expect(gateway.parts.recorder.records).toHaveLength(1)
  expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
  expect(lastRecord()?.completionTokens).toBeGreaterThan(0)
  expect(gateway.parts.channels.reports.at(-1)?.failure).toMatchObject({ code: 'upstream_broke' })
}

const expectWhole = (): void => {
  expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'done' } })
  expect(gateway.parts.channels.reports.at(-1)?.failure).toBeUndefined()
}

describe('a chat that goes through', () => {
  it.each([
    ['text alone', [chunk('one '), chunk('two')]],
    ['a reason that is null', [chunk('one'), finish(null)]],
    ['an empty reason', [chunk('one'), finish('')]],
    ['usage without a reason', [chunk('one'), usageChunk(3, 4)]],
    ['one choice of two unfinished', [chunk('one'), event([{ index: 1, delta: { content: 'x' } }]), finish('stop', 1)]],
    ['a reason that is only spoken of', [chunk('"finish_reason":"stop" data: [DONE]')]],
    ['a long text', Array.from({ length: 200 }, () => chunk('many words '.repeat(20)))],
    ['a role alone', [event([{ index: 0, delta: { role: 'assistant', content: 'a' }, finish_reason: null }])]],
  ])('is broken after %s', async (_, events) => {
    upstream.answer = stream(...events)
    const got = await answered(hiStream)
    expect(got).not.toMatch(/^data: \[DONE\]/m)
    expect(got.trimEnd().split('\n').at(-1)).toMatch(/^data: \{"error":\{"message":.*"code":"upstream_broke"\}\}$/)
    expectBroken()
  })

  it.each([
    ['[DONE] alone', [chunk('one'), done]],
    ['a reason alone', [chunk('one'), finish('stop')]],
    ['a reason and then the usage', [chunk('one'), finish('length'), usageChunk(3, 4)]],
    ['a reason beside the last text', [event([{ index: 0, delta: { content: 'one' }, finish_reason: 'stop' }])]],
    [
      'a reason, and a later report of a filter',
      [chunk('one'), finish('stop'), event([{ index: 0, finish_reason: null, content_filter_results: {} }])],
    ],
    ['reasons of both choices', [chunk('one'), finish('stop'), finish('stop', 1)]],
    [
      'a reason after a long text',
      [...Array.from({ length: 200 }, () => chunk('many words '.repeat(20))), finish('stop')],
    ],
    ['a reason and comments', [chunk('one'), finish('tool_calls'), ': ping\n\n']],
  ])('is whole after %s, and has its end mark', async (_, events) => {
    upstream.answer = stream(...events)
    expect(await answered(hiStream)).toMatch(/^data: \[DONE\]\n\n$/m)
    expectWhole()
  })

  it('is billed what the upstream reported before it broke', async () => {
    upstream.answer = stream(chunk('one'), usageChunk(3, 4))
    await answered(hiStream)
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4 })
  })

  it('is broken for a channel that reshapes its events, too', async () => {
    useChannels(channel({ forceFormat: true, thinkingToContent: true }))
    upstream.answer = stream(chunk('one'))
    expect(await answered(hiStream)).toContain('"code":"upstream_broke"')
    expectBroken()
  })
})

describe('an older completion that goes through', () => {
  const body = { model: 'gpt-3.5-turbo-instruct', prompt: 'hi', stream: true }

  it('is broken without a reason', async () => {
    upstream.answer = stream(text('one '), text('two'))
    expect(await answered(body, '/v1/completions')).toContain('"code":"upstream_broke"')
    expectBroken()
  })

  it('is whole with one', async () => {
    upstream.answer = stream(text('one '), text('', 'stop'))
    expect(await answered(body, '/v1/completions')).toMatch(/^data: \[DONE\]\n\n$/m)
    expectWhole()
  })
})

describe.each([
  [
    'messages',
    '/v1/messages',
    { ...question, model: 'gpt-4o', stream: true },
    /^event: error\ndata: \{"type":"error"/m,
  ],
  [
    'generateContent',
    '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    /^data: \{"error":\{"code":502/m,
  ],
])('a stream translated to the dialect %s', (_, path, body, error) => {
  it('is broken without a reason and a mark', async () => {
    upstream.answer = stream(chunk('one '), chunk('two'))
    expect(await answered(body, path)).toMatch(error)
    expectBroken()
  })

  it.each([
    ['a reason', finish('stop')],
    ['a mark', done],
  ])('is whole with %s', async (_kind, last) => {
    upstream.answer = stream(chunk('one'), last)
    expect(await answered(body, path)).not.toMatch(error)
    expectWhole()
  })
})

it('a response translated from a chat is incomplete without a finish reason and an end mark', async () => {
  useChannels(channel({ type: 43 }))
  upstream.answer = stream(chunk('one '), chunk('two'))
  const got = await answered({ ...respond, model: 'deepseek-chat', stream: true }, '/v1/responses')
  expect(got).toMatch(/^event: error\n/m)
  expectBroken()
})

it('nothing but an end is no answer at all', async () => {
  upstream.answer = stream('')
  expect((await ask({ ...hi, stream: true })).status).toBe(502)
  expect(lastRecord()).toMatchObject({ kind: 'error' })
})
