import { describe, expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

useScene()

const cloudflare = () => channel({ type: 39, other: 'acc1' })
const base = '/client/v4/accounts/acc1/ai/v1'

describe('Cloudflare Workers AI', () => {
  it('takes OpenAI’s chat at the address of the account, untouched', async () => {
    useChannels(cloudflare())
    const body = { ...hi, model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast', made_up: 1 }
    const response = await ask(body)
    expect(await response.text()).toBe(JSON.stringify(completion('hello')))
    expect(upstream.received[0]?.path).toBe(`${base}/chat/completions`)
    expect(sentBody()).toBe(JSON.stringify(body))
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it('answers in JSON where it was bound to a schema; clients of other dialects read its text', async () => {
    useChannels(cloudflare())
    const [choice] = completion('').choices
    upstream.answer = json({
      ...completion(''),
      choices: [{ ...choice, message: { role: 'assistant', content: { name: 'Ann' } } }],
    })
    const response = await ask({ ...hi, max_tokens: 5 }, '/v1/messages')
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: '{"name":"Ann"}' }] })
  })

  it('embeds at the same address', async () => {
    useChannels(cloudflare())
    upstream.answer = json({
      object: 'list',
      data: [{ embedding: [1, 2] }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
    const response = await ask({ model: '@cf/baai/bge-m3', input: ['x'] }, '/v1/embeddings')
    expect(upstream.received[0]?.path).toBe(`${base}/embeddings`)
    expect(await response.json()).toMatchObject({ data: [{ index: 0, embedding: [1, 2] }] })
    expect(lastRecord()).toMatchObject({ promptTokens: 3 })
  })

  it('says why it refused', async () => {
    useChannels(cloudflare())
    upstream.answer = json({ success: false, errors: [{ code: 5007, message: 'No such model' }] }, 400)
    const response = await ask({ ...hi, max_tokens: 5 }, '/v1/messages')
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('No such model')
  })

  it.each(['/v1/completions', '/v1/moderations', '/v1/rerank'])(
    'is not asked for %s, which it does not have',
    async (path) => {
      useChannels(cloudflare())
      const response = await ask({ model: 'm', prompt: 'x', input: 'x', query: 'x', documents: [] }, path)
      expect(response.status).toBe(501)
      expect(upstream.received).toHaveLength(0)
    },
  )
})
