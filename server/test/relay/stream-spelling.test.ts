import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  claude,
  contents,
  gemini,
  generatedStream,
  messageStream,
  question,
  respond,
  responseStream,
} from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { openTestChannels } from '../support/relay/ports.ts'

useScene()

/** Clients read one spelling of a stream, whatever their upstream's is. */

const tight = (events: readonly string[]): string[] =>
  events.map((event) => event.replaceAll(/^(data|event): /gm, '$1:'))
const unnamed = (events: readonly string[]): string[] => events.map((event) => event.replaceAll(/^event:.*\n/gm, ''))
const commented = (events: readonly string[]): string[] => [
  ': waiting\n\n',
  ...events.map((event) => `id: 1\n: x\n${event}`),
]
const finish = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
const chunks = [chunk('Hello data:{x}'), chunk(' you\n"error":null'), finish, usageChunk(3, 2), done]
const stream4 = { ...hiStream, stream_options: { include_usage: true } }

/** In one packet each event, or cut anywhere. */
const cuts = (events: readonly string[]): string[][] => {
  const all = events.join('')
  return [[...events], [all], [...all], [all.slice(0, 7), all.slice(7, 60), all.slice(60)]]
}

describe('an upstream without the space after data:', () => {
  it('reads as one with it', async () => {
    for (const packets of cuts(tight(chunks))) {
      upstream.answer = stream(...packets)
      expect(await (await ask(stream4)).text()).toBe(chunks.join(''))
      expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 3, completionTokens: 2 })
    }
  })

  it('and with it is passed byte for byte', async () => {
    for (const packets of cuts(chunks)) {
      upstream.answer = stream(...packets)
      expect(await (await ask(stream4)).text()).toBe(chunks.join(''))
    }
  })
})

describe.each([
  ['Messages', claude, messageStream, () => ask({ ...question, stream: true }, '/v1/messages')],
  ['Responses', () => channel({ type: 1 }), responseStream, () => ask({ ...respond, stream: true }, '/v1/responses')],
] as const)('a %s upstream', (_, place, events, call) => {
  it.each([
    ['without event: lines', unnamed(events)],
    ['without spaces', tight(events)],
    ['without either', tight(unnamed(events))],
    ['as it should be', events],
  ])('%s reads as one that names its events', async (_name, spelled) => {
    useChannels(place())
    for (const packets of cuts(spelled)) {
      upstream.answer = stream(...packets)
      expect(await (await call()).text()).toBe(events.join(''))
    }
  })
})

it('Anthropic’s and OpenAI’s clients read an upstream that names nothing', async () => {
  useChannels(claude())
  upstream.answer = stream(...tight(unnamed(messageStream)))
  const client = new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url })
  const last = await client.messages.stream({ ...question, messages: [{ role: 'user', content: 'hi' }] }).finalMessage()
  expect(last.content).toMatchObject([{ text: 'Say "message_stop"' }])
})

it('Gemini’s clients get payloads only', async () => {
  useChannels(gemini())
  const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
  const plain = generatedStream.map((event) => event.replaceAll('\r', '')).join('')
  for (const packets of cuts(commented(generatedStream))) {
    upstream.answer = stream(...packets)
    expect(await (await ask(contents, path)).text()).toBe(plain)
  }
  upstream.answer = stream(...generatedStream)
  expect(await (await ask(contents, path)).text()).toBe(generatedStream.join(''))
})

const withNull = (event: string, place: 'first' | 'last'): string =>
  event.replace(/^data: \{(.*)\}$/m, place === 'first' ? 'data: {"error": null,$1}' : 'data: {$1,"error":null}')

it.each(['first', 'last'] as const)('a null error of a chunk is left out, as its %s member', async (place) => {
  const events = chunks.map((event) => withNull(event, place))
  expect(events.join('')).toMatch(/"error": ?null/)
  for (const packets of cuts(events)) {
    upstream.answer = stream(...packets)
    expect(await (await ask(stream4)).text()).toBe(chunks.join(''))
  }
  upstream.answer = json({ ...completion('"error":null'), error: null })
  expect(await (await ask(hi)).text()).toBe(JSON.stringify(completion('"error":null')))
  const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1` })
  expect(
    (await client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] })).choices,
  ).toHaveLength(1)
})

describe('a stream that waits', () => {
  const late = (text: string, waits: () => Promise<void>) => async (call: Parameters<typeof upstream.answer>[0]) => {
    await waits()
    stream(text)(call)
  }

  const open = (keepAliveMs: number) => reopenGateway({ keepAliveMs, channels: openTestChannels(gemini()) })

  /** Until the client has had so many bytes before the upstream speaks. */
  const silence = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { over: resolve, waits: () => promise }
  }

  it.each(['?alt=sse', ''])('keeps Gemini’s clients with empty lines (%s)', async (query) => {
    await open(5)
    const { over, waits } = silence()
    upstream.answer = (call) => void late(generatedStream.join(''), waits)(call)
    const response = await ask(contents, `/v1beta/models/gemini-2.5-flash:streamGenerateContent${query}`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const { value } = await reader.read()
    expect(Buffer.from(value ?? []).toString()).toMatch(/^\n+$/)
    over()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read())
      rest += Buffer.from(read.value).toString()
    expect(rest).toContain('"lo"')
    expect(rest).not.toContain(': keep-alive')
    if (query === '') expect(JSON.parse(rest)).toHaveLength(2)
  })

  it('is read by Google’s client', async () => {
    await open(5)
    const { over, waits } = silence()
    upstream.answer = (call) => void late(generatedStream.join(''), waits)(call)
    const client = new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
    const opened = await client.models.generateContentStream({ model: 'gemini-2.5-flash', contents: 'hi' })
    over()
    let text = ''
    for await (const piece of opened) text += piece.text ?? ''
    expect(text).toBe('Hello')
  })
})
