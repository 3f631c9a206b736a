import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { claude, contents, gemini, question } from '../support/gateway/dialects.ts'
import { ask, channel, gateway, hi, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

/** Errors of a provider say more than a text: clients of its own language choose by it how to go on. */

const anthropic = () => new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })
const request = { ...question, messages: [{ role: 'user' as const, content: 'hi' }] }

const refusal = (type: string, details: object) => ({ type: 'error', error: { type, message: 'no', details } })

describe('Anthropic’s client', () => {
  it.each([
    [404, 'not_found_error', { error_code: 'thread_not_found' }, 'ThreadNotFoundError'],
    [400, 'invalid_request_error', { error_code: 'thread_already_continued' }, 'ThreadAlreadyContinuedError'],
    [
      400,
      'invalid_request_error',
      { error_code: 'image_dimensions_too_large', max_side_length_pixels: 8000, paths: ['messages.0.content.1'] },
      'ImageDimensionsTooLargeError',
    ],
  ])('throws the class of the error: %i %s %j', async (status, type, details, name) => {
    useChannels(claude())
    upstream.answer = json(refusal(type, details), status)
    const error = await anthropic()
      .messages.create(request)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status, type, errorCode: details.error_code, details })
    expect((error as Error).constructor.name).toBe(name)
  })

  it('reads of a bill that it is one, and nothing about the operator’s account', async () => {
    useChannels(claude())
    upstream.answer = json(refusal('billing_error', { error_code: 'linked_organization_spend_limit_reached' }), 402)
    const refused = anthropic().messages.create(request)
    await expect(refused).rejects.toMatchObject({ status: 402, type: 'billing_error', details: null })
  })

  it('reads no secret of the channel, and nothing that is too large', async () => {
    useChannels(claude())
    const key = channel().keys[0] ?? ''
    upstream.answer = json(refusal('invalid_request_error', { error_code: 'made_up', hint: `with ${key}` }), 400)
    await expect(anthropic().messages.create(request)).rejects.toMatchObject({ details: { hint: 'with ***' } })
    upstream.answer = json(refusal('invalid_request_error', { error_code: 'made_up', hint: 'x'.repeat(9000) }), 400)
    await expect(anthropic().messages.create(request)).rejects.toMatchObject({ details: null })
  })
})

it('Google’s client reads the status as it was, and which field was wrong', async () => {
  useChannels(gemini())
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: 'contents', description: 'empty' }],
  }
  const account = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { consumer: 'projects/7' } }
  const error = { code: 400, message: 'no', status: 'FAILED_PRECONDITION', details: [violation, account] }
  upstream.answer = json({ error }, 400)
  const client = new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
  const thrown = await client.models
    .generateContent({ model: 'gemini-2.5-flash', contents: 'hi' })
    .catch((caught: unknown) => caught)
  expect(thrown).toMatchObject({ name: 'ApiError', status: 400 })
  expect(JSON.parse((thrown as Error).message).error).toMatchObject({
    code: 400,
    status: 'FAILED_PRECONDITION',
    details: [violation],
  })
})

it('OpenAI’s client reads what Azure’s filter found', async () => {
  useChannels(channel({ type: 3 }))
  const innererror = { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } }
  upstream.answer = json({ error: { message: 'filtered', code: 'content_filter', param: 'prompt', innererror } }, 400)
  const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const refused = client.chat.completions.create({ model: hi.model, messages: [{ role: 'user', content: 'hi' }] })
  await expect(refused).rejects.toMatchObject({ code: 'content_filter', error: { innererror } })
})

it('clients of another language get what theirs has, and nothing of a provider’s own', async () => {
  useChannels(claude())
  upstream.answer = json(refusal('invalid_request_error', { error_code: 'thread_already_continued' }), 400)
  const chat = await ask({ ...hi, model: question.model })
  expect(await chat.text()).not.toContain('thread_already_continued')
  const google = await ask(contents, `/v1beta/models/${question.model}:generateContent`)
  expect(await google.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
})
