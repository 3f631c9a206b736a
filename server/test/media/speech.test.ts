import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, pour, type Received } from '../support/gateway/upstream.ts'
import { testChannel, testOptions, testPrices } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

/** POST /v1/audio/speech: sound goes through as it comes, and is paid for by what is spoken. */

useScene()

const path = '/v1/audio/speech'
const question = { model: 'tts-1', input: 'Hello 🙂', voice: 'alloy' }
const sound = Buffer.from([0xff, 0xfb, 0x90, 0, 1, 2, 3, 0x80])

const sounds = ({ response }: Received): void => {
  response
    .writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': sound.length, 'x-request-id': 'theirs' })
    .end(sound)
}

const useTts = async (): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('tts-1')) })
  useChannels(channel())
}

it('comes byte for byte', async () => {
  await useTts()
  upstream.answer = sounds
  const response = await ask(question, path)
  expect(response.headers.get('content-type')).toBe('audio/mpeg')
  expect(response.headers.get('x-request-id')).not.toBe('theirs')
  expect(Buffer.from(await response.arrayBuffer())).toEqual(sound)
  expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'tts-1', completionTokens: 0, isStream: true })
  expect(lastRecord()?.receipt).toMatchObject({ estimated: false, mode: 'tokens' })
  expect(holdEnds()).toEqual([lastRecord()?.quota])
})

it('holds at least a unit of ratio for each character', async () => {
  await useTts()
  upstream.answer = sounds
  await (await ask({ ...question, input: 'a'.repeat(4000) }, path)).arrayBuffer()
  expect(gateway.parts.holds.ends).toMatchObject([{ amount: 30_330, end: 30_015 }])
})

it('begins before it is whole, and ends only when it is recorded', async () => {
  let finish = (): void => {}
  upstream.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound)
    finish = () => response.end(sound)
  }
  const call = request(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    agent: false,
  })
  call.end(JSON.stringify(question))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(first).toEqual(sound)
  expect(lastRecord()).toBeUndefined()
  let recorded = false
  gateway.parts.recorder.beforeEnd = () => {
    recorded = true
    expect(response.complete).toBe(false)
  }
  finish()
  response.resume()
  await once(response, 'end')
  expect(recorded).toBe(true)
})

it('breaks off with the upstream, so that half of it does not look whole, and is paid for', async () => {
  upstream.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound, () => response.destroy())
  }
  await expect(ask(question, path).then((response) => response.arrayBuffer())).rejects.toThrow()
  await until(() => lastRecord() !== undefined)
  expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
})

it('is stopped at the provider when the client goes', async () => {
  upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound)
  const call = request(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    agent: false,
  })
  call.on('error', () => {})
  call.end(JSON.stringify(question))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  await once(response, 'data')
  call.destroy()
  await upstream.received[0]?.closed
  await until(() => lastRecord() !== undefined)
  expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'client_gone' } })
})

it('slows its provider down when the client does not listen', async () => {
  const piece = Buffer.alloc(60_000, 1)
  const poured = pour('audio/mpeg', { piece, times: 1000 })
  upstream.answer = poured.answer
  const response = await ask(question, path)
  expect(await poured.stuckAt()).toBeLessThan(500)
  expect((await response.arrayBuffer()).byteLength).toBe(1000 * piece.length)
})

it('may come as events, which say what it used', async () => {
  const events =
    'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n' +
    'data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n'
  upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
  const response = await ask({ ...question, model: 'gpt-4o-mini-tts', stream_format: 'sse' }, path)
  expect(await response.text()).toBe(events)
  expect(lastRecord()).toMatchObject({ promptTokens: 14, completionTokens: 101, receipt: { estimated: false } })
})

it('needs something to say', async () => {
  const response = await ask({ model: 'tts-1', voice: 'alloy' }, path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_audio_request' } })
  expect(holdEnds()).toEqual([])
})

it('does not speak blocked words', async () => {
  gateway.parts.settings = { ...testOptions, sensitiveWords: ['forbidden'] }
  const response = await ask({ ...question, input: 'FORBIDDEN' }, path)
  expect(await response.json()).toMatchObject({ error: { code: 'sensitive_words_detected' } })
  expect(upstream.received).toEqual([])
})

it('costs nothing when it is refused, even with status 200', async () => {
  upstream.answer = json({ error: { message: 'no such voice' } })
  const response = await ask(question, path)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('no such voice') } })
  expect(holdEnds()).toEqual(['released'])
})

describe.skipIf(!hasWire)('recorded', () => {
  const recorded = useRecorded('random:500')

  it('speech comes out as it was recorded', async () => {
    const ids = [...recorded.replay.ids({ provider: 'openai', format: 'openai.audio.speech' })]
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) {
      const { request, response } = recorded.replay.get(id) as unknown as {
        request: { body: object }
        response: { base64: string }
      }
      recorded.gateway.parts.channels.list.splice(
        0,
        1,
        testChannel({ baseUrl: recorded.replay.url, keys: [`wire-${id}`] }),
      )
      const answer = await fetch(recorded.gateway.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      })
      expect(answer.headers.get('content-type')).toBe('audio/mpeg')
      expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(response.base64, 'base64'))).toBe(true)
    }
  })
})
