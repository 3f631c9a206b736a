import { expect, it } from 'vitest'
import { question } from '../support/gateway/dialects.ts'
import { channel, gateway, sentBody, useChannels, useScene } from '../support/gateway/scene.ts'

/** Claude Code names its session in a header, which OpenAI's cache takes in the body. */

useScene()

const ask = (headers: Record<string, string>): Promise<Response> =>
  fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'good', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...question, model: 'gpt-4o' }),
  })

const sentKey = (): unknown => JSON.parse(sentBody()).prompt_cache_key

it('keeps a session with its cache at Azure, by a name that says nothing of it', async () => {
  useChannels(channel({ type: 3 }))
  await ask({ 'x-claude-code-session-id': 'session-one' })
  const first = sentKey()
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  await ask({ 'x-claude-code-session-id': 'session-one' })
  expect(sentKey()).toBe(first)
  await ask({ 'x-claude-code-session-id': 'session-two' })
  expect(sentKey()).not.toBe(first)
})

it('sends none without a name, nor to a provider that may refuse it', async () => {
  useChannels(channel({ type: 3 }))
  await ask({})
  expect(sentKey()).toBeUndefined()
  useChannels(channel())
  await ask({ 'x-claude-code-session-id': 'session-one' })
  expect(sentKey()).toBeUndefined()
})
