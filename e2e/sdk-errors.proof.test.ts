import {
  APIConnectionTimeoutError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OfficialClient, openOfficialClient, textOf } from './support/official-client.ts'
import { addKey } from './support/operator.ts'
import { chunk, json, silence, streamThen } from './support/scripted-upstream.ts'

/** Errors that the official client throws, and the cost of a call that it aborted. */

let sdk: OfficialClient

beforeAll(async () => {
  sdk = await openOfficialClient()
})
afterAll(() => sdk?.close())
beforeEach(() => sdk.begin())
afterEach(() => sdk.expectBalanced())

const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Say hello.' }],
} satisfies ChatCompletionCreateParamsNonStreaming

describe('errors arrive as the client’s own types', () => {
  it('401 for a wrong key', async () => {
    const error = await sdk
      .clientWith('sk-wrong')
      .chat.completions.create(hello)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'new_api_error' })
    expect((error as Error).message).toContain(`Invalid token (request id: ${sdk.requestId()})`)
  })

  it('403 for a model that the key may not use', async () => {
    const key = await addKey(sdk.customer, { model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
    await expect(sdk.clientWith(key).chat.completions.create(hello)).rejects.toBeInstanceOf(PermissionDeniedError)
    await sdk.expectFailure(403)
  })

  it('404 for a model that does not exist', async () => {
    await expect(sdk.client.models.retrieve('no-such-model')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('400 for a request without messages', async () => {
    const { messages, ...rest } = hello
    expect(messages).toHaveLength(1)
    const call = sdk.client.chat.completions.create(rest as ChatCompletionCreateParamsNonStreaming)
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ status: 400, code: 'invalid_text_request' })
    await sdk.expectFailure(400)
  })

  it('400 with the provider’s own message, code and param', async () => {
    const error = {
      message: 'Unsupported value',
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_value',
    }
    sdk.upstream.answer = json({ error }, 400)
    const thrown = await sdk.client.chat.completions.create(hello).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(BadRequestError)
    expect(thrown).toMatchObject({ type: error.type, param: error.param, code: error.code })
    expect((thrown as Error).message).toContain('Unsupported value (request id: ')
    await sdk.expectFailure(400)
  })

  it('429 with a message that does not reveal the provider', async () => {
    const error = { message: 'Rate limit reached for org-secret', type: 'requests', code: 'rate_limit_exceeded' }
    sdk.upstream.answer = json({ error }, 429, { 'retry-after': '7' })
    const thrown = await sdk.client.chat.completions.create(hello).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(RateLimitError)
    expect((thrown as RateLimitError).message).toContain('The upstreams of this group are busy, please try again later')
    expect((thrown as RateLimitError).message).not.toContain('org-secret')
    expect((thrown as RateLimitError).headers.get('retry-after')).toBe('7')
    const entry = await sdk.expectFailure(429)
    expect(entry.other.admin_info?.cause).toContain('org-secret')
  })

  it('5xx for a provider in trouble', async () => {
    sdk.upstream.answer = json({ error: { message: 'The server had an error', type: 'server_error' } }, 500)
    await expect(sdk.client.chat.completions.create(hello)).rejects.toBeInstanceOf(InternalServerError)
    await sdk.expectFailure(500)
  })

  it('an error inside a stream when the provider breaks off', async () => {
    sdk.upstream.answer = streamThen([chunk({ content: 'one two three' })], ({ response }) => response.destroy())
    const chunks: ChatCompletionChunk[] = []
    const reading = (async () => {
      for await (const one of await sdk.client.chat.completions.create({ ...hello, stream: true })) chunks.push(one)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'upstream_broke' })
    expect(textOf(chunks)).toBe('one two three')
    const entry = await sdk.expectCharge(28)
    expect(entry).toMatchObject({ prompt_tokens: 10, completion_tokens: 3, other: { end: 'upstream_broke' } })
  })
})

describe('a client that goes', () => {
  it('after its own time-out pays nothing, and the request to the provider is closed', async () => {
    sdk.upstream.answer = silence
    const seen = sdk.upstream.calls.length
    await expect(sdk.client.chat.completions.create(hello, { timeout: 300 })).rejects.toBeInstanceOf(
      APIConnectionTimeoutError,
    )
    expect(await sdk.upstream.calls[seen]?.left).toBe(true)
    const newest = async () => (await sdk.books.newest())?.other.error_code
    await expect.poll(newest).toBe('client_gone')
    expect(await sdk.books.newest()).toMatchObject({ type: 5, quota: 0, other: { status: 499, end: 'client_gone' } })
  })

  it('in the middle of a stream pays for what was produced', async () => {
    sdk.upstream.answer = streamThen([chunk({ content: 'one two' }), chunk({ content: ' three' })], silence)
    const answer = await sdk.client.chat.completions.create({ ...hello, stream: true })
    const chunks: ChatCompletionChunk[] = []
    for await (const one of answer) {
      chunks.push(one)
      if (chunks.length === 2) answer.controller.abort()
    }
    expect(textOf(chunks)).toBe('one two three')
    expect(await sdk.upstream.calls.at(-1)?.left).toBe(true)
    const entry = await sdk.expectCharge(28)
    expect(entry).toMatchObject({ prompt_tokens: 10, completion_tokens: 3 })
    expect(entry.other).toMatchObject({ end: 'client_gone', receipt: { estimated: true } })
  })
})
