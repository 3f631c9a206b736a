import { describe, expect, it } from 'vitest'
import { ask, channel, hi, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

/** A system prompt of the channel, in every dialect of clients and providers. */

useScene()

const text = 'be kind'
const own = 'be brief'
const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>

const requests = {
  chat: ['/v1/chat/completions', hi, { ...hi, messages: [{ role: 'system', content: own }, ...hi.messages] }],
  messages: ['/v1/messages', { ...hi, max_tokens: 5 }, { ...hi, max_tokens: 5, system: own }],
  responses: ['/v1/responses', { model: 'gpt-4o', input: 'hi' }, { model: 'gpt-4o', input: 'hi', instructions: own }],
  gemini: [
    '/v1beta/models/gpt-4o:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], systemInstruction: { parts: [{ text: own }] } },
  ],
} as const

const providers = {
  chat: [1001, () => (sent().messages as { role: string; content: string }[])[0]],
  messages: [14, () => sent().system],
  responses: [1, () => sent().instructions],
  gemini: [24, () => JSON.stringify(sent().systemInstruction ?? sent().system_instruction)],
} as const

type Name = keyof typeof requests
const names = Object.keys(requests) as Name[]
const pairs = names.flatMap((client) =>
  (['chat', 'messages', 'gemini'] as const).map((provider) => [client, provider] as const),
)

const use = async (client: Name, provider: keyof typeof providers, beforeOthers: boolean, withOwn: boolean) => {
  upstream.answer = json(completion('hello'))
  const [type, read] = providers[provider]
  useChannels(channel({ type, other: '', systemPrompt: { text, beforeOthers } }))
  const [path, plain, full] = requests[client]
  await (await ask(withOwn ? full : plain, path)).text()
  return JSON.stringify(read())
}

describe('the system prompt of a channel', () => {
  it.each(pairs)('begins conversations without one: %s at a provider of %s', async (client, provider) => {
    expect(await use(client, provider, false, false)).toContain(text)
  })

  it.each(pairs)('leaves a client’s own alone: %s at %s', async (client, provider) => {
    const written = await use(client, provider, false, true)
    expect(written).toContain(own)
    expect(written).not.toContain(text)
  })

  it.each(pairs)('stands before it where the channel says so: %s at %s', async (client, provider) => {
    const written = await use(client, provider, true, true)
    expect(written.indexOf(text)).toBeGreaterThanOrEqual(0)
    expect(written.indexOf(text)).toBeLessThan(written.indexOf(own))
  })

  it('passes in Responses', async () => {
    expect(await use('responses', 'responses', false, false)).toContain(text)
    expect(await use('responses', 'responses', true, true)).toBe(JSON.stringify(`${text}\n${own}`))
  })

  it('changes no byte where there is none', async () => {
    upstream.answer = json(completion('hello'))
    const body = '{"model":"gpt-4o", "messages":[{"role":"user","content":"hi"}]}'
    await ask(body)
    expect(sentBody()).toBe(body)
  })
})
