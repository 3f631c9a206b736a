import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { claude, message, messageStream, question } from '../support/gateway/dialects.ts'
import { gateway, hi, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../support/gateway/upstream.ts'

useScene()

/** The official clients name a call by a header; people ask about it by that name, and the log finds it. */

const openai = () => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
const anthropic = () => new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })

it('OpenAI’s client names answers, streams and errors as the log does', async () => {
  upstream.answer = json(completion('Hello'), 200, { 'x-request-id': 'req_of_the_provider' })
  const answer = await openai().chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'hi' }],
  })
  expect(answer._request_id).toBe(lastRecord()?.id)
  upstream.answer = stream(chunk('Hello'), done)
  const { request_id, data } = await openai()
    .chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], stream: true })
    .withResponse()
  for await (const _ of data);
  expect(request_id).toBe(lastRecord()?.id)
  upstream.answer = json({ error: { message: 'no', type: 'invalid_request_error', code: 'bad', param: null } }, 400)
  const refused = openai().chat.completions.create({ model: hi.model, messages: [{ role: 'user', content: 'hi' }] })
  await expect(refused).rejects.toSatisfy((error) => (error as { requestID?: string }).requestID === lastRecord()?.id)
})

it('Anthropic’s client does, too, and reads the name in the body of an error', async () => {
  useChannels(claude())
  const request = { ...question, messages: [{ role: 'user' as const, content: 'hi' }] }
  upstream.answer = json(message, 200, { 'request-id': 'req_of_the_provider' })
  expect((await anthropic().messages.create(request))._request_id).toBe(lastRecord()?.id)
  upstream.answer = stream(...messageStream)
  const streamed = anthropic().messages.stream(request)
  await streamed.finalMessage()
  expect(streamed.request_id).toBe(lastRecord()?.id)
  upstream.answer = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400)
  const error = await anthropic()
    .messages.create(request)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Anthropic.BadRequestError)
  const id = lastRecord()?.id
  expect(error).toMatchObject({ requestID: id, error: { type: 'error', request_id: id } })
})
