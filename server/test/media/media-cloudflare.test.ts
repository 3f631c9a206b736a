import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testPrices } from '../support/relay/ports.ts'

/** OpenAI's transcripts and pictures, made by models that are run on Cloudflare's Workers AI. */

useScene()

const run = '/client/v4/accounts/acc1/ai/run'
const sdk = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

const sound = Buffer.alloc(32_000, 7)
const file = () => toFile(sound, 'a.mp3', { type: 'audio/mpeg' })

const segments = [
  {
    start: 0,
    end: 1.5,
    text: ' Hello there.',
    words: [
      { word: 'Hello', start: 0, end: 0.7 },
      { word: 'there.', start: 0.8, end: 1.5 },
    ],
  },
  { start: 3661.25, end: 3662, text: ' Bye.' },
]

const vtt = 'WEBVTT\n\n00.000 --> 01.500\nHello there.\n\n01:01:01.250 --> 01:01:02.000\nBye.'

const turbo = (result: object = {}) => ({
  result: {
    transcription_info: { language: 'en', duration: 90 },
    text: 'Hello there. Bye.',
    word_count: 3,
    segments,
    vtt,
    ...result,
  },
  success: true,
  errors: [],
  messages: [],
})

/** $0.03 a minute. */
const useWhisper = async (): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('whisper-1')) })
  useChannels(channel({ type: 39, other: 'acc1' }))
}

describe('Whisper', () => {
  const model = '@cf/openai/whisper-large-v3-turbo'

  it('of the newest kind gets sound as base64, and is paid for by its length', async () => {
    await useWhisper()
    upstream.answer = json(turbo())
    const answer = await sdk().audio.transcriptions.create({
      model,
      file: await file(),
      language: 'en',
      prompt: 'names',
    })
    expect(answer).toEqual({ text: 'Hello there. Bye.', usage: { type: 'duration', seconds: 90 } })
    expect(upstream.received[0]?.path).toBe(`${run}/${model}`)
    expect(upstream.received[0]?.headers).toMatchObject({
      authorization: 'Bearer channel-key',
      'content-type': 'application/json',
    })
    expect(JSON.parse(sentBody())).toEqual({
      audio: sound.toString('base64'),
      task: 'transcribe',
      language: 'en',
      initial_prompt: 'names',
    })
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      promptTokens: 1500,
      completionTokens: 0,
      quota: 22_500,
      receipt: { estimated: false },
    })
  })

  it('translates', async () => {
    await useWhisper()
    upstream.answer = json(turbo())
    await sdk().audio.translations.create({ model, file: await file() })
    expect(JSON.parse(sentBody())).toMatchObject({ task: 'translate' })
  })

  const inFormat = async (response_format: 'text' | 'srt' | 'vtt', result: object = {}): Promise<unknown> => {
    await useWhisper()
    upstream.answer = json(turbo(result))
    const { data, response } = await sdk()
      .audio.transcriptions.create({ model, file: await file(), response_format })
      .withResponse()
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(lastRecord()?.promptTokens).toBe(1500)
    return data
  }

  it('returns texts and subtitles unchanged', async () => {
    expect(await inFormat('text')).toBe('Hello there. Bye.\n')
    expect(await inFormat('vtt')).toBe(vtt)
    const srt = '1\n00:00:00,000 --> 00:00:01,500\nHello there.\n\n2\n01:01:01,250 --> 01:01:02,000\nBye.\n\n'
    expect(await inFormat('srt')).toBe(srt)
    expect(await inFormat('srt', { segments: undefined })).toBe(srt)
    expect(await inFormat('vtt', { segments: [], vtt: undefined })).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:01:30.000\nHello there. Bye.\n\n',
    )
  })

  it('returns all details to clients that request them', async () => {
    await useWhisper()
    upstream.answer = json(turbo())
    const answer = await sdk().audio.transcriptions.create({
      model,
      file: await file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(answer).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 90,
      text: 'Hello there. Bye.',
      segments: [
        { id: 0, start: 0, end: 1.5, text: ' Hello there.' },
        { id: 1, start: 3661.25, end: 3662, text: ' Bye.' },
      ],
      words: [
        { word: 'Hello', start: 0, end: 0.7 },
        { word: 'there.', start: 0.8, end: 1.5 },
      ],
      usage: { type: 'duration', seconds: 90 },
    })
  })

  it('of the older kind gets the sound itself; how long it was is measured here', async () => {
    await useWhisper()
    upstream.answer = json({ result: { text: 'Hello', word_count: 1, vtt: '' }, success: true, errors: [] })
    const { data, response } = await sdk()
      .audio.transcriptions.create({ model: '@cf/openai/whisper', file: await file(), temperature: 0.5 })
      .withResponse()
    expect(data).toEqual({ text: 'Hello' })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('temperature')
    expect(upstream.received[0]?.path).toBe(`${run}/@cf/openai/whisper`)
    expect(upstream.received[0]?.headers['content-type']).toBe('application/octet-stream')
    expect(upstream.received[0]?.body).toEqual(sound)
    // Nobody can read the length of such sound: 16 kB are a second.
    expect(lastRecord()).toMatchObject({ promptTokens: 33, receipt: { estimated: true } })
  })

  it.each([
    ['translations of the older kind', '@cf/openai/whisper', 'translations', {}],
    ['streams', model, 'transcriptions', { stream: true }],
    ['unknown formats', model, 'transcriptions', { response_format: 'diarized_json' }],
  ] as const)('refuses %s', async (_, of, kind, more) => {
    await useWhisper()
    const pending = sdk().audio[kind].create({ model: of, file: await file(), ...more } as never)
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'invalid_audio_request' })
    expect(upstream.received).toEqual([])
    expect(holdEnds()).toEqual(['released'])
  })

  it('needs the file to be one', async () => {
    await useWhisper()
    const form = new FormData()
    form.append('model', model)
    form.append('file', 'a text')
    const headers = { authorization: 'Bearer sk-good' }
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_audio_request' } })
    expect(upstream.received).toEqual([])
  })

  it('says what went wrong', async () => {
    await useWhisper()
    upstream.answer = json(
      { success: false, errors: [{ code: 5006, message: 'no such sound' }], result: {}, messages: [] },
      400,
    )
    const pending = sdk().audio.transcriptions.create({ model, file: await file() })
    await expect(pending).rejects.toMatchObject({ status: 400, message: expect.stringContaining('no such sound') })
  })
})

describe('pictures', () => {
  const cat = { prompt: 'a white cat' }
  const path = '/v1/images/generations'
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255])

  const usePainter = async (): Promise<void> => {
    await reopenGateway({ prices: testPrices(priceOf('dall-e-3')) })
    useChannels(channel({ type: 39, other: 'acc1' }))
  }

  it('may come as the bytes themselves', async () => {
    await usePainter()
    upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    const model = '@cf/stabilityai/stable-diffusion-xl-base-1.0'
    const { data, response } = await sdk()
      .images.generate({ ...cat, model, size: '512x512', n: 2 })
      .withResponse()
    expect(data).toEqual({ created: expect.any(Number), data: [{ b64_json: png.toString('base64') }] })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('n')
    expect(upstream.received[0]?.path).toBe(`${run}/${model}`)
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a white cat', width: 512, height: 512 })
    expect(lastRecord()).toMatchObject({ quota: 9000, promptTokens: 1 })
    expect(holdEnds()).toEqual([9000])
  })

  it('may come within JSON', async () => {
    await usePainter()
    upstream.answer = json({ result: { image: 'QUJD' }, success: true, errors: [], messages: [] })
    const model = '@cf/black-forest-labs/flux-1-schnell'
    const response = await ask({ ...cat, model, size: '1024x1792', steps: 4 }, path)
    expect(await response.json()).toMatchObject({ data: [{ b64_json: 'QUJD' }] })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('size')
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a white cat', steps: 4 })
  })

  it.each([
    [{ result: {}, success: true, errors: [] }, 200, 400, 'no_images'],
    [{ success: false, errors: [{ code: 3030, message: 'flagged' }] }, 400, 400, '3030'],
  ])('that do not come are an error: %j', async (answer, status, expectedStatus, code) => {
    await usePainter()
    upstream.answer = json(answer, status)
    const response = await ask({ ...cat, model: '@cf/leonardo/lucid-origin' }, path)
    expect(response.status).toBe(expectedStatus)
    expect(await response.json()).toMatchObject({ error: { code } })
    expect(holdEnds()).toEqual(['released'])
  })

  it('are not changed', async () => {
    await usePainter()
    const image = await toFile(png, 'a.png', { type: 'image/png' })
    const pending = sdk().images.edit({ ...cat, model: '@cf/leonardo/lucid-origin', image })
    await expect(pending).rejects.toMatchObject({ status: 501, code: 'endpoint_not_served' })
    expect(upstream.received).toEqual([])
  })
})
