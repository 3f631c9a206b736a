import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { ask, channel, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, done, json, stream } from '../support/gateway/upstream.ts'

/** Completion between two texts, in OpenAI's form and in Mistral's, at providers that have either, or llama.cpp's. */

useScene()

const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const question = { model: 'gpt-4o', prompt: 'def f():', suffix: 'end', max_tokens: 20 }
const textual = '/v1/completions'
const mistrals = '/v1/fim/completions'

const textAnswer = {
  id: 'c',
  object: 'text_completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, text: 'return 1', logprobs: null, finish_reason: 'stop' }],
  usage,
}
const engineAnswer = {
  index: 0,
  content: 'return 1',
  model: 'm',
  stop: true,
  stop_type: 'eos',
  tokens_predicted: 5,
  tokens_evaluated: 10,
  timings: { cache_n: 4, prompt_n: 6, predicted_n: 5 },
}
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const charged = { promptTokens: 10, completionTokens: 5, receipt: { estimated: false } }
const engine = (): RelayChannel => channel({ type: 1001, keys: [], other: 'responses, infill' })

const places = {
  Mistral: { channel: () => channel({ type: 42 }), path: mistrals, answer: completion('return 1') },
  DeepSeek: { channel: () => channel({ type: 43 }), path: '/beta/completions', answer: textAnswer },
  OpenAI: { channel: () => channel({ type: 1 }), path: textual, answer: textAnswer },
  'llama.cpp': { channel: engine, path: '/infill', answer: engineAnswer },
} as const
const rows = Object.entries(places)

describe.each(rows)('a gap at %s', (name, place) => {
  it('is filled for clients of completions', async () => {
    upstream.answer = json(place.answer)
    useChannels(place.channel())
    const answer = await ask({ ...question, seed: 3 }, textual)
    expect(await answer.json()).toMatchObject({
      object: 'text_completion',
      choices: [{ text: 'return 1', finish_reason: 'stop' }],
      usage,
    })
    expect(upstream.received.at(-1)?.path).toBe(place.path)
    expect(lastRecord()).toMatchObject(charged)
    if (name === 'Mistral') expect(sent()).toEqual({ ...question, random_seed: 3 })
    if (name === 'llama.cpp')
      expect(sent()).toEqual({ model: 'gpt-4o', input_prefix: 'def f():', input_suffix: 'end', n_predict: 20, seed: 3 })
  })

  it('is filled for Mistral’s clients', async () => {
    upstream.answer = json(place.answer)
    useChannels(place.channel())
    const answer = await ask({ ...question, random_seed: 3 }, mistrals)
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'return 1' }, finish_reason: 'stop' }],
      usage,
    })
    expect(upstream.received.at(-1)?.path).toBe(place.path)
    expect(lastRecord()).toMatchObject(charged)
    if (name !== 'Mistral') expect(sent()).toMatchObject({ seed: 3 })
  })
})

describe('a streamed gap', () => {
  const engineStream = stream(
    event({ index: 0, content: 'return', stop: false, tokens_predicted: 1, tokens_evaluated: 10 }),
    event({ ...engineAnswer, content: '' }),
  )
  const mistralStream = stream(
    event({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'return' }, finish_reason: null }],
    }),
    event({ id: 'c', choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], usage }),
    done,
  )
  const textStream = stream(
    event({ ...textAnswer, choices: [{ index: 0, text: 'return', finish_reason: null }], usage: null }),
    event({ ...textAnswer, choices: [{ index: 0, text: '', finish_reason: 'stop' }], usage: null }),
    event({ ...textAnswer, choices: [], usage }),
    done,
  )

  it.each([
    ['llama.cpp', engine, engineStream],
    ['Mistral', () => channel({ type: 42 }), mistralStream],
  ])('of %s is told to clients of completions', async (_, place, answer) => {
    upstream.answer = answer
    useChannels(place())
    const text = await (await ask({ ...question, stream: true }, textual)).text()
    expect(text).toContain('"object":"text_completion"')
    expect(text).toContain('"text":"return"')
    expect(text).toContain('"finish_reason":"stop"')
    expect(text.match(/data: \[DONE\]/g)).toHaveLength(1)
    expect(lastRecord()).toMatchObject({ ...charged, other: { end: 'done' } })
  })

  it.each([
    ['llama.cpp', engine, engineStream],
    ['DeepSeek', () => channel({ type: 43 }), textStream],
  ])('of %s is told to Mistral’s clients', async (_, place, answer) => {
    upstream.answer = answer
    useChannels(place())
    const text = await (await ask({ ...question, stream: true }, mistrals)).text()
    expect(text).toContain('"delta":{"role":"assistant","content":"return"}')
    expect(text).toContain('"finish_reason":"stop"')
    expect(lastRecord()).toMatchObject({ ...charged, other: { end: 'done' } })
  })
})

it.each([
  ['without a suffix', { ...question, suffix: undefined }, engine, textual],
  ['at an engine without /infill', question, () => channel({ type: 1001, keys: [], other: '' }), textual],
])('a completion %s goes as it is', async (_, body, place, path) => {
  upstream.answer = json(textAnswer)
  useChannels(place())
  await ask(body, textual)
  expect(upstream.received.at(-1)?.path).toBe(path)
  expect(sent()).toEqual(JSON.parse(JSON.stringify(body)))
})

it('Mistral’s own form goes as it is where OpenAI’s type, or Custom, has its address', async () => {
  upstream.answer = json(completion('return 1'))
  useChannels(channel({ type: 8, baseUrl: `${upstream.url}/v1/fim/completions` }))
  expect(await (await ask(question, mistrals)).json()).toEqual(completion('return 1'))
  expect(sent()).toEqual(question)
})

it('a refusal of the engine is told', async () => {
  upstream.answer = json(
    { error: { code: 501, message: 'Infill is not supported by this model', type: 'not_supported_error' } },
    501,
  )
  useChannels(engine())
  const answer = await ask(question, textual)
  expect(answer.status).toBe(501)
  expect(await answer.text()).toContain('Infill is not supported')
  expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
})
