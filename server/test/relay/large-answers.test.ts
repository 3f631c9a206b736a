import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  holdEnds,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

const megabyte = 1024 * 1024
const entry = {
  token: ' hello',
  logprob: -0.123456,
  bytes: [32, 104, 101, 108, 108, 111],
  top_logprobs: Array.from({ length: 5 }, (_, at) => ({
    token: ` he${at}`,
    logprob: at - 1.25,
    bytes: [32, 104, 101],
  })),
}
const withLogprobs = (megabytes: number, more: object = {}) => ({
  id: 'chatcmpl-large',
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'hello' },
      finish_reason: 'stop',
      logprobs: { content: Array(Math.ceil((megabytes * megabyte) / JSON.stringify(entry).length)).fill(entry) },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  ...more,
})

describe('a whole answer above 1 MB', () => {
  it('goes through byte by byte and is charged by its usage', async () => {
    const answer = withLogprobs(3)
    upstream.answer = json(answer)
    expect(await (await ask(hi)).text()).toBe(JSON.stringify(answer))
    expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 100, completionTokens: 10 })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })

  it('is counted by its text where it states no usage', async () => {
    upstream.answer = json(withLogprobs(2, { usage: undefined }))
    await (await ask(hi)).text()
    expect(lastRecord()).toMatchObject({ kind: 'charge', completionTokens: 5, receipt: { estimated: true } })
  })

  it.each([
    ['holds an error', { ...withLogprobs(2), error: { message: 'soft', type: 'x' } }, /^soft /],
    ['is no JSON', `{"choices":"${'x'.repeat(2 * megabyte)}`, /./],
  ])('that %s has failed and costs nothing', async (_, answer, message) => {
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    }
    const response = await ask(hi)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } })
    expect(holdEnds()).toEqual(['released'])
  })

  it('counts the pictures that came where their end says nothing', async () => {
    const picture = { b64_json: 'A'.repeat(megabyte) }
    upstream.answer = json({ created: 1, data: [picture, picture] })
    await (await ask({ model: 'dall-e-2', prompt: 'x', n: 3 }, '/v1/images/generations')).arrayBuffer()
    expect(lastRecord()).toMatchObject({ kind: 'charge', receipt: { lines: [{ item: 'image', quantity: 2 }] } })
  })

  it('is translated whole for a client of another dialect', async () => {
    useChannels(channel({ type: 14 }))
    const text = 'long '.repeat(300_000)
    upstream.answer = json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'gpt-4o',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 2 },
    })
    const body = (await (await ask(hi)).json()) as { choices: { message: { content: string } }[] }
    expect(body.choices[0]?.message.content).toBe(text)
  })

  it('ends its hold when its client leaves while it is read', async () => {
    upstream.answer = json(withLogprobs(8))
    const leaving = new AbortController()
    const pending = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(hi),
      signal: leaving.signal,
    })
    await expect.poll(() => upstream.received.length).toBe(1)
    setTimeout(() => leaving.abort(), 50)
    await pending.then((response) => response.text()).catch(() => '')
    await expect.poll(() => holdEnds()[0]).not.toBe('held')
  })
})

it('does not delay other calls', async () => {
  const patienceMs = 45_000
  const printed = JSON.stringify(withLogprobs(16))
  upstream.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(printed)
  }
  await (await ask(hi)).arrayBuffer()
  const started = performance.now()
  JSON.parse(printed)
  const parsing = performance.now() - started
  await new Promise((resolve) => setTimeout(resolve, 50))
  // Upstream, gateway and client share this process and copy 16 MB each; reading the answer takes several times as long.
  // The least of some tries: what else a busy machine does can only add.
  const most = parsing / 2
  let least = Number.POSITIVE_INFINITY
  const began = performance.now()
  while (least >= most && performance.now() - began < patienceMs) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await (await ask(hi)).arrayBuffer()
    delay.disable()
    least = Math.min(least, delay.max / 1e6)
  }
  expect(least).toBeLessThan(most)
})
