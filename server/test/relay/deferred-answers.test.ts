import { describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

/** Answers that clients ask to read later: nothing would state what those use. */

useScene()

const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }],
  usage: { input_tokens: 10, output_tokens: 2000, total_tokens: 2010 },
}
const inBackground = { model: 'gpt-4o', input: 'hi', background: true }
const asIs = { groups: new Set(['default']), keys: new Set<number>(), paths: [], shared: true, price: decimal(0.01) }

const calls: readonly (readonly [string, string, Record<string, unknown>, unknown])[] = [
  ['a response in the background', '/v1/responses', inBackground, response],
  ['a deferred chat completion', '/v1/chat/completions', { ...hi, deferred: true }, completion('hello')],
]

describe.each(calls)('%s', (_, path, body, answer) => {
  const [name = ''] = Object.keys(body).slice(-1)

  it('comes at once, and costs what it uses', async () => {
    upstream.answer = json(answer)
    expect(await (await ask(body, path)).json()).toMatchObject({ usage: expect.anything() })
    expect(JSON.parse(sentBody())).not.toHaveProperty(name)
    expect(lastRecord()?.completionTokens).toBeGreaterThan(4)
    expect(lastRecord()?.receipt?.estimated).toBe(false)
    expect(lastRecord()?.other.lost_fields).toEqual([name])
  })

  it('also where bodies are not changed otherwise', async () => {
    upstream.answer = json(answer)
    gateway.parts.settings = { ...gateway.parts.settings, passThrough: true }
    await ask(body, path)
    expect(JSON.parse(sentBody())).not.toHaveProperty(name)
    useChannels(channel({ id: 7, passthrough: asIs }))
    await ask(body, `/p/7${path}`)
    expect(upstream.received).toHaveLength(2)
    const { [name]: __, ...rest } = body
    expect(JSON.parse(sentBody())).toEqual(rest)
  })

  it('is left alone where it is not asked for', async () => {
    upstream.answer = json(answer)
    const text = JSON.stringify({ ...body, [name]: false })
    await ask(text, path)
    expect(sentBody()).toBe(text)
    expect(lastRecord()?.other.lost_fields).toBeUndefined()
  })
})
