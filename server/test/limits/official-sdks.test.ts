import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { gateway, hi, reopenGateway, upstream, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'

/** Reactions of the official SDKs to a limit: the class of the error, its headers and text, and their own retry. */

useScene()

const defaultHeaders = { 'accept-language': 'en' }
const apiKey = 'sk-good'
const claude = { model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user' as const, content: 'hi' }] }
const gemini = { model: 'gpt-4o', contents: 'hi' }
const chat = { ...hi, messages: [{ role: 'user' as const, content: 'hi' }] }
/** Limit, whose, how much, how much is left, and when it is free. */
const said = /The limit "calls a minute" of key main is reached: 1 requests per minute at most, 0 left, free in (\d+) s/

/** One call a minute; the minute ends in so many milliseconds, counted from the first refusal. */
const oneCall = async (endsInMs: number): Promise<void> => {
  refusedAt = undefined
  const clock = () =>
    Date.parse('2026-11-24T12:01:00Z') - endsInMs + (refusedAt === undefined ? 0 : performance.now() - refusedAt)
  await reopenGateway({ callLimits: openTestLimiter([{ name: 'calls a minute', amount: 1 }], { clock }) })
  upstream.answer = json(completion('hello'))
}
const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
/** When the gateway refused the first call, and how many calls were sent. */
let refusedAt: number | undefined
let sent = 0
const counted: typeof fetch = async (...call) => {
  sent += 1
  const response = await fetch(...call)
  if (response.status === 429) refusedAt ??= performance.now()
  return response
}
const openai = (maxRetries: number) =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries, defaultHeaders, fetch: counted })
const anthropic = (maxRetries: number) =>
  new Anthropic({ baseURL: gateway.url, apiKey, maxRetries, defaultHeaders, fetch: counted })
const google = (attempts: number) =>
  new GoogleGenAI({
    apiKey,
    vertexai: false,
    httpOptions: { baseUrl: gateway.url, headers: defaultHeaders, retryOptions: { attempts } },
  })

it('OpenAI: a RateLimitError that names the limit, and headers that it knows', async () => {
  await oneCall(45_000)
  const { response } = await openai(0).chat.completions.create(chat).withResponse()
  expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  const error = await failureOf(openai(0).chat.completions.create(chat))
  expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', message: expect.stringMatching(said) })
  const { headers } = error as InstanceType<typeof OpenAI.RateLimitError>
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(40)
  expect(headers.get('x-ratelimit-limit-requests')).toBe('1')
})

it('Anthropic: a RateLimitError that names the limit, and headers that it knows', async () => {
  await oneCall(45_000)
  const { response } = await anthropic(0).messages.create(claude).withResponse()
  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
  const error = await failureOf(anthropic(0).messages.create(claude))
  expect(error).toBeInstanceOf(Anthropic.RateLimitError)
  expect(error).toMatchObject({
    status: 429,
    message: expect.stringMatching(/calls a minute/),
    error: { type: 'error', error: { type: 'rate_limit_error', message: expect.stringMatching(said) } },
  })
  const { headers } = error as InstanceType<typeof Anthropic.RateLimitError>
  expect(Number(headers?.get('retry-after'))).toBeGreaterThan(40)
  expect(headers?.get('anthropic-ratelimit-requests-reset')).toBe('2026-11-24T12:01:00Z')
})

it('Google: an ApiError of status 429 that names the limit and the time to wait', async () => {
  await oneCall(45_000)
  expect((await google(1).models.generateContent(gemini)).text).toBe('hello')
  const error = await failureOf(google(1).models.generateContent(gemini))
  expect(error).toBeInstanceOf(ApiError)
  const { status, message } = error as ApiError
  expect(status).toBe(429)
  const { error: body } = JSON.parse(message)
  expect(body).toMatchObject({
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: expect.stringMatching(said),
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: expect.stringMatching(/^4\ds$/) }],
  })
})

it.each([
  ['OpenAI', () => openai(1).chat.completions.create(chat)],
  ['Anthropic', () => anthropic(1).messages.create(claude)],
] as const)('%s: its own retry waits as long as Retry-After says, and is let through', async (_, call) => {
  await oneCall(1600)
  await call()
  await call()
  // A retry of its own would come after half a second.
  expect(performance.now() - (refusedAt ?? Number.NaN)).toBeGreaterThan(1500)
  expect(upstream.received).toHaveLength(2)
})

it('OpenAI and Anthropic do not retry what is never free again', async () => {
  await oneCall(45_000)
  const limiter = openTestLimiter([{ name: 'once', amount: 1, window: 'forever' }])
  await reopenGateway({ callLimits: limiter })
  await openai(0).chat.completions.create(chat)
  sent = 0
  expect(await failureOf(openai(3).chat.completions.create(chat))).toMatchObject({ code: 'limit_used_up' })
  expect(await failureOf(anthropic(3).messages.create(claude))).toMatchObject({ status: 429 })
  expect(sent).toBe(2)
})
