import { request } from 'node:http'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/lib/app-error.ts'
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
import { json, type Received } from '../support/gateway/upstream.ts'
import { testOptions, testPrices } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

/** OpenAI's pictures, drawn by DashScope in tasks that have to be asked after. */

useScene()

const path = '/v1/images/generations'
const tasks = '/api/v1/tasks/t-1'
const cat = { model: 'wanx2.1-t2i-turbo', prompt: 'a white cat' }
const begun = { output: { task_id: 't-1', task_status: 'PENDING' }, request_id: 'r' }
const running = { output: { task_id: 't-1', task_status: 'RUNNING' }, request_id: 'r' }
const ended = (results: readonly object[]) => ({
  output: { task_id: 't-1', task_status: 'SUCCEEDED', results },
  usage: { image_count: results.length },
  request_id: 'r',
})

const sdk = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

/** Begins a task, and tells of it what comes next each time it is asked after. */
const task = (...states: readonly ((call: Received) => void)[]) => {
  const left = [...states]
  return (call: Received): void => {
    if (call.path === tasks) (left.length > 1 ? left.shift() : left[0])?.(call)
    else json(begun)(call)
  }
}

const timeouts = { connect: 60_000, firstByte: 60_000, streamIdle: 60_000 }
const limits = { timeouts, maxResponseBytes: 1024 * 1024, defaultApiVersion: '' }

/** $0.04 a picture. */
const useAli = async (changes: Parameters<typeof reopenGateway>[0] = {}): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('dall-e-3')), limits, ...changes })
  useChannels(channel({ type: 17 }))
}

/** Goes while the task is asked after for the first time. */
const askAndLeave = async (body: object = cat): Promise<void> => {
  const headers = { authorization: 'Bearer sk-good' }
  const call = request(gateway.url + path, { method: 'POST', headers, agent: false })
  call.on('error', () => {})
  call.end(JSON.stringify(body))
  await until(() => upstream.received.length === 2)
  call.destroy()
}

const errorOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error: unknown }).error

describe('a task', () => {
  it('is created, polled, and answered in OpenAI’s format', async () => {
    await useAli()
    upstream.answer = task(json(running), json(ended([{ url: 'https://x/1.png', actual_prompt: 'a cat, white' }])))
    const answer = await sdk().images.generate({ ...cat, size: '1024x1024' })
    expect(answer).toEqual({
      created: expect.any(Number),
      data: [{ url: 'https://x/1.png', revised_prompt: 'a cat, white' }],
    })
    const [first, ...questions] = upstream.received
    expect(first?.path).toBe('/api/v1/services/aigc/text2image/image-synthesis')
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer channel-key',
      'x-dashscope-async': 'enable',
      'content-type': 'application/json',
    })
    expect(JSON.parse(first?.body.toString() ?? '')).toEqual({
      model: 'wanx2.1-t2i-turbo',
      input: { prompt: 'a white cat' },
      parameters: { n: 1, size: '1024*1024' },
    })
    expect(questions.map(({ path }) => path)).toEqual([tasks, tasks])
    for (const { headers, body } of questions) {
      expect(headers.authorization).toBe('Bearer channel-key')
      expect(headers['x-dashscope-async']).toBeUndefined()
      expect(body).toHaveLength(0)
    }
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      quota: 20_000,
      promptTokens: 1,
      completionTokens: 0,
      receipt: { mode: 'call', lines: [{ item: 'image', quantity: 1, price: '1' }], estimated: false },
    })
    expect(holdEnds()).toEqual([20_000])
  })

  it('writes the negative prompt beside the prompt, and drops unknown fields', async () => {
    await useAli()
    upstream.answer = task(json(ended([{ url: 'https://x/1.png' }])))
    const response = await ask({ ...cat, n: 2, negative_prompt: 'dogs', seed: 3, quality: 'hd', user: 'u' }, path)
    expect(JSON.parse(upstream.received[0]?.body.toString() ?? '')).toEqual({
      model: 'wanx2.1-t2i-turbo',
      input: { prompt: 'a white cat', negative_prompt: 'dogs' },
      parameters: { n: 2, seed: 3 },
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('quality, user')
  })

  it('costs the pictures that came of it', async () => {
    await useAli()
    const failed = { code: 'InternalError.Timeout', message: 'too slow' }
    upstream.answer = task(json(ended([{ url: 'https://x/1.png' }, failed, { url: 'https://x/3.png' }])))
    const response = await ask({ ...cat, n: 3 }, path)
    expect(await response.json()).toMatchObject({ data: [{ url: 'https://x/1.png' }, { url: 'https://x/3.png' }] })
    expect(lastRecord()?.quota).toBe(40_000)
    expect(holdEnds()).toEqual([40_000])
  })

  it.each([
    [{ output: { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'unsafe' } }, 400, 'unsafe'],
    [{ output: { task_status: 'CANCELED' } }, 502, 'the task ended as CANCELED'],
    [{ output: { task_status: 'UNKNOWN' } }, 502, 'the task ended as UNKNOWN'],
    [ended([{ code: 'InvalidParameter', message: 'no such size' }]), 400, 'no such size'],
    [{ code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 502, '上游凭证无效'],
  ])('that fails is an error, and costs nothing: %j', async (answer, status, message) => {
    await useAli()
    upstream.answer = task(json(answer))
    const response = await ask(cat, path)
    expect(response.status).toBe(status)
    expect(await errorOf(response)).toMatchObject({ message: expect.stringContaining(message) })
    expect(lastRecord()?.kind).toBe('error')
    expect(holdEnds()).toEqual(['released'])
  })

  it('that is refused is not asked after', async () => {
    await useAli()
    upstream.answer = json({ code: 'Throttling.RateQuota', message: 'slow down', request_id: 'r' }, 429)
    const response = await ask(cat, path)
    expect(response.status).toBe(429)
    expect(upstream.received).toHaveLength(1)
  })

  it('goes on while a question stays unanswered', async () => {
    await useAli()
    const drop = ({ response }: Received): void => void response.destroy()
    upstream.answer = task(drop, json({ code: 'Throttling' }, 429), json(ended([{ url: 'https://x/1.png' }])))
    const response = await ask(cat, path)
    expect(await response.json()).toMatchObject({ data: [{ url: 'https://x/1.png' }] })
  })

  it('is given up when the time for an answer is over, and not begun anew', async () => {
    await useAli({ limits: { ...limits, timeouts: { ...timeouts, firstByte: 800 } } })
    gateway.parts.settings = { ...testOptions, retryTimes: 2 }
    useChannels(channel({ type: 17 }), channel({ id: 2, type: 17 }))
    upstream.answer = task(json(running))
    const response = await ask(cat, path)
    expect(response.status).toBe(504)
    expect(await errorOf(response)).toMatchObject({ code: 'upstream_timeout' })
    expect(upstream.received.filter(({ path }) => !path.startsWith(tasks))).toHaveLength(1)
    expect(holdEnds()).toEqual(['released'])
  })

  it('is cancelled when the client has gone, and costs nothing then', async () => {
    await useAli()
    upstream.answer = task(json(running))
    await askAndLeave()
    await until(() => holdEnds().includes('released'))
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { end: 'client_gone' } })
    await until(() => upstream.received.length === 3)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(upstream.received.map(({ path }) => path).slice(1)).toEqual([tasks, `${tasks}/cancel`])
  })

  it('that cannot be cancelled any more is followed to its end and paid for, though the client has gone', async () => {
    const fetchPicture = (): Promise<Buffer> => Promise.reject(new Error('nobody wants it'))
    await useAli({ fetchPicture })
    const answerTask = task(json(running), json(running), json(ended([{ url: 'https://x/1.png' }])))
    upstream.answer = (call) =>
      call.path.endsWith('/cancel') ? json({ code: 'UnsupportedOperation' }, 400)(call) : answerTask(call)
    await askAndLeave({ ...cat, response_format: 'b64_json' })
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 20_000, other: { end: 'client_gone' } })
    expect(holdEnds()).toEqual([20_000])
  })

  it('that fails when its client has gone is not begun anew', async () => {
    await useAli()
    gateway.parts.settings = { ...testOptions, retryTimes: 2 }
    useChannels(channel({ type: 17 }), channel({ id: 2, type: 17 }))
    const answerTask = task(json(running), json({ output: { task_status: 'UNKNOWN' } }))
    upstream.answer = (call) =>
      call.path.endsWith('/cancel') ? json({ code: 'UnsupportedOperation' }, 400)(call) : answerTask(call)
    await askAndLeave()
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()?.kind).toBe('error')
    expect(upstream.received.filter(({ path }) => !path.startsWith(tasks))).toHaveLength(1)
  })

  it('is ended and paid for when the operator wants answers finished', async () => {
    await useAli()
    gateway.parts.settings = { ...testOptions, onClientGone: 'finish' }
    upstream.answer = task(json(running), json(ended([{ url: 'https://x/1.png' }])))
    await askAndLeave()
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 20_000, other: { end: 'client_gone' } })
  })

  it('is asked after where the channel is, whatever stands before its addresses', async () => {
    await useAli()
    useChannels(channel({ type: 17, baseUrl: `${upstream.url}/proxy/compatible-mode/v1` }))
    upstream.answer = (call) => json(call.path.includes('/tasks/') ? ended([{ url: 'https://x/1.png' }]) : begun)(call)
    await ask(cat, path)
    expect(upstream.received.map(({ path }) => path)).toEqual([
      '/proxy/api/v1/services/aigc/text2image/image-synthesis',
      '/proxy/api/v1/tasks/t-1',
    ])
  })
})

describe('bytes instead of an address', () => {
  it('are fetched when the client wants them', async () => {
    const fetched: string[] = []
    const fetchPicture = async (address: string): Promise<Buffer> => {
      fetched.push(address)
      return Buffer.from('ABC')
    }
    await useAli({ fetchPicture })
    upstream.answer = task(json(ended([{ url: 'https://x/1.png' }, { url: 'https://x/2.png' }])))
    const answer = await sdk().images.generate({ ...cat, n: 2, response_format: 'b64_json' })
    expect(answer.data).toEqual([{ b64_json: 'QUJD' }, { b64_json: 'QUJD' }])
    expect(fetched).toEqual(['https://x/1.png', 'https://x/2.png'])
    expect(lastRecord()?.quota).toBe(40_000)
  })

  it('that cannot be had are an error, and cost nothing', async () => {
    const fetchPicture = (): Promise<Buffer> => Promise.reject(new AppError('drawing_image_failed'))
    await useAli({ fetchPicture })
    upstream.answer = task(json(ended([{ url: 'https://x/1.png' }])))
    const response = await ask({ ...cat, response_format: 'b64_json' }, path)
    expect(response.status).toBe(502)
    expect(await errorOf(response)).toMatchObject({ code: 'drawing_image_failed' })
    expect(holdEnds()).toEqual(['released'])
  })
})

describe.skipIf(!hasWire)('recorded', () => {
  const recorded = useRecorded('random:5')

  it('the end of a task holds one picture after the other', async () => {
    await useAli()
    const { body } = recorded.replay.get('dashscope-tasks-1a7f1d4e').response
    upstream.answer = task(json(running), json(body))
    const answer = await sdk().images.generate({ ...cat, n: 4 })
    const { results } = (body as { output: { results: object[] } }).output
    expect(answer.data).toEqual(results)
    expect(lastRecord()).toMatchObject({ promptTokens: 4, quota: 80_000 })
  })
})
