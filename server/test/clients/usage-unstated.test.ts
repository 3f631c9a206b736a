import { expect, it } from 'vitest'
import { claude, contents, gemini, generated, message, named, question } from '../support/gateway/dialects.ts'
import { ask, hi, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

const saying = { usage: undefined, stop_reason: null, content: [] }

const claudeSays = (usage: object | undefined) => json({ ...message, usage })

const claudeStreams = (usage: object | undefined) =>
  stream(
    named('message_start', { message: { ...message, ...saying, usage } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
    named('message_stop', {}),
  )

const geminiSays = (usageMetadata: object | undefined) => json({ ...generated, usageMetadata })

const geminiStreams = (usageMetadata: object | undefined) =>
  stream(`data: ${JSON.stringify({ ...generated, usageMetadata })}\n\n`)

const zeros = { input_tokens: 0, output_tokens: 0 }
const wrong = { input_tokens: -4, output_tokens: '3' }
const absurd = { input_tokens: 5, output_tokens: Number.MAX_SAFE_INTEGER }
const geminiZeros = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }

const messages = '/v1/messages'
const chat = '/v1/chat/completions'
const googles = '/v1beta/models/gemini-2.5-flash:generateContent'
const googlesStream = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'

type Case = readonly [path: string, body: Record<string, unknown>, answer: ReturnType<typeof json>]

const areCounted = async (cases: readonly Case[]): Promise<void> => {
  for (const [path, body, answer] of cases) {
    upstream.answer = answer
    expect(await (await ask(body, path)).text()).toContain('Hello')
    expect(lastRecord()).toMatchObject({ kind: 'charge', receipt: { estimated: true } })
    expect(lastRecord()?.promptTokens).toBeGreaterThan(0)
    expect(lastRecord()?.completionTokens).toBeGreaterThan(0)
  }
}

// Usage that the upstream does not report is counted here, for every handler.
it.each([undefined, {}, zeros, wrong, absurd])('Claude’s answer with the usage %j is not free', async (usage) => {
  useChannels(claude())
  await areCounted([
    [messages, question, claudeSays(usage)],
    [messages, { ...question, stream: true }, claudeStreams(usage)],
    [chat, hi, claudeSays(usage)],
    [chat, { ...hi, stream: true }, claudeStreams(usage)],
  ])
})

it.each([undefined, {}, geminiZeros])('Gemini’s answer with the usage %j is not free', async (usage) => {
  useChannels(gemini())
  await areCounted([
    [googles, contents, geminiSays(usage)],
    [googlesStream, contents, geminiStreams(usage)],
    [chat, hi, geminiSays(usage)],
    [chat, { ...hi, stream: true }, geminiStreams(usage)],
  ])
})

it('reported for the prompt alone counts, and the answer is estimated', async () => {
  useChannels(claude())
  upstream.answer = claudeStreams({ input_tokens: 50, output_tokens: 0 })
  await (await ask({ ...question, stream: true }, messages)).text()
  expect(lastRecord()).toMatchObject({ promptTokens: 50, receipt: { estimated: true } })
  expect(lastRecord()?.completionTokens).toBeGreaterThan(0)
})

it('never counts more from a cache than the prompt has', async () => {
  useChannels(gemini())
  upstream.answer = geminiSays({
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 400,
    totalTokenCount: 15,
  })
  await ask(contents, googles)
  expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5, other: { cache_tokens: 10 } })
})
