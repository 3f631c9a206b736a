import { GoogleGenAI, type LiveConnectConfig, type LiveServerMessage, Modality, type Session } from '@google/genai'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '../support/gateway/listener.ts'
import { openTestLive, said, type TestLive, turnEnd } from '../support/gateway/live.ts'
import { until } from '../support/gateway/scene.ts'
import { openTestChannels, testChannel, testOptions } from '../support/relay/ports.ts'

/** Keys that Google's own client makes for browsers, and sessions that go on, with Google's own client. */

let upstream: TestLive
let gateway: TestGateway
const model = 'gemini-live-test'
/** How far the gateway's clock is ahead. */
let aheadMs = 0

const channel = (id: number, changes: Partial<RelayChannel> = {}): RelayChannel =>
  testChannel({
    id,
    type: 24,
    keys: [`key-${id}`],
    baseUrl: upstream.url,
    models: new Set([model, 'dear']),
    ...changes,
  })

beforeEach(async () => {
  upstream = await openTestLive()
  for (const id of [1, 2, 3]) upstream.keys.add(`key-${id}`)
  const channels = openTestChannels(...[1, 2, 3].map((id) => channel(id)))
  aheadMs = 0
  const clock = (): number => Date.now() + aheadMs
  const settings = { ...testOptions, sensitiveWords: ['polka'] }
  gateway = await openTestGateway({ relay: { channels, settings, clock } })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const client = (apiKey = 'sk-good', more: object = {}): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url, apiVersion: 'v1alpha' }, ...more })

const connect = async (ai: GoogleGenAI, config: LiveConnectConfig = {}, wanted = model) => {
  const messages: LiveServerMessage[] = []
  const { promise: closed, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
  const session: Session = await ai.live.connect({
    model: wanted,
    config: { responseModalities: [Modality.AUDIO], ...config },
    callbacks: {
      onmessage: (message) => messages.push(message),
      onclose: ({ code, reason }) => resolve({ code, reason }),
    },
  })
  return { session, messages, closed }
}

const setups = () => upstream.sessions.map(({ received }) => received[0]?.setup)

it('makes a key for a browser, whose session is paid for by the key that made it', async () => {
  upstream.answer = (_, session) => session.say(said(Buffer.alloc(48)), turnEnd)
  const { name = '' } = await client().authTokens.create({ config: { uses: 1 } })
  expect(name).toMatch(/^auth_tokens\//)
  const talk = await connect(client(name))
  talk.session.sendClientContent({ turns: 'Say hello' })
  await until(() => talk.messages.some(({ serverContent }) => serverContent?.turnComplete))
  talk.session.close()
  const { records } = gateway.parts.recorder
  await until(() => records.length === 1)
  expect(records[0]).toMatchObject({ kind: 'charge', tokenId: testToken.tokenId, model, promptTokens: 417 })
  expect(upstream.sessions[0]?.path).toMatch(/v1alpha\.GenerativeService\.BidiGenerateContent$/)
  await expect(connect(client(name))).rejects.toThrow(/code 1008.*expired/)
  await expect(client(name).models.generateContent({ model, contents: 'hi' })).rejects.toThrow(
    /only supported by the live/,
  )
  expect((await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${name}` } })).status).toBe(401)
})

it('locks what the key was made for', async () => {
  const config = { temperature: 0.5, systemInstruction: 'Be kind.' }
  const constraints = { model, config: { responseModalities: [Modality.AUDIO], ...config } }
  const make = async (lockAdditionalFields?: string[]) => {
    const made = { uses: 0, liveConnectConstraints: constraints, ...(lockAdditionalFields && { lockAdditionalFields }) }
    const { name = '' } = await client().authTokens.create({ config: made })
    return name
  }
  const wish = { temperature: 2, systemInstruction: 'Be rude.', outputAudioTranscription: {} }
  for (const fields of [undefined, [], ['outputAudioTranscription']]) {
    const { session } = await connect(client(await make(fields)), wish, 'dear')
    session.close()
  }
  const locked = {
    model: `models/${model}`,
    generationConfig: { temperature: 0.5, responseModalities: ['AUDIO'] },
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
  }
  expect(setups()).toMatchObject([locked, { ...locked, outputAudioTranscription: {} }, locked])
  expect(setups()[0]).not.toHaveProperty('outputAudioTranscription')
  expect(setups()[2]).not.toHaveProperty('outputAudioTranscription')
  const unknown = await fetch(`${gateway.url}/v1alpha/auth_tokens`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'sk-good' },
    body: JSON.stringify({ bidiGenerateContentSetup: { model: 'models/no-such-model' } }),
  })
  expect(unknown.status).toBe(404)
})

it('ends the sessions of a key with it, and takes it as a header', async () => {
  const expireTime = new Date(Date.now() + 60_000).toISOString()
  const { name = '' } = await client().authTokens.create({ config: { expireTime } })
  const path = '/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContentConstrained'
  const open = (headers: Record<string, string>): WebSocket =>
    new WebSocket(`${gateway.url.replace('http', 'ws')}${path}`, { headers })
  const refused = open({ authorization: 'Token auth_tokens/v1.made-up' })
  const status = await new Promise((resolve) => {
    refused.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
  })
  expect(status).toBe(401)
  const socket = open({ authorization: `Token ${name}` })
  await new Promise((resolve) => socket.on('open', resolve))
  const closed = new Promise((resolve) => socket.on('close', (code, reason) => resolve([code, reason.toString()])))
  socket.send(JSON.stringify({ setup: { model: `models/${model}` } }))
  await until(() => upstream.sessions.length > 0)
  aheadMs = 60_000
  const talking = setInterval(() => upstream.sessions[0]?.say(said(Buffer.alloc(48))), 100)
  expect(await closed).toEqual([1008, expect.stringContaining('expired')])
  clearInterval(talking)
  await expect(connect(client(name))).rejects.toThrow(/expired/)
})

it('goes on with a session in the account that keeps it, and with a key’s own sessions only', async () => {
  upstream.answer = (_, session) =>
    session.say({ sessionResumptionUpdate: { newHandle: `handle of ${session.key}`, resumable: true } }, turnEnd)
  const first = await connect(client(), { sessionResumption: {} })
  first.session.sendClientContent({ turns: 'Remember 42' })
  const handleIn = ({ messages }: typeof first) =>
    messages.find(({ sessionResumptionUpdate }) => sessionResumptionUpdate)?.sessionResumptionUpdate?.newHandle
  await until(() => handleIn(first) !== undefined)
  first.session.close()
  const handle = handleIn(first) ?? ''
  const account = upstream.sessions[0]?.key
  expect(handle).not.toContain('handle of')
  for (let call = 0; call < 6; call += 1) {
    const again = await connect(client(), { sessionResumption: { handle } })
    again.session.close()
  }
  expect(new Set(upstream.sessions.map(({ key }) => key))).toEqual(new Set([account]))
  expect(setups().at(-1)).toMatchObject({ sessionResumption: { handle: `handle of ${account}` } })
  // A key for browsers goes on with a session without a new use.
  const { name = '' } = await client().authTokens.create({ config: { uses: 1 } })
  const begun = await connect(client(name), { sessionResumption: {} })
  begun.session.close()
  const resumed = await connect(client(name), { sessionResumption: { handle } })
  resumed.session.close()

  gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 8 } })
  await expect(connect(client('sk-other'), { sessionResumption: { handle } })).rejects.toThrow(/1007.*handle/)
  await expect(connect(client(), { sessionResumption: { handle: 'made-up' } })).rejects.toThrow(/1007.*handle/)
  await expect(connect(client(), { sessionResumption: { handle } }, 'dear')).rejects.toThrow(/1007.*goes on/)
  gateway.parts.channels.list.splice(0, 9, channel(4, { keys: ['upstream-key'] }))
  await expect(connect(client(), { sessionResumption: { handle } })).rejects.toThrow(/1007.*cannot go on/)
})

it('has sessions of Vertex AI with the client of Vertex AI', async () => {
  upstream.answer = (_, session) => session.say(said(Buffer.alloc(48)), turnEnd)
  gateway.parts.channels.list.splice(0, 9, channel(5, { type: 41, keys: ['upstream-key'], other: 'us-central1' }))
  const vertex = client('sk-good', { vertexai: true, httpOptions: { baseUrl: gateway.url } })
  const talk = await connect(vertex)
  talk.session.sendClientContent({ turns: 'Say hello' })
  await until(() => talk.messages.some(({ serverContent }) => serverContent?.turnComplete))
  talk.session.close()
  const { records } = gateway.parts.recorder
  await until(() => records.length === 1)
  expect(records[0]).toMatchObject({ kind: 'charge', channelId: 5, promptTokens: 417, completionTokens: 100 })
  expect(upstream.sessions[0]?.path).toContain('aiplatform.v1beta1')
})

it('makes music, which costs its seconds, at channels of AI Studio only', async () => {
  // A second of two channels with 48,000 samples of 16 bits each.
  const data = Buffer.alloc(48_000 * 4).toString('base64')
  const chunk = { serverContent: { audioChunks: [{ data, mimeType: 'audio/l16;rate=48000;channels=2' }] } }
  upstream.answer = ({ playbackControl }, session) => {
    if (playbackControl === 'PLAY') session.say(chunk, chunk)
  }
  const play = async () => {
    const { promise: over, resolve } = Promise.withResolvers<string>()
    let received = 0
    const music = await client().live.music.connect({
      model,
      callbacks: {
        onmessage: ({ audioChunk }) => {
          if (audioChunk !== undefined) received += 1
        },
        onclose: ({ reason }) => resolve(reason),
      },
    })
    return { music, over, received: () => received }
  }
  const { music, received } = await play()
  await music.setWeightedPrompts({ weightedPrompts: [{ text: 'minimal techno', weight: 1 }] })
  await music.setMusicGenerationConfig({ musicGenerationConfig: { bpm: 90 } })
  music.play()
  await until(() => received() === 2)
  music.close()
  const { records } = gateway.parts.recorder
  await until(() => records.length === 1)
  expect(records[0]).toMatchObject({ kind: 'charge', model, other: { audio_output: 50 }, receipt: { estimated: true } })
  expect(upstream.sessions[0]?.received.map((message) => Object.keys(message)[0])).toEqual([
    ...['setup', 'clientContent', 'musicGenerationConfig', 'playbackControl'],
  ])

  const blocked = await play()
  await blocked.music.setWeightedPrompts({ weightedPrompts: [{ text: 'Polka', weight: 1 }] })
  expect(await blocked.over).toContain('sensitive')
  gateway.parts.channels.list.splice(0, 9, channel(5, { type: 41, keys: ['upstream-key'] }))
  expect(await (await play()).over).not.toBe('')
})
