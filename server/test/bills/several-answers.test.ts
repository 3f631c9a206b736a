import { describe, expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, done, json, type Received, stream, usageChunk } from '../support/gateway/upstream.ts'

/** llama.cpp reports one of several answers; vLLM reports all of them. */

useScene()

const useEngine = (type = 1001): void => useChannels(channel({ type, keys: [], other: '' }))

/** Texts of 25 characters, which the engine counts as one token each. */
const text = 'x'.repeat(25)
const answers = (count: number, stated: number, more: Record<string, unknown> = {}) => ({
  id: 'c',
  object: 'chat.completion',
  choices: Array.from({ length: count }, (_, index) => ({
    index,
    message: { role: 'assistant', content: text },
    finish_reason: 'stop',
  })),
  usage: { prompt_tokens: 20, completion_tokens: stated, total_tokens: 20 + stated },
  ...more,
})

type Answering = (call: Received) => void

const counting =
  (answer: Answering): Answering =>
  (call) => {
    if (call.path === '/tokenize') {
      const { content } = JSON.parse(call.body.toString()) as { content: string }
      json({ tokens: Array.from(content, () => 1) })(call)
    } else answer(call)
  }
const notFound = json({ error: { message: 'File Not Found' } }, 404)
const mute =
  (answer: Answering): Answering =>
  (call) => {
    if (call.path === '/tokenize') notFound(call)
    else answer(call)
  }

const asked = { ...hi, n: 2 }

describe('several answers of an engine', () => {
  it.each([
    ['by the engine’s tokenizer', counting, {}, false],
    ['by what llama.cpp calls itself', mute, { system_fingerprint: 'b11549-4f1c2d' }, true],
    ['by its timings', mute, { timings: { predicted_n: 25 } }, true],
  ] as const)('are charged all where it states one, %s', async (_, engine, more, estimated) => {
    upstream.answer = engine(json(answers(2, 25, more)))
    useEngine()
    await ask(asked)
    expect(lastRecord()).toMatchObject({ promptTokens: 20, completionTokens: 50, receipt: { estimated } })
  })

  it('are charged by their texts where nothing else is known', async () => {
    upstream.answer = mute(json(answers(3, 25)))
    useEngine()
    await ask({ ...hi, n: 3 })
    expect(lastRecord()).toMatchObject({ completionTokens: 75 })
  })

  it('are charged all in a stream that states one', async () => {
    upstream.answer = counting(stream(chunk(text), chunk(text), usageChunk(20, 25), done))
    useEngine()
    await (await ask({ ...asked, stream: true })).text()
    expect(lastRecord()).toMatchObject({ promptTokens: 20, completionTokens: 50 })
  })

  it.each([counting, mute])('are charged as stated where it states all', async (engine) => {
    upstream.answer = engine(json(answers(2, 50)))
    useEngine()
    await ask(asked)
    expect(lastRecord()).toMatchObject({ completionTokens: 50, receipt: { estimated: false } })
  })

  it('are those of all prompts of a list', async () => {
    const completions = {
      object: 'text_completion',
      choices: [0, 1].map((index) => ({ index, text, finish_reason: 'stop' })),
      usage: { prompt_tokens: 30, completion_tokens: 25 },
    }
    upstream.answer = counting(json(completions))
    useEngine()
    await ask({ model: 'gpt-4o', prompt: ['a'.repeat(30), 'b'.repeat(30)] }, '/v1/completions')
    expect(lastRecord()).toMatchObject({ promptTokens: 61, completionTokens: 50 })
  })

  it('are believed at providers', async () => {
    upstream.answer = json(answers(2, 25, { system_fingerprint: 'b11549-4f1c2d' }))
    useEngine(1)
    await ask(asked)
    expect(lastRecord()).toMatchObject({ completionTokens: 25 })
    expect(upstream.received).toHaveLength(1)
  })
})

it('one answer is not counted', async () => {
  upstream.answer = counting(json(answers(1, 25)))
  useEngine()
  await ask(hi)
  expect(lastRecord()).toMatchObject({ completionTokens: 25 })
  expect(upstream.received).toHaveLength(1)
})
