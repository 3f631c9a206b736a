import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import {
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'
import { testChannel, testPrices } from '../support/relay/ports.ts'
import { silence } from '../support/relay/sound.ts'
import { hasWire } from '../support/relay/wire.ts'

/** Uploads: sound that is written down or translated, and pictures that are changed. */

useScene()

const upload = async (fields: Record<string, string | File>, path = '/v1/audio/transcriptions'): Promise<Response> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return fetch(gateway.url + path, { method: 'POST', headers: { authorization: 'Bearer sk-good' }, body: form })
}

const useWhisper = async (changes: Parameters<typeof channel>[0] = {}): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('whisper-1')) })
  useChannels(channel(changes))
}

/** The fields that the provider got. */
const received = async (): Promise<FormData> => {
  const { headers, body } = upstream.received.at(-1) ?? { headers: {}, body: Buffer.alloc(0) }
  const type = String(headers['content-type'])
  return new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
}

it.each(['/v1/audio/transcriptions', '/v1/audio/translations'])('%s goes through as it came', async (path) => {
  await useWhisper()
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 90 } })
  const response = await upload({ file: silence(1), model: 'whisper-1', language: 'en' }, path)
  expect(await response.json()).toEqual({ text: 'hello', usage: { type: 'duration', seconds: 90 } })
  expect(upstream.received[0]?.path).toBe(path)
  const form = await received()
  expect([form.get('model'), form.get('language')]).toEqual(['whisper-1', 'en'])
  expect((form.get('file') as File).size).toBe(8044)
  expect(lastRecord()).toMatchObject({
    quota: 22_500,
    promptTokens: 1500,
    completionTokens: 0,
    receipt: { estimated: false },
  })
})

it('measures the sound where the provider does not say: a minute is a thousand tokens', async () => {
  await useWhisper()
  upstream.answer = json({ text: 'hello' })
  await upload({ file: silence(31), model: 'whisper-1' })
  expect(lastRecord()).toMatchObject({ promptTokens: 517, quota: 7755, receipt: { estimated: false } })
})

it('takes what it cannot read for sound of its size, and says so', async () => {
  await useWhisper()
  upstream.answer = json({ text: 'hello' })
  await upload({ file: new File([Buffer.alloc(160_000, 7)], 'a.bin'), model: 'whisper-1' })
  expect(lastRecord()).toMatchObject({ promptTokens: 167, receipt: { estimated: true } })
})

it('reads the length out of a detailed transcript, and tokens where they are counted', async () => {
  await useWhisper()
  upstream.answer = json({ task: 'transcribe', duration: 59.2, text: 'hello' })
  await upload({ file: silence(1), model: 'whisper-1', response_format: 'verbose_json' })
  expect(lastRecord()?.promptTokens).toBe(1000)
  const usage = {
    type: 'tokens',
    input_tokens: 14,
    input_token_details: { text_tokens: 0, audio_tokens: 14 },
    output_tokens: 45,
    total_tokens: 59,
  }
  upstream.answer = json({ text: 'hello', usage })
  await upload({ file: silence(1), model: 'gpt-4o-transcribe' })
  expect(lastRecord()).toMatchObject({ promptTokens: 14, completionTokens: 45 })
})

it('passes subtitles on as the text they are', async () => {
  await useWhisper()
  const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nHello\n\n'
  upstream.answer = ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(subtitles)
  const response = await upload({ file: silence(30), model: 'whisper-1', response_format: 'srt' })
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(await response.text()).toBe(subtitles)
  expect(lastRecord()?.promptTokens).toBe(500)
})

it('streams', async () => {
  await useWhisper()
  const events = [
    'data: {"type":"transcript.text.delta","delta":"hel"}\n\n',
    'data: {"type":"transcript.text.done","text":"hello","usage":{"type":"tokens","input_tokens":14,"output_tokens":4,"total_tokens":18}}\n\n',
  ]
  upstream.answer = stream(...events)
  const response = await upload({ file: silence(1), model: 'gpt-4o-transcribe', stream: 'true' })
  expect(await response.text()).toBe(events.join(''))
  expect(lastRecord()).toMatchObject({ promptTokens: 14, completionTokens: 4, isStream: true })
})

it('sends the provider its own name of the model, and all else unchanged', async () => {
  await useWhisper({ modelMapping: new Map([['whisper-1', 'whisper-large-v3']]) })
  upstream.answer = json({ text: 'hello', usage: { type: 'duration', seconds: 4 } })
  await upload({ model: 'whisper-1', file: silence(2), prompt: '名字' })
  const form = await received()
  expect([form.get('model'), form.get('prompt')]).toEqual(['whisper-large-v3', '名字'])
  expect(Buffer.from(await (form.get('file') as File).arrayBuffer())).toEqual(
    Buffer.from(await silence(2).arrayBuffer()),
  )
  expect(lastRecord()).toMatchObject({ model: 'whisper-1', promptTokens: 67 })
})

it('uses whisper-1 where the request names no model', async () => {
  await useWhisper()
  upstream.answer = json({ text: 'hello' })
  expect((await upload({ file: silence(1) })).status).toBe(200)
  expect((await received()).get('model')).toBe('whisper-1')
})

it('needs a file, and a form', async () => {
  const response = await upload({ model: 'whisper-1' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'invalid_audio_request', message: expect.stringContaining('file is required') },
  })
  const broken = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'multipart/form-data; boundary=x' },
    body: 'nothing of the kind',
  })
  expect(broken.status).toBe(400)
  expect(holdEnds()).toEqual([])
})

it('pictures are changed for the price of new ones', async () => {
  await reopenGateway({ prices: testPrices(priceOf('dall-e-3')) })
  useChannels(channel())
  upstream.answer = json({ created: 5, data: [{ url: 'https://x/a.png' }, { url: 'https://x/b.png' }] })
  const image = new File([Buffer.from([1, 2, 3])], 'a.png', { type: 'image/png' })
  const response = await upload({ model: 'gpt-image-1', prompt: 'make it blue', n: '2', image }, '/v1/images/edits')
  expect(response.status).toBe(200)
  expect((await received()).get('prompt')).toBe('make it blue')
  expect(lastRecord()).toMatchObject({
    quota: 40_000,
    receipt: { lines: [{ item: 'image', quantity: 2, price: '1' }] },
  })
  expect((await upload({ model: 'gpt-image-1', prompt: 'x', n: '-3', image }, '/v1/images/edits')).status).toBe(400)
})

interface Upload {
  readonly request: { readonly headers: Record<string, string>; readonly base64?: string }
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: readonly string[] }
  readonly usage: Readonly<Record<string, number>>
}

describe.skipIf(!hasWire).each(['event', 'random:7'])('recorded, cut by %s', (chunking) => {
  const recorded = useRecorded(chunking)

  it.each([
    ['openai', 1],
    ['mistral', 42],
    ['openrouter', 20],
  ])('transcripts of %s come out as they were recorded, and are billed as reported', async (provider, type) => {
    const uploads = recorded.replay
      .ids({ provider, format: 'openai.audio.transcriptions' })
      .map((id) => ({ id, ...(recorded.replay.get(id) as unknown as Upload) }))
      .filter(({ request, response }) => request.base64 !== undefined && response.status === 200)
    expect(uploads.length).toBeGreaterThan(0)
    for (const { id, request, response, usage } of uploads) {
      recorded.gateway.parts.channels.list.splice(
        0,
        1,
        testChannel({ type, baseUrl: recorded.replay.url, keys: [`wire-${id}`] }),
      )
      const answer = await fetch(`${recorded.gateway.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': request.headers['content-type'] ?? '' },
        body: Buffer.from(request.base64 ?? '', 'base64'),
      })
      expect(answer.status).toBe(200)
      if (response.sse === undefined) expect(await answer.json()).toEqual(response.body)
      else expect(await answer.text()).toContain('transcript.text.done')
      const record = recorded.gateway.parts.recorder.records.at(-1)
      const { seconds, total } = usage
      if (seconds !== undefined) expect(record?.promptTokens).toBe(Math.round((seconds / 60) * 1000))
      else expect((record?.promptTokens ?? 0) + (record?.completionTokens ?? 0)).toBe(total)
    }
  })
})
