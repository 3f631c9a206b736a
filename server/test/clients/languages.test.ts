import { describe, expect, it } from 'vitest'
import { claude, contents, gemini, message, question } from '../support/gateway/dialects.ts'
import { ask, channel, gateway, hi, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

describe('a Claude model whose name ends in -thinking', () => {
  it('reasons with the operator’s share of the output limit, for clients of every dialect', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const model = 'claude-3-7-sonnet-20250219-thinking'
    await ask({ ...hi, model, max_tokens: 10_000, temperature: 0.2 })
    expect(JSON.parse(sentBody())).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 10_000,
      temperature: 1,
      thinking: { type: 'enabled', budget_tokens: 8000 },
    })
    await ask({ ...question, model, max_tokens: undefined, top_p: 0.5 }, '/v1/messages')
    const sent = JSON.parse(sentBody())
    expect(sent).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 8192,
      thinking: { type: 'enabled', budget_tokens: 6553 },
    })
    expect(sent).not.toHaveProperty('top_p')
  })
})

describe('tokens of a prompt', () => {
  it('are counted by a provider that speaks the client’s dialect, free of charge', async () => {
    useChannels(claude())
    upstream.answer = json({ input_tokens: 14 })
    const counted = { model: 'claude-sonnet-4-5', messages: question.messages }
    const answer = await ask(counted, '/v1/messages/count_tokens')
    expect(await answer.json()).toEqual({ input_tokens: 14 })
    expect(sentBody()).toBe(JSON.stringify(counted))
    useChannels(gemini())
    upstream.answer = json({ totalTokens: 3 })
    const path = '/v1beta/models/gemini-2.5-flash:countTokens'
    expect(await (await ask({ contents: contents.contents }, path)).json()).toEqual({ totalTokens: 3 })
    expect(upstream.received.map((call) => call.path)).toEqual(['/v1/messages/count_tokens', path])
    expect(gateway.parts.recorder.records).toHaveLength(0)
  })

  it('are counted here where the provider does not count', async () => {
    const counted = { model: 'gpt-4o', messages: [{ role: 'user', content: 'one two three' }] }
    const { input_tokens } = (await (await ask(counted, '/v1/messages/count_tokens')).json()) as {
      input_tokens: number
    }
    expect(input_tokens).toBeGreaterThan(2)
    const path = '/v1beta/models/gpt-4o:countTokens'
    const request = { contents: [{ parts: [{ text: 'one two three' }] }] }
    const { totalTokens } = (await (await ask(request, path)).json()) as { totalTokens: number }
    expect(totalTokens).toBeGreaterThan(2)
    expect(upstream.received).toHaveLength(0)
  })
})

describe('the list of models', () => {
  const list = (path: string, headers: Record<string, string>) => fetch(gateway.url + path, { headers })

  it('comes in the shape of the asking dialect', async () => {
    useChannels(channel({ models: new Set(['claude-x', 'gpt-4o']) }))
    const key = { authorization: 'Bearer sk-good' }
    expect(await (await list('/v1/models', key)).json()).toMatchObject({
      object: 'list',
      data: [{ id: 'claude-x' }, { id: 'gpt-4o' }],
    })
    const asAnthropic = { 'x-api-key': 'sk-good', 'anthropic-version': '2023-06-01' }
    expect(await (await list('/v1/models', asAnthropic)).json()).toMatchObject({
      data: [{ type: 'model', id: 'claude-x', display_name: 'claude-x' }, { id: 'gpt-4o' }],
      has_more: false,
      first_id: 'claude-x',
      last_id: 'gpt-4o',
    })
    expect(await (await list('/v1/models/gpt-4o', asAnthropic)).json()).toMatchObject({ type: 'model', id: 'gpt-4o' })
    expect(await (await list('/v1beta/models?key=sk-good', {})).json()).toMatchObject({
      models: [{ name: 'models/claude-x' }, { name: 'models/gpt-4o', supportedGenerationMethods: expect.anything() }],
    })
    expect(await (await list('/v1beta/models/gpt-4o', { 'x-goog-api-key': 'sk-good' })).json()).toMatchObject({
      name: 'models/gpt-4o',
    })
    const missing = await list('/v1beta/models/none', { 'x-goog-api-key': 'sk-good' })
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
  })
})
