import { expect, it } from 'vitest'
import { message, question, respond, response } from '../support/gateway/dialects.ts'
import { ask, channel, hi, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

useScene()

const azure = (other: string) => channel({ type: 3, other })

it('Azure’s undated API takes chat completions and responses as they are', async () => {
  useChannels(azure('v1'))
  upstream.answer = json(response)
  expect(await (await ask(respond, '/v1/responses')).text()).toBe(JSON.stringify(response))
  upstream.answer = json(completion('Hello'))
  expect((await ask(hi)).status).toBe(200)
  expect(upstream.received.map(({ path }) => path)).toEqual(['/openai/v1/responses', '/openai/v1/chat/completions'])
  expect(JSON.parse(sentBody())).toEqual(hi)
  expect(upstream.received[0]?.headers['api-key']).toBe('channel-key')
})

it('Azure’s undated API is asked for responses by models that know nothing else', async () => {
  useChannels(azure('v1'))
  upstream.answer = json(response)
  const answer = await ask({ ...question, model: 'gpt-5-codex' }, '/v1/messages')
  expect(upstream.received[0]?.path).toBe('/openai/v1/responses')
  expect(await answer.json()).toMatchObject({ type: message.type, content: [{ type: 'text', text: 'Hello' }] })
})

it('Azure’s deployments answer responses by chat completions', async () => {
  useChannels(azure('2024-10-21'))
  upstream.answer = json(completion('Hello'))
  const answer = await ask(respond, '/v1/responses')
  expect(upstream.received[0]?.path).toBe('/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21')
  expect(await answer.json()).toMatchObject({ output: [{ content: [{ text: 'Hello' }] }] })
})
