import { expect, it } from 'vitest'
import { ask, gateway, hi, hiStream, lastRecord, reopenGateway, upstream, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'

/** Limits on calls through the gateway, as clients of each dialect read them. */

useScene()

const noon = Date.parse('2026-11-24T12:00:00Z')
const claude = { model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }
const gemini = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

type Rules = Parameters<typeof openTestLimiter>[0]

const limitBy = async (...rules: Rules) => {
  const limiter = openTestLimiter(rules, { clock: () => noon + 15_000 })
  await reopenGateway({ callLimits: limiter })
  upstream.answer = json(answer)
}
const headersOf = ({ headers }: Response, prefix: string) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith(prefix)))

it('shows OpenAI clients where limits stand, and refuses what is beyond', async () => {
  await limitBy({ amount: 2 }, { measure: 'tokens', amount: 1000, window: 'hour' })
  const first = await ask({ ...hi, max_tokens: 10 })
  expect(first.status).toBe(200)
  const shown = headersOf(first, 'x-ratelimit')
  expect(shown).toMatchObject({
    'x-ratelimit-limit-requests': '2',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '45s',
    'x-ratelimit-limit-tokens': '1000',
    'x-ratelimit-reset-tokens': '59m45s',
  })
  await ask({ ...hi, max_tokens: 10 })
  const third = await ask({ ...hi, max_tokens: 10 })
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '45'])
  expect(headersOf(third, 'x-ratelimit-remaining')).toEqual({
    'x-ratelimit-remaining-requests': '0',
    // Two calls of ten tokens each, whatever was reserved for them.
    'x-ratelimit-remaining-tokens': '980',
  })
  expect(await third.json()).toMatchObject({
    error: {
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /^已达到限制“test”（令牌 main）：每分钟最多 2 次请求，剩余 0，45 秒后可用 \(request id/,
      ),
    },
  })
  expect(upstream.received).toHaveLength(2)
  expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 429, error_code: 'rate_limit_exceeded' } })
})

it('shows its own limits in place of those of the provider, which are the operator’s', async () => {
  await limitBy({ amount: 2 })
  const ofProvider = { 'x-ratelimit-remaining-requests': '37', 'x-ratelimit-remaining-tokens': '5000' }
  upstream.answer = json(answer, 200, ofProvider)
  const first = await ask(hi)
  expect(headersOf(first, 'x-ratelimit-remaining')).toEqual({ 'x-ratelimit-remaining-requests': '1' })
})

it('shows clients of Anthropic their own headers and error', async () => {
  await limitBy({ amount: 1 }, { measure: 'input_tokens', amount: 500 })
  const first = await ask(claude, '/v1/messages')
  expect(headersOf(first, 'anthropic-ratelimit')).toMatchObject({
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': '2026-11-24T12:01:00Z',
    'anthropic-ratelimit-input-tokens-limit': '500',
  })
  const second = await ask(claude, '/v1/messages')
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '45'])
  expect(await second.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
})

it('tells clients of Gemini in the body when to call again', async () => {
  await limitBy({ amount: 1 })
  const path = '/v1beta/models/gpt-4o:generateContent'
  expect((await ask(gemini, path)).status).toBe(200)
  const second = await ask(gemini, path)
  expect(second.status).toBe(429)
  expect(await second.json()).toMatchObject({
    error: {
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '45s' }],
    },
  })
})

it('tells clients to give up where nothing is free again, and calls under way end with their streams', async () => {
  await limitBy(
    { measure: 'requests', window: 'forever', amount: 2 },
    { measure: 'running', window: 'now', amount: 1, subjects: [{ kind: 'user' }] },
  )
  const chunk = { ...answer, choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: 'stop' }] }
  upstream.answer = stream(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  expect(await (await ask(hiStream)).text()).toContain('hello')
  expect(await (await ask(hiStream)).text()).toContain('hello')
  const third = await ask(hiStream)
  expect([third.status, third.headers.get('x-should-retry'), third.headers.get('retry-after')]).toEqual([
    429,
    'false',
    null,
  ])
  expect(await third.json()).toMatchObject({ error: { code: 'limit_used_up' } })
})

it('tells the holder of a key what is used and left', async () => {
  const response = await fetch(`${gateway.url}/v1/usage`, { headers: { authorization: 'Bearer sk-good' } })
  expect([response.status, await response.json()]).toEqual([
    200,
    { object: 'usage', key: 'main', balance: { used: 2, left: 3, expires_at: 0 }, limits: [] },
  ])
  expect((await fetch(`${gateway.url}/v1/usage`)).status).toBe(401)
})
