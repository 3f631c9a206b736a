import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench } from '../support/bench.ts'
import { addChannel, addKey } from '../support/operator.ts'
import { completion, json } from '../support/scripted-upstream.ts'
import { type Asking, type DialectName, dialectNames, dialects, told } from './asked.ts'
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
      other: 'responses, messages, infill',
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

  /** A stream of which some has come. */
  const begin = async (dialect: DialectName) => {
    const { path, body } = dialects[dialect]({ text: 'at length', stream: true })
    const leaving = new AbortController()
    const response = await fetch(bench.site.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const more = async (): Promise<boolean> => {
      const part = await reader?.read()
      text += part?.value ?? ''
      return part?.done === false
    }
    while (!text.includes(' and')) if (!(await more())) throw new Error(`ended with ${text}`)
    return {
      requestId: response.headers.get('x-oneapi-request-id') ?? '',
      async rest(): Promise<string> {
        while (await more());
        return text
      },
      async leave(): Promise<void> {
        leaving.abort()
        await reader?.cancel().catch(() => {})
      },
    }
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

  describe('counts', () => {
    it.each([
      { text: 'How long is this?' },
      { text: 'How warm?', tools: true },
      { text: 'How warm?', tools: true, afterCall: true },
    ])('of a prompt are those of the engine: %o', async (asking) => {
      const whole = await counted(asking)
      expect(whole).toBeGreaterThan(10)
      const { path: _, body: messages } = dialects.messages(asking)
      const counts = async (path: string, body: unknown): Promise<unknown> =>
        JSON.parse((await bench.ask({ path, body })).text)
      expect(await counts('/v1/messages/count_tokens', messages)).toEqual({ input_tokens: whole })
      expect(await counts('/v1/responses/input_tokens', dialects.responses(asking).body)).toMatchObject({
        input_tokens: whole,
      })
      if (asking.afterCall) return
      expect(await counts('/v1beta/models/tiny:countTokens', dialects.gemini(asking).body)).toMatchObject({
        totalTokens: whole,
      })
    })

    it.each([false, true])('of several answers are all charged; streamed: %s', async (stream) => {
      const { body } = dialects.chat({ text: 'at length', most: 20, stream })
      const answer = await bench.ask({ body: { ...body, n: 2 } })
      const entry = await bench.books.entry(answer.requestId)
      const input = await counted({ text: 'at length' })
      expect(entry).toMatchObject({ prompt_tokens: input, completion_tokens: 40 })
    })

    it('of several prompts are all charged', async () => {
      const prompt = ['at length', 'at length and more']
      const answer = await bench.ask({ path: '/v1/completions', body: { model: 'tiny', prompt, max_tokens: 6 } })
      expect(answer.status, answer.text).toBe(200)
      const sizes = await Promise.all(
        prompt.map(async (content) => (await direct('/tokenize', { content, add_special: true })).tokens as unknown[]),
      )
      const input = sizes.reduce((sum, { length }) => sum + length, 0)
      const { prompt_tokens: charged, completion_tokens: written } = await bench.books.entry(answer.requestId)
      // The engine states one of them. Their counts are of one text, which may lack the token between them.
      expect(charged).toBeGreaterThanOrEqual(input - 1)
      expect(charged).toBeLessThanOrEqual(input)
      expect(written).toBe(2)
    })

    it('of a stream that its client has left are those of the engine', async () => {
      const stream = await begin('chat')
      await stream.leave()
      const entry = await bench.books.entry(stream.requestId)
      expect(entry).toMatchObject({
        prompt_tokens: await counted({ text: 'at length' }),
        other: { end: 'client_gone' },
      })
      expect(entry.completion_tokens).toBeGreaterThan(0)
    })
  })

  it.each([
    ['OpenAI’s', '/v1/completions', /"text":"([^"]*)"/g],
    ['Mistral’s', '/v1/fim/completions', /"content":"([^"]*)"/g],
  ])('fills a gap between two texts for %s clients', async (_, path, said) => {
    for (const stream of [false, true]) {
      const body = { model: native, prompt: 'def f():', suffix: 'end', max_tokens: 9, stream }
      const answer = await bench.ask({ path, body })
      expect(answer.status, answer.text).toBe(200)
      expect([...answer.text.matchAll(said)].map(([, text]) => text).join('')).toBe(' return 7')
      const { prompt_tokens: prompt, completion_tokens: written, other } = await bench.books.entry(answer.requestId)
      expect(prompt).toBeGreaterThan(8)
      expect(written).toBe(3)
      expect(other.receipt?.estimated).toBe(false)
    }
  })

  it('says how long a prompt may be, and keeps its timings in streams', async () => {
    const { path, body } = dialects.chat({ text: 'x '.repeat(5000) })
    const refused = await bench.ask({ path, body })
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'context_length_exceeded', n_ctx: 4096 } })
    const { stream_options: _, ...quiet } = dialects.chat({ text: 'Hello', stream: true }).body
    const streamed = await bench.ask({ body: quiet })
    expect(streamed.text).not.toContain('"usage":{')
    expect(streamed.text).toMatch(/"timings":{"cache_n":\d+,"prompt_n":\d+/)
  })

  it('is not taken from others by pictures that its model does not take', async () => {
    const other = await addKey(bench.operator)
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    bench.upstream.answer = json(completion({ content: 'from the fallback' }))
    await addChannel(bench.operator, bench.upstream.url, { name: 'fallback', models: 'tiny', priority: 0 })
    const url = `data:image/png;base64,${pixel}`
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]
    expect((await direct('/v1/chat/completions', { messages })).error).toMatchObject({ code: 500 })
    for (let time = 0; time < 6; time += 1) await bench.ask({ body: { model: 'tiny', messages } })
    const { body } = dialects.chat({ text: 'Hello' })
    for (const key of [other, bench.key, other]) {
      const answer = await bench.ask({ body, key })
      expect(answer.text).toContain('The gate opens.')
    }
  })

  describe('that dies in the middle', () => {
    const saying: Readonly<Record<DialectName, RegExp>> = {
      chat: /data: {"error":{"message":/,
      responses: /event: (error|response\.failed)\ndata: /,
      messages: /event: error\ndata: {"type":"error","error":{"type":/,
      gemini: /data: {"error":{"code":\d+,"message":/,
    }

    it.each(dialectNames)(
      'says so in the dialect of its caller, charges what came, and recovers: %s',
      async (dialect) => {
        const stream = await begin(dialect)
        await engine.kill()
        const text = await stream.rest()
        expect(text).toMatch(saying[dialect])
        const entry = await bench.books.entry(stream.requestId)
        const tokens = text.match(/" ?(on|and)"/g)?.length ?? 0
        // Nobody is left to ask: prompt and text are counted here.
        expect(entry).toMatchObject({ other: { end: 'upstream_broke', receipt: { estimated: true } } })
        expect(entry.prompt_tokens).toBeGreaterThan(0)
        expect(Math.abs(entry.completion_tokens - tokens)).toBeLessThanOrEqual(1)
        expect(entry.quota).toBe(entry.prompt_tokens + entry.completion_tokens)
        await engine.start()
        expect((await bench.ask({ body: dialects.chat({ text: 'Hello' }).body })).status).toBe(200)
      },
    )
  })
})
