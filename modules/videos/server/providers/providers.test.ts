import { describe, expect, it } from 'vitest'
import { ali } from './ali.ts'
import { gemini } from './google/gemini.ts'
import { videoProviderOf } from './index.ts'
import { minimax } from './minimax.ts'
import { siliconflow } from './siliconflow.ts'
import type { ProviderAsk, VideoProvider, VideoRequest } from './video-provider.ts'
import { volcengine } from './volcengine.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

const bodyOf = ({ body }: ProviderAsk): unknown => JSON.parse(body?.bytes.toString() ?? '')
const picture = { bytes: Buffer.from('pixels'), type: 'image/png', name: 'cat.png' }
const base64 = picture.bytes.toString('base64')
const dataUrl = `data:image/png;base64,${base64}`
const cat: VideoRequest = { prompt: 'a cat', seconds: 8, size: '1280x720' }
const url = 'https://storage.example/movie.mp4'

const tools = { now: () => 0, post: () => Promise.reject(new Error('nothing is fetched')) }

const accountAt = (baseUrl: string) => ({ key: 'key', channel: { baseUrl, organization: '', other: '' } })

const remixed = (provider: VideoProvider, model: string) => () => provider.create({ ...cat, remixOf: 'v1' }, model)

describe('Veo', () => {
  const model = 'veo-3.1-generate-preview'

  it('is asked for by predictLongRunning', () => {
    const asked = gemini.create({ ...cat, image: picture, negativePrompt: 'dogs', seed: 7 }, model)
    expect(asked).toMatchObject({ method: 'POST', path: `/v1beta/models/${model}:predictLongRunning` })
    expect(bodyOf(asked)).toEqual({
      instances: [{ prompt: 'a cat', image: { bytesBase64Encoded: base64, mimeType: 'image/png' } }],
      parameters: { durationSeconds: 8, aspectRatio: '16:9', resolution: '720p', negativePrompt: 'dogs', seed: 7 },
    })
    expect(gemini.headers(accountAt(''), tools)).toEqual({ 'x-goog-api-key': 'key' })
  })

  it('has the length, resolution and price that nothing was said of', () => {
    expect(gemini.spec({ prompt: 'x' }, model)).toEqual({ seconds: 8, size: '1280x720', variants: ['720p'] })
    expect(gemini.spec({ prompt: 'x', size: '2160x3840' }, model).variants).toEqual(['4k'])
    expect(bodyOf(gemini.create({ prompt: 'x', size: '1024x1792' }, model))).toMatchObject({
      parameters: { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8 },
    })
  })

  it('is read as an operation', () => {
    const name = `models/${model}/operations/op 1`
    expect(gemini.idIn({ name }, cat)).toBe(name)
    expect(gemini.look(name).path).toBe(`/v1beta/models/${model}/operations/op%201`)
    expect(gemini.readLook({ name })).toEqual({ state: 'in_progress' })
    const response = { generateVideoResponse: { generatedSamples: [{ video: { uri: url } }] } }
    expect(gemini.readLook({ name, done: true, response })).toEqual({ state: 'completed', place: { url } })
    const filtered = { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['a face'] } }
    expect(gemini.readLook({ name, done: true, response: filtered })).toMatchObject({
      state: 'failed',
      message: 'a face',
    })
    expect(gemini.readLook({ name, done: true, error: { code: 3, message: 'bad' } })).toMatchObject({
      state: 'failed',
      message: 'bad',
    })
  })

  it('takes no address of a picture, and no remix', () => {
    const image = { url: 'https://pictures.example/cat.png' }
    expect(() => gemini.create({ ...cat, image }, model)).toThrow(/input_reference.image_url/)
    expect(bodyOf(gemini.create({ ...cat, image: { url: dataUrl } }, model))).toMatchObject({
      instances: [{ image: { bytesBase64Encoded: base64, mimeType: 'image/png' } }],
    })
    expect(remixed(gemini, model)).toThrow(/remix/)
  })
})

describe('Grok Imagine Video', () => {
  it('is asked for with its duration, resolution and ratio', () => {
    const asked = xai.create({ ...cat, image: picture }, 'grok-imagine-video')
    expect(asked.path).toBe('/v1/videos/generations')
    expect(bodyOf(asked)).toEqual({
      model: 'grok-imagine-video',
      prompt: 'a cat',
      duration: 8,
      resolution: '720p',
      aspect_ratio: '16:9',
      image: { url: dataUrl },
    })
    expect(xai.spec({ prompt: 'x' }, '')).toMatchObject({ seconds: 6, variants: ['480p'] })
  })

  it('is read by its request id', () => {
    expect(xai.idIn({ request_id: 'r1' }, cat)).toBe('r1')
    expect(xai.look('r1').path).toBe('/v1/videos/r1')
    expect(xai.readLook({ status: 'pending', progress: 40 })).toEqual({ state: 'in_progress', progress: 40 })
    const video = { url, duration: 8, respect_moderation: true }
    expect(xai.readLook({ status: 'done', video })).toEqual({ state: 'completed', seconds: 8, place: { url } })
    expect(xai.readLook({ status: 'done', video: { respect_moderation: false } })).toMatchObject({ state: 'failed' })
    expect(xai.readLook({ status: 'expired' })).toMatchObject({ state: 'failed', code: 'expired' })
  })
})

describe('Wan', () => {
  it('up to 2.6 is asked for in pixels, or with one picture', () => {
    const asked = ali.create({ ...cat, negativePrompt: 'dogs', seed: 7, sound: true }, 'wan2.5-t2v-preview')
    expect(asked).toMatchObject({
      path: '/api/v1/services/aigc/video-generation/video-synthesis',
      headers: { 'x-dashscope-async': 'enable' },
    })
    expect(bodyOf(asked)).toEqual({
      model: 'wan2.5-t2v-preview',
      input: { prompt: 'a cat', negative_prompt: 'dogs' },
      parameters: { size: '1280*720', duration: 8, seed: 7, audio: true },
    })
    expect(bodyOf(ali.create({ ...cat, image: picture }, 'wan2.2-i2v-plus'))).toEqual({
      model: 'wan2.2-i2v-plus',
      input: { prompt: 'a cat', img_url: dataUrl },
      parameters: { resolution: '720P', duration: 8 },
    })
  })

  it('of later versions is asked for with media, resolution and ratio', () => {
    expect(bodyOf(ali.create({ ...cat, image: picture }, 'wan2.7-i2v'))).toEqual({
      model: 'wan2.7-i2v',
      input: { prompt: 'a cat', media: [{ type: 'first_frame', url: dataUrl }] },
      parameters: { resolution: '720P', ratio: '16:9', duration: 8 },
    })
    expect(ali.spec({ prompt: 'x', size: '1920x1080' }, 'wan2.7-t2v').variants).toEqual(['1080p'])
  })

  it('is read as a task', () => {
    expect(ali.root?.(accountAt('https://dashscope.aliyuncs.com/compatible-mode/v1'), '')).toBe(
      'https://dashscope.aliyuncs.com',
    )
    expect(ali.idIn({ output: { task_id: 't1', task_status: 'PENDING' } }, cat)).toBe('t1')
    expect(ali.look('t1').path).toBe('/api/v1/tasks/t1')
    expect(ali.readLook({ output: { task_status: 'PENDING' } })).toEqual({ state: 'queued' })
    expect(ali.readLook({ output: { task_status: 'RUNNING' } })).toEqual({ state: 'in_progress' })
    const usage = { video_duration: 5, video_count: 1, SR: 720 }
    expect(ali.readLook({ output: { task_status: 'SUCCEEDED', video_url: url }, usage })).toEqual({
      state: 'completed',
      seconds: 5,
      place: { url },
    })
    const output = { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no' }
    expect(ali.readLook({ output })).toEqual({ state: 'failed', code: 'DataInspectionFailed', message: 'no' })
  })
})

describe('Hailuo', () => {
  it('is asked for with its first frame', () => {
    const asked = minimax.create({ ...cat, seconds: 6, image: picture }, 'MiniMax-Hailuo-2.3')
    expect(asked.path).toBe('/v1/video_generation')
    expect(bodyOf(asked)).toEqual({
      model: 'MiniMax-Hailuo-2.3',
      prompt: 'a cat',
      duration: 6,
      resolution: '768P',
      first_frame_image: dataUrl,
    })
  })

  it('is read as a task whose file has an address', () => {
    expect(minimax.idIn({ task_id: 106916112212032, base_resp: { status_code: 0 } }, cat)).toBe('106916112212032')
    expect(minimax.idIn({ task_id: '', base_resp: { status_code: 1026 } }, cat)).toBeUndefined()
    expect(minimax.look('1').path).toBe('/v1/query/video_generation?task_id=1')
    expect(minimax.readLook({ status: 'Preparing' })).toEqual({ state: 'queued' })
    expect(minimax.readLook({ status: 'Processing' })).toEqual({ state: 'in_progress' })
    expect(minimax.readLook({ status: 'Success', file_id: '205258526306433' })).toEqual({
      state: 'completed',
      place: { file: '205258526306433' },
    })
    const failed = { status: 'Fail', base_resp: { status_code: 1027, status_msg: 'sensitive' } }
    expect(minimax.readLook(failed)).toEqual({ state: 'failed', code: '1027', message: 'sensitive' })
    const source = minimax.content({ upstreamId: '1', place: { file: '2' } }, 'video')
    expect(source).toMatchObject({ ask: { path: '/v1/files/retrieve?file_id=2' } })
    expect(source && 'urlIn' in source && source.urlIn({ file: { download_url: url } })).toBe(url)
  })
})

describe('CogVideoX', () => {
  it('is asked for with quality and sound', () => {
    const asked = zhipu.create({ ...cat, seconds: 10, quality: 'speed', sound: true, image: picture }, 'cogvideox-3')
    expect(asked.path).toBe('/api/paas/v4/videos/generations')
    expect(bodyOf(asked)).toEqual({
      model: 'cogvideox-3',
      prompt: 'a cat',
      size: '1280x720',
      duration: 10,
      quality: 'speed',
      with_audio: true,
      image_url: dataUrl,
    })
  })

  it('is read as an asynchronous result', () => {
    expect(zhipu.idIn({ id: 'z1', task_status: 'PROCESSING' }, cat)).toBe('z1')
    expect(zhipu.look('z1').path).toBe('/api/paas/v4/async-result/z1')
    expect(zhipu.readLook({ task_status: 'PROCESSING' })).toEqual({ state: 'in_progress' })
    expect(zhipu.readLook({ task_status: 'SUCCESS', video_result: [{ url, cover_image_url: url }] })).toEqual({
      state: 'completed',
      place: { url },
    })
    expect(zhipu.readLook({ task_status: 'FAIL' })).toMatchObject({ state: 'failed' })
  })
})

describe('Seedance', () => {
  const model = 'doubao-seedance-2-0-260128'

  it('is asked for as content, and expects the tokens of its pixels', () => {
    const asked = volcengine.create({ ...cat, seconds: 5, seed: 7, sound: false, image: picture }, model)
    expect(asked.path).toBe('/api/v3/contents/generations/tasks')
    expect(bodyOf(asked)).toEqual({
      model,
      content: [
        { type: 'text', text: 'a cat' },
        { type: 'image_url', image_url: { url: dataUrl }, role: 'first_frame' },
      ],
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
      seed: 7,
      generate_audio: false,
    })
    expect(volcengine.spec({ ...cat, seconds: 5 }, model)).toEqual({
      seconds: 5,
      size: '1280x720',
      variants: ['720p'],
      tokens: 108_000,
    })
  })

  it('is read with its tokens', () => {
    expect(volcengine.idIn({ id: 'cgt-1' }, cat)).toBe('cgt-1')
    expect(volcengine.look('cgt-1').path).toBe('/api/v3/contents/generations/tasks/cgt-1')
    expect(volcengine.readLook({ status: 'queued' })).toEqual({ state: 'queued' })
    const done = { status: 'succeeded', content: { video_url: url }, usage: { completion_tokens: 108900 }, duration: 5 }
    expect(volcengine.readLook(done)).toEqual({ state: 'completed', seconds: 5, tokens: 108900, place: { url } })
    expect(volcengine.readLook({ status: 'expired' })).toMatchObject({ state: 'failed', code: 'expired' })
    expect(volcengine.remove?.('cgt-1')).toMatchObject({ method: 'DELETE' })
  })
})

describe('SiliconFlow', () => {
  it('is asked for with its size', () => {
    const model = 'Wan-AI/Wan2.2-T2V-A14B'
    const asked = siliconflow.create({ ...cat, negativePrompt: 'dogs', seed: 7, image: picture }, model)
    expect(asked.path).toBe('/v1/video/submit')
    expect(bodyOf(asked)).toEqual({
      model,
      prompt: 'a cat',
      image_size: '1280x720',
      negative_prompt: 'dogs',
      seed: 7,
      image: dataUrl,
    })
    // It has no field for a length: a client's does not change the price.
    expect(siliconflow.spec(cat, model).seconds).toBe(5)
  })

  it('is read by a request of its own', () => {
    expect(siliconflow.idIn({ requestId: 's1' }, cat)).toBe('s1')
    expect(siliconflow.look('s1')).toMatchObject({ method: 'POST', path: '/v1/video/status' })
    expect(bodyOf(siliconflow.look('s1'))).toEqual({ requestId: 's1' })
    expect(siliconflow.readLook({ status: 'InQueue' })).toEqual({ state: 'queued' })
    expect(siliconflow.readLook({ status: 'Succeed', results: { videos: [{ url }] } })).toEqual({
      state: 'completed',
      place: { url },
    })
    expect(siliconflow.readLook({ status: 'Failed', reason: 'no' })).toMatchObject({ state: 'failed', message: 'no' })
  })
})

it('says nothing of answers that it does not understand, and refuses a remix where there is none', () => {
  for (const provider of [gemini, xai, ali, minimax, zhipu, volcengine, siliconflow]) {
    expect(provider.readLook({ status: 'who knows' }), provider.name).toBeUndefined()
    expect(provider.idIn({}, cat), provider.name).toBeUndefined()
    expect(remixed(provider, 'm'), provider.name).toThrow(/remix/)
    for (const type of provider.channelTypes) expect(videoProviderOf({ type }, 'a-model')).toBe(provider)
  }
  expect(videoProviderOf({ type: 14 }, 'a-model')).toBeUndefined()
})
