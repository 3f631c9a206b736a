import { type FunctionResponse, GoogleGenAI, type LiveServerMessage, Modality, type Session } from '@google/genai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { openTestLive, said, type TestLive, turnEnd } from '../support/gateway/live.ts'
import { until } from '../support/gateway/scene.ts'
import { openTestChannels, openTestHolds, type TestRelay, testChannel, testOptions } from '../support/relay/ports.ts'

/** Sessions of Gemini Live with Google's own client. */

let upstream: TestLive
let gateway: TestGateway
const model = 'gemini-live-test'

const channel = (changes: Partial<RelayChannel> = {}): RelayChannel =>
  testChannel({
    type: 24,
    keys: ['upstream-key'],
    baseUrl: upstream.url,
    models: new Set([model, 'mapped']),
    ...changes,
  })

const reopen = async (parts: Partial<TestRelay>): Promise<void> => {
  await gateway?.close()
  gateway = await openTestGateway({ relay: { channels: openTestChannels(channel()), ...parts } })
}

beforeEach(async () => {
  upstream = await openTestLive()
  gateway = await openTestGateway({ relay: { channels: openTestChannels(channel()) } })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

interface Talk {
  readonly session: Session
  readonly messages: LiveServerMessage[]
  readonly closed: Promise<{ code: number; reason: string }>
}

const connect = async (wanted = model, apiKey = 'sk-good', config = {}, apiVersion?: string): Promise<Talk> => {
  const httpOptions = { baseUrl: gateway.url, ...(apiVersion === undefined ? {} : { apiVersion }) }
  const ai = new GoogleGenAI({ apiKey, httpOptions })
  const messages: LiveServerMessage[] = []
  const { promise: closed, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
  const session = await ai.live.connect({
    model: wanted,
    config: { responseModalities: [Modality.AUDIO], ...config },
    callbacks: {
      onmessage: (message) => messages.push(message),
      onclose: ({ code, reason }) => resolve({ code, reason }),
    },
  })
  return { session, messages, closed }
}

const record = async () => {
  const { records } = gateway.parts.recorder
  await until(() => records.length > 0)
  return records[0]
}

const turnOver = ({ messages }: Talk, turns = 1): Promise<void> =>
  until(() => messages.filter(({ serverContent }) => serverContent?.turnComplete).length >= turns)

it('has a conversation of several turns, and pays what each of them reports', async () => {
  const sound = Buffer.alloc(4800, 7)
  upstream.answer = (_, session) => session.say(said(sound), turnEnd)
  const talk = await connect()
  talk.session.sendClientContent({ turns: 'Say hello' })
  await turnOver(talk)
  talk.session.sendRealtimeInput({ text: 'And again' })
  await turnOver(talk, 2)
  expect(talk.messages[0]?.setupComplete).toEqual({})
  expect(talk.messages.some(({ data }) => data === sound.toString('base64'))).toBe(true)
  talk.session.close()
  expect(await record()).toMatchObject({
    kind: 'charge',
    model,
    promptTokens: 834,
    completionTokens: 200,
    isStream: true,
    other: { ws: true, end: 'done', audio_output: 120, text_output: 80, client: 'Google Gen AI SDK (JavaScript)' },
    receipt: { estimated: false },
  })
  const [session] = upstream.sessions
  expect(session).toMatchObject({ key: 'upstream-key', path: expect.stringContaining('.v1.') })
  expect(session?.received).toMatchObject([
    { setup: { model: `models/${model}`, generationConfig: { responseModalities: ['AUDIO'] } } },
    { clientContent: { turnComplete: true } },
    { realtimeInput: { text: 'And again' } },
  ])
})

it('sends sound and pictures, calls tools, and takes v1alpha', async () => {
  upstream.answer = (message, session) => {
    if (message.realtimeInput !== undefined && session.received.length === 3)
      session.say({ toolCall: { functionCalls: [{ id: 'f1', name: 'weather', args: { city: 'Bonn' } }] } })
    if (message.tool_response !== undefined || message.toolResponse !== undefined)
      session.say(said(Buffer.alloc(48)), turnEnd)
  }
  const tools = [{ functionDeclarations: [{ name: 'weather' }] }]
  const talk = await connect(model, 'sk-good', { tools }, 'v1alpha')
  const data = Buffer.alloc(320).toString('base64')
  talk.session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } })
  talk.session.sendRealtimeInput({ video: { data, mimeType: 'image/jpeg' } })
  await until(() => talk.messages.some(({ toolCall }) => toolCall?.functionCalls?.[0]?.name === 'weather'))
  const functionResponses: FunctionResponse[] = [{ id: 'f1', name: 'weather', response: { output: '20 degrees' } }]
  talk.session.sendToolResponse({ functionResponses })
  await turnOver(talk)
  talk.session.close()
  expect(await record()).toMatchObject({ promptTokens: 417, completionTokens: 100 })
  expect(upstream.sessions[0]?.path).toContain('.v1alpha.')
})

it('asks another channel where the first does not know its key, and the model as the channel names it', async () => {
  const modelMapping = new Map([['mapped', 'real']])
  await reopen({
    settings: { ...testOptions, retryTimes: 1 },
    channels: openTestChannels(
      channel({ id: 1, keys: ['old-key'], priority: 9, modelMapping }),
      channel({ id: 2, modelMapping }),
    ),
  })
  const { session } = await connect('mapped')
  session.close()
  expect(await record()).toMatchObject({ kind: 'charge', channelId: 2, model: 'mapped' })
  expect(upstream.sessions.map(({ key, received }) => [key, received[0]])).toMatchObject([
    ['old-key', { setup: { model: 'models/real' } }],
    ['upstream-key', { setup: { model: 'models/real' } }],
  ])
})

describe('a client is told', () => {
  it('of a wrong key before its WebSocket is open, in Gemini’s dialect', async () => {
    await expect(connect(model, 'sk-wrong')).rejects.toThrow('401')
    const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
    const plain = await fetch(`${gateway.url}${path}?key=sk-good`)
    expect([plain.status, await plain.json()]).toMatchObject([426, { error: { code: 426 } }])
  })

  it('of a model that no channel has', async () => {
    await expect(connect('no-such-model')).rejects.toThrow(/code 1007.*no-such-model/)
    expect(upstream.sessions).toEqual([])
  })

  it('of what the provider refuses, in its words', async () => {
    await reopen({ channels: openTestChannels(channel({ models: new Set(['unknown']) })) })
    await expect(connect('unknown')).rejects.toThrow(/code 1007.*models\/unknown is not found/)
    expect(await record()).toMatchObject({ kind: 'error' })
  })

  it('that channels which have no such sessions cannot take its own', async () => {
    await reopen({ channels: openTestChannels(channel({ type: 1 })) })
    await expect(connect()).rejects.toThrow(/closed before setup completed/)
    expect(upstream.sessions).toEqual([])
  })

  it('of the provider’s close in the middle, which pays what was reported', async () => {
    upstream.answer = (_, session) => {
      session.say(said(Buffer.alloc(48)), turnEnd)
      session.close(1011, 'You exceeded your current quota')
    }
    const talk = await connect()
    talk.session.sendClientContent({ turns: 'Say hello' })
    expect(await talk.closed).toEqual({ code: 1011, reason: 'You exceeded your current quota' })
    expect(await record()).toMatchObject({ kind: 'charge', promptTokens: 417, other: { end: 'upstream_broke' } })
  })

  it('that its money is used up', async () => {
    await reopen({ holds: openTestHolds(1000) })
    upstream.answer = (_, session) => session.say(said(Buffer.alloc(48)), turnEnd)
    const talk = await connect()
    talk.session.sendClientContent({ turns: 'Say hello' })
    expect(await talk.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('quota') })
    expect(await record()).toMatchObject({ kind: 'charge', other: { end: 'out_of_quota' } })
  })

  it('of a blocked word, and of a second setup, neither of which goes upstream', async () => {
    await reopen({ settings: { ...testOptions, sensitiveWords: ['secret'] } })
    const talk = await connect()
    talk.session.sendClientContent({ turns: 'a Secret word' })
    expect(await talk.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('sensitive') })
    await expect(connect(model, 'sk-good', { systemInstruction: 'a secret' })).rejects.toThrow(/sensitive/)
    const other = await connect()
    other.session.conn.send(JSON.stringify({ setup: { model: 'models/dear' } }))
    expect(await other.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('setup') })
    expect(upstream.sessions.map(({ received }) => received.length)).toEqual([1, 1])
  })
})

it('estimates a turn that is cut off before its report', async () => {
  upstream.answer = (_, session) => {
    session.say(said(Buffer.alloc(48_000)))
    setImmediate(() => session.drop())
  }
  const talk = await connect()
  talk.session.sendClientContent({ turns: 'Say hello' })
  expect(await talk.closed).toMatchObject({ code: 1011 })
  expect(await record()).toMatchObject({ receipt: { estimated: true }, other: { audio_output: 25 } })
})
