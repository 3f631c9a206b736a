import OpenAI from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, channel, gateway, hi, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'

useScene()

const question = { model: 'no-such-model', max_tokens: 9, messages: hi.messages }
const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
const generate = '/v1beta/models/no-such-model:generateContent'

describe('a model that no channel has', () => {
  beforeEach(() => useChannels(channel({ models: new Set(['gpt-4o']) })))

  it.each([
    ['/v1/chat/completions', question, { type: 'invalid_request_error', code: 'model_not_found', param: 'model' }],
    ['/v1/responses', { ...question, input: 'hi' }, { code: 'model_not_found' }],
    ['/v1/messages', question, { type: 'not_found_error' }],
    [generate, contents, { code: 404, status: 'NOT_FOUND' }],
  ])('does not exist, and asking %s again is in vain', async (path, body, error) => {
    const response = await ask(body, path)
    expect(response.status).toBe(404)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({
      error: { ...error, message: expect.stringMatching(/^The model 'no-such-model' does not exist/) },
    })
    expect(upstream.received).toEqual([])
  })

  it.each([
    ['is in trouble', { enabled: false }],
    ['belongs to another group', { groups: new Set(['vip']) }],
  ])('exists where the channel that has it %s', async (_, changes) => {
    useChannels(channel({ models: new Set(['no-such-model']), ...changes }))
    const response = await ask(question)
    expect(response.status).toBe(503)
    expect(response.headers.get('x-should-retry')).toBeNull()
  })

  it('is asked for once by the official client', async () => {
    let calls = 0
    const client = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: 'sk-good',
      maxRetries: 3,
      fetch: (...parts) => {
        calls += 1
        return fetch(...parts)
      },
    })
    const create = client.chat.completions.create({
      model: 'no-such-model',
      messages: [{ role: 'user', content: 'x' }],
    })
    await expect(create).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    expect(calls).toBe(1)
  })
})

describe('whether to ask again', () => {
  const statusAndAdvice = async (headers: Record<string, string>) => {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(question),
    })
    return [response.status, response.headers.get('x-should-retry')]
  }

  it('is answered for a wrong key', async () => {
    expect(await statusAndAdvice({ 'x-api-key': 'sk-nobody' })).toEqual([401, 'false'])
  })

  it.each([
    [400, 400, 'false'],
    [429, 429, null],
    [500, 500, null],
    [401, 502, null],
  ])('follows from the fault: %i of the upstream', async (status, told, advice) => {
    upstream.answer = json({ error: { message: 'no', type: 'x', code: 'y' } }, status)
    const response = await ask(hi)
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([told, advice])
  })
})

describe('the texts of errors', () => {
  const messageFor = async (headers: Record<string, string>): Promise<string> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body: '{}' })
    const { error } = (await response.json()) as { error: { message: string } }
    return error.message.replaceAll(/request id: \w+/g, 'id')
  }

  it.each([
    [{ 'accept-language': 'zh-CN' }, '未提供令牌 (id)'],
    [{ 'accept-language': 'en' }, 'No token given (id)'],
    [{ 'user-agent': 'OpenAI/Python 2.9.0' }, 'No token given (id)'],
    [{ 'user-agent': 'OpenAI/Python 2.9.0', 'accept-language': 'zh' }, '未提供令牌 (id)'],
    [{ 'user-agent': 'curl/8' }, '未提供令牌 (id) / No token given (id)'],
  ])('are in the language of the client: %j', async (headers, message) => {
    expect(await messageFor(headers)).toBe(message)
  })
})
