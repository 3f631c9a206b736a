import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { upstream, useScene } from '../support/gateway/scene.ts'
import { messagesPath, sent } from '../support/gateway/sent.ts'

/** Sampling settings of clients of Anthropic's dialect, which newer models of Claude refuse. */

useScene()

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = () => ({
  project_id: 'p',
  private_key_id: 'k',
  client_email: 'a@p.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  token_uri: `${upstream.url}/token`,
})

const hosts = [
  { name: 'Anthropic', at: () => ({ type: 14 }) },
  { name: 'Bedrock', at: () => ({ type: 33, keys: ['AK|SK|us-east-1'] }) },
  { name: 'Vertex', at: () => ({ type: 41, other: 'us-east5', keys: [JSON.stringify(account())] }) },
]

const call = (model: string, more: object) => ({
  model,
  max_tokens: 9000,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
})

const all = { temperature: 0.5, top_p: 0.5, top_k: 3 }
const enabled = { type: 'enabled', budget_tokens: 1024 }

describe.each(hosts)('sampling settings at $name', ({ at }) => {
  it.each([
    ['claude-opus-5-5', all, {}, ['temperature', 'top_p', 'top_k']],
    ['claude-opus-4-7', all, {}, ['temperature', 'top_p', 'top_k']],
    ['claude-sonnet-4-5', all, { temperature: 0.5, top_k: 3 }, ['top_p']],
    ['claude-sonnet-4-5', { top_p: 0.5, top_k: 3 }, { top_p: 0.5, top_k: 3 }, []],
    ['claude-3-7-sonnet-20250219', all, all, []],
    ['claude-3-7-sonnet-20250219', { ...all, thinking: enabled }, {}, ['temperature', 'top_p', 'top_k']],
    ['claude-sonnet-4-5', { top_p: 0.97, thinking: enabled }, { top_p: 0.97 }, []],
    ['claude-sonnet-4-6', { temperature: 0, thinking: { type: 'adaptive' } }, {}, ['temperature']],
    ['claude-sonnet-4-6', { temperature: 0, thinking: { type: 'disabled' } }, { temperature: 0 }, []],
  ])('of %s go out where the model takes them: %j', async (model, asked, taken, named) => {
    const { body, lost, status } = await sent(at(), messagesPath, call(model, asked))
    expect(status).toBe(200)
    const { temperature, top_p, top_k } = body
    expect({ temperature, top_p, top_k }).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
      ...taken,
    })
    expect([...lost].sort()).toEqual([...named].sort())
  })

  it('at their default are no loss, as Copilot CLI sends them to every model', async () => {
    const asked = { temperature: 1, thinking: { type: 'adaptive', display: 'summarized' } }
    const { body, lost } = await sent(at(), messagesPath, call('claude-opus-5-5', asked))
    expect(body.temperature).toBeUndefined()
    expect(body.thinking).toEqual(asked.thinking)
    expect(lost).toEqual([])
  })

  it('are not set for a newer model whose name asks for thoughts', async () => {
    const { body } = await sent(at(), messagesPath, call('claude-opus-4-8-thinking', { temperature: 0.2 }))
    expect(body).toMatchObject({ max_tokens: 9000, thinking: { type: 'adaptive' } })
    expect(body.temperature).toBeUndefined()
  })
})

it('a request without refused settings keeps its bytes', async () => {
  const text =
    '{"model":"claude-sonnet-4-5", "max_tokens":9, "temperature":0.50, "messages":[{"role":"user","content":"hi"}]}'
  expect((await sent(14, messagesPath, text)).raw).toBe(text)
})

it('models of others in the same dialect get every setting', async () => {
  const { body } = await sent(14, messagesPath, call('kimi-k3', all))
  expect(body).toMatchObject(all)
})

it('how blocks of thoughts are bound goes with its beta feature, which Bedrock lacks', async () => {
  const beta = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' }
  const thinking = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } }
  const own = await sent(14, messagesPath, call('claude-opus-5-5', { thinking }), beta)
  expect(own.body.thinking).toEqual(thinking)
  const hosted = await sent(
    { type: 33, keys: ['AK|SK|us-east-1'] },
    messagesPath,
    call('claude-opus-5-5', { thinking }),
    beta,
  )
  expect(hosted.body.thinking).toEqual({ type: 'adaptive' })
  expect(hosted.lost).toContain('thinking.block_binding')
})
