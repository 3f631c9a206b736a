import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench, type ReceivedAnswer } from '../support/bench.ts'
import { addChannel, addKey } from '../support/operator.ts'
import { type Asking, type DialectName, dialectNames, dialects, told, valuesIn } from './asked.ts'
import { installLlama, type LlamaServer, startLlama } from './llama.ts'

/** llama.cpp's own server behind a channel of type *Own server*, in all dialects of clients. */

const ownServer = 1001
/** A model of the channel that takes all of llama.cpp's APIs as they are. */
const native = 'tiny-native'

const isHere = installLlama()

describe.skipIf(!isHere)('llama.cpp', () => {
  let engine: LlamaServer
  let bench: Bench

  beforeAll(async () => {
    engine = await startLlama({ slots: 2 })
    bench = await openBench({}, null)
    await bench.set('ModelRatio', JSON.stringify({ tiny: 1, [native]: 1 }))
    await bench.set('CompletionRatio', JSON.stringify({ tiny: 1, [native]: 1 }))
    const place = { type: ownServer, key: '', base_url: `${engine.url}/v1` }
    await addChannel(bench.operator, engine.url, { ...place, models: 'tiny', priority: 5 })
    await addChannel(bench.operator, engine.url, {
      ...place,
      models: native,
      other: 'responses, messages',
      model_mapping: JSON.stringify({ [native]: 'tiny' }),
    })
  })
  afterAll(async () => {
    await bench?.close()
    await engine?.remove()
  })

  /** Without this gateway between. */
  const direct = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(engine.url + path, { method: 'POST', body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }
  const counted = async (asking: Asking): Promise<unknown> =>
    (await direct('/v1/chat/completions/input_tokens', dialects.chat(asking).body)).input_tokens

  const asked = async (dialect: DialectName, asking: Asking, model = 'tiny') => {
    const { path, body } = dialects[dialect](asking)
    const answer = await bench.ask({
      path: path.replace('/tiny:', `/${model}:`),
      body: 'model' in body ? { ...body, model } : body,
    })
    expect(answer.status, answer.text).toBe(200)
    return { answer, told: told(dialect, answer.text), entry: await bench.books.entry(answer.requestId) }
  }

  const cases: Readonly<Record<string, { readonly asking: Asking; readonly says: object }>> = {
    'a plain turn': { asking: { text: 'Hello' }, says: { text: 'The gate opens.', thoughts: '', calls: [] } },
    thoughts: { asking: { text: 'Think' }, says: { text: 'The gate opens.', thoughts: 'I ponder,' } },
    'a call of a tool': {
      asking: { text: 'How warm?', tools: true },
      says: { text: '', calls: [{ city: 'Oslo' }] },
    },
    'a turn after a call, with its thoughts': {
      asking: { text: 'How warm?', tools: true, afterCall: true },
      says: { text: 'The gate opens.', calls: [] },
    },
    'no thoughts, and top_k': {
      asking: { text: 'Think', topK: 1, withoutThoughts: true },
      says: { text: 'The gate opens.', thoughts: '' },
    },
    'an answer of so many tokens': { asking: { text: 'at length', most: 9 }, says: { output: 9 } },
  }
  const models = ['tiny', native]
  const ways = dialectNames.flatMap((dialect) =>
    models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
  )

  it.each(Object.entries(cases))(
    '%s is told by every dialect as by the engine, and so is the bill',
    async (_, each) => {
      const { asking, says } = each
      const own = await direct('/v1/chat/completions', {
        ...dialects.chat(asking).body,
        ...(asking.withoutThoughts && { chat_template_kwargs: { enable_thinking: false } }),
      })
      const engineSays = told('chat', JSON.stringify(own))
      const check = async ({ dialect, model, stream }: (typeof ways)[number]): Promise<void> => {
        const way = `${dialect} of ${model}, ${stream ? 'streamed' : 'whole'}`
        const { told: answer, entry } = await asked(dialect, { ...asking, stream }, model)
        expect(answer, way).toMatchObject(says)
        // Gemini's results of tools are objects, and longer; APIs that pass are written by the engine's own templates.
        const input = dialect === 'gemini' && asking.afterCall ? answer.input : engineSays.input
        expect(answer, way).toMatchObject({ output: engineSays.output, ...(model === 'tiny' && { input }) })
        expect(entry, way).toMatchObject({
          prompt_tokens: answer.input,
          completion_tokens: answer.output,
          quota: answer.input + answer.output,
          other: { receipt: { estimated: false } },
        })
      }
      await Promise.all(ways.map(check))
    },
  )
})
