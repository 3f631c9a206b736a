import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench } from './support/bench.ts'

/** Paths that lead nowhere. */

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench?.close())

describe('calls that are not built', () => {
  const messageOf = (id: string) => `API not implemented (request id: ${id})`

  it('answer in OpenAI’s dialect', async () => {
    const received = await bench.ask({ path: '/v1/fine-tunes', body: {} })
    expect(received.status).toBe(501)
    expect(JSON.parse(received.text)).toEqual({
      error: { message: messageOf(received.requestId), type: 'new_api_error', param: '', code: 'api_not_implemented' },
    })
  })

  it('answer in Gemini’s dialect below /v1beta', async () => {
    const path = '/v1beta/models/gemini-pro:generateAnswer'
    const received = await bench.ask({ path, key: '', headers: { 'x-goog-api-key': bench.key }, body: {} })
    expect(received.status).toBe(501)
    expect(JSON.parse(received.text)).toEqual({
      error: { code: 501, message: messageOf(received.requestId), status: 'UNIMPLEMENTED' },
    })
  })

  it('are refused for a wrong key first, in the caller’s dialect', async () => {
    const received = await bench.ask({ path: '/v1/messages', key: '', headers: { 'x-api-key': 'sk-wrong' }, body: {} })
    expect(received.status).toBe(401)
    expect(JSON.parse(received.text)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('无效的令牌') },
    })
  })
})

it('answers 404 for unknown paths', async () => {
  const received = await bench.ask({ path: '/v1/chat/complete' })
  expect(received.status).toBe(404)
  expect(JSON.parse(received.text)).toEqual({
    error: {
      message: 'Invalid URL (POST /v1/chat/complete)',
      type: 'invalid_request_error',
      param: '',
      code: '',
    },
  })
})
