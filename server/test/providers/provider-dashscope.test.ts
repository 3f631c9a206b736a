import { describe, expect, it } from 'vitest'
import type { RequestRecord } from '../../src/relay/ports.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import { ask, channel, hi, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { testChannel } from '../support/relay/ports.ts'
import { credentialsFailure, hasWire, type Recording, refusesCredentials } from '../support/relay/wire.ts'

type JsonObject = Readonly<Record<string, unknown>>

const formats = ['dashscope.generation', 'dashscope.multimodal']

/** The stream of a research that was cut off while it was planned. */
const cutOff = 'dashscope-generation-stream-db85fb9d'

const payloadsOf = (recording: Recording): JsonObject[] =>
  recording.stream
    ? (recording.response.sse ?? []).map((event) => JSON.parse(event.slice(event.indexOf('data:') + 5)))
    : [recording.response.body as JsonObject]

const messagesOf = (recording: Recording): JsonObject[] =>
  payloadsOf(recording).flatMap((payload) => {
    const { choices = [] } = (payload.output ?? {}) as { choices?: { message: JsonObject }[] }
    return choices.map(({ message }) => message)
  })

const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.map((part: JsonObject) => String(part.text ?? '')).join('') : String(content ?? '')

const saidIn = (recording: Recording) => {
  const messages = messagesOf(recording)
  return {
    text: messages.map(({ content }) => textIn(content)).join(''),
    thinking: messages.map(({ reasoning_content: thought }) => String(thought ?? '')).join(''),
    calls: messages.flatMap(({ tool_calls: calls }) => (calls ?? []) as unknown[]).length,
  }
}

interface Chunk {
  /** Absent from an error. */
  readonly choices?: readonly { delta?: JsonObject; message?: JsonObject; finish_reason?: string | null }[]
}

const receivedIn = (text: string) => {
  const chunks: Chunk[] = text.startsWith('{')
    ? [JSON.parse(text)]
    : text.split('\n\n').flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []))
  const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
  const words = choices.map(({ delta, message }) => delta ?? message ?? {})
  return {
    text: words.map(({ content }) => String(content ?? '')).join(''),
    thinking: words.map(({ reasoning_content: thought }) => String(thought ?? '')).join(''),
    calls: words.flatMap(({ tool_calls: calls }) => (calls ?? []) as JsonObject[]).filter(({ id }) => id !== undefined)
      .length,
    finishes: choices.flatMap(({ finish_reason: reason }) => (reason ? [reason] : [])),
  }
}

/** How the upstream's bytes are cut, and how large an answer may be for that to be worth the time. */
const chunkings = [
  ['event', Number.POSITIVE_INFINITY],
  ['random:7', Number.POSITIVE_INFINITY],
  ['byte:3', 16_000],
] as const

describe.skipIf(!hasWire).each(chunkings)('recorded exchanges of DashScope, cut by %s', (chunking, largest) => {
  const recorded = useRecorded(chunking)

  const call = async (recording: Recording, body: JsonObject = {}) => {
    const { channels, recorder } = recorded.gateway.parts
    const keys = [`wire-${recording.id}`]
    channels.list.splice(0, 1, testChannel({ type: 17, baseUrl: `${recorded.replay.url}/api/v1`, keys }))
    recorder.records.length = 0
    const response = await fetch(`${recorded.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ ...hi, model: recording.model ?? 'qwen-max', stream: recording.stream, ...body }),
    })
    const text = await response.text()
    const record: RequestRecord | undefined = recorder.records[0]
    return { response, text, record, seen: recorded.replay.log(recording.id).at(-1) }
  }

  const check = async (recording: Recording): Promise<void> => {
    const { response, text, record, seen } = await call(recording)
    const [first] = payloadsOf(recording)
    if (refusesCredentials(recording.response)) {
      expect([response.status, JSON.parse(text)]).toMatchObject([502, { error: credentialsFailure }])
      return
    }
    if (recording.response.status !== 200 || first?.code !== undefined) {
      expect(response.status).toBe(recording.response.status === 200 ? 400 : recording.response.status)
      expect(JSON.parse(text)).toMatchObject({
        error: { code: first?.code, message: expect.stringContaining(String(first?.message)) },
      })
      return
    }
    expect(response.status).toBe(200)
    const { finishes, ...received } = receivedIn(text)
    expect(received).toEqual(saidIn(recording))
    expect(finishes).toHaveLength(1)
    const { prompt, completion } = recording.usage
    if (prompt === undefined) expect(record?.receipt?.estimated).toBe(true)
    else
      expect(record).toMatchObject({
        promptTokens: prompt,
        completionTokens: completion,
        receipt: { estimated: false },
      })
    expect(seen?.path).toMatch(/^\/api\/v1\/services\/aigc\/(text|multimodal)-generation\/generation$/)
    expect(seen?.headers['x-dashscope-sse']).toBe(recording.stream ? 'enable' : undefined)
  }

  it('are answered in the client’s dialect, billed as reported', async () => {
    const recordings = formats
      .flatMap((format) => recorded.replay.ids({ format }))
      .filter((id) => id !== cutOff)
      .map((id) => recorded.replay.get(id))
      .filter(({ response }) => JSON.stringify(response).length < largest)
    expect(recordings.length).toBeGreaterThan(largest > 16_000 ? 19 : 9)
    const wrong: string[] = []
    for (const recording of recordings) {
      await check(recording).catch((error: unknown) => wrong.push(`${recording.id}: ${error}`))
    }
    expect(wrong).toEqual([])
  })

  it('say so when a stream was cut off', async () => {
    const { text, record } = await call(recorded.replay.get(cutOff))
    expect(receivedIn(text).thinking).toBe('本研究聚焦于')
    expect(text).toContain('"error"')
    expect(record).toMatchObject({ promptTokens: 652, other: { end: 'upstream_broke' } })
  })

  it('are requested in DashScope’s own format', async () => {
    const recording = recorded.replay.get('dashscope-multimodal-stream-9fbf6d88')
    const request = recording.request.body as { input: { messages: JsonObject[] }; parameters: JsonObject }
    const [user, assistant, ...results] = request.input.messages
    const { seen } = await call(recording, {
      messages: [
        {
          role: 'user',
          content: ((user?.content ?? []) as JsonObject[]).map(({ image, text }) =>
            image === undefined ? { type: 'text', text } : { type: 'image_url', image_url: { url: image } },
          ),
        },
        { role: 'assistant', content: null, tool_calls: assistant?.tool_calls },
        ...results.map(({ content, ...rest }) => ({ ...rest, content: textIn(content) })),
      ],
      tools: request.parameters.tools,
      parallel_tool_calls: true,
      enable_thinking: true,
      logit_bias: {},
    })
    const calls = ((assistant?.tool_calls ?? []) as JsonObject[]).map(({ index: _, ...rest }) => rest)
    expect(seen?.body).toEqual({
      ...request,
      model: recording.model,
      input: { messages: [user, { ...assistant, tool_calls: calls }, ...results] },
    })
  })
})

describe('a DashScope channel', () => {
  useScene()

  const ali = (changes: object = {}) => channel({ type: 17, ...changes })

  it('prefers the compatible mode, byte for byte, for clients of that dialect', async () => {
    useChannels(ali({ other: 'calculator' }))
    upstream.answer = json(completion('hello'))
    const response = await ask({ ...hi, model: 'qwen-plus', enable_search: true })
    expect(await response.json()).toEqual(completion('hello'))
    expect(upstream.received[0]).toMatchObject({
      path: '/compatible-mode/v1/chat/completions',
      headers: { authorization: 'Bearer channel-key', 'x-dashscope-plugin': 'calculator' },
    })
    expect(sentBody()).toBe(JSON.stringify({ ...hi, model: 'qwen-plus', enable_search: true }))
  })

  it('keeps top_p inside its bounds and passes thinking on from other dialects', async () => {
    useChannels(ali())
    await ask({ ...hi, top_p: 1 })
    expect(JSON.parse(sentBody())).toMatchObject({ top_p: 0.999 })
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    await ask({ model: 'qwen3-max', max_tokens: 100, messages: hi.messages, thinking, top_k: 3 }, '/v1/messages')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'qwen3-max',
      messages: hi.messages,
      max_tokens: 100,
      top_k: 3,
      enable_thinking: true,
      thinking_budget: 2000,
    })
  })

  it('asks models that only its own protocol reaches in that', async () => {
    useChannels(ali())
    const step = (message: object, usage: object) =>
      `id:1\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({ output: { message }, usage, request_id: 'r' })}\n\n`
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream;charset=UTF-8' })
      response.write(
        step({ phase: 'ResearchPlanning', content: 'plan', status: 'typing' }, { input_tokens: 9, output_tokens: 1 }),
      )
      response.write(
        step({ phase: 'answer', content: 'found', status: 'typing' }, { input_tokens: 9, output_tokens: 2 }),
      )
      response.end(step({ phase: 'answer', content: '', status: 'finished' }, { input_tokens: 9, output_tokens: 3 }))
    }
    // Its clients may want no stream: it has nothing else.
    const response = await ask({ ...hi, model: 'qwen-deep-research' })
    expect(upstream.received[0]?.path).toBe('/api/v1/services/aigc/text-generation/generation')
    expect(await response.json()).toMatchObject({
      id: 'r',
      choices: [{ message: { content: 'found', reasoning_content: 'plan' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    })
  })

  it('reranks, and pays for the tokens', async () => {
    useChannels(ali())
    upstream.answer = json({
      output: {
        results: [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.1 },
        ],
      },
      usage: { total_tokens: 79 },
      request_id: 'r',
    })
    const response = await ask({ model: 'qwen3-rerank', query: 'q', documents: ['a', 'b'], top_n: 2 }, '/v1/rerank')
    expect(await response.json()).toMatchObject({
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
      usage: { total_tokens: 79 },
    })
    expect(upstream.received[0]?.path).toBe('/api/v1/services/rerank/text-rerank/text-rerank')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'qwen3-rerank',
      input: { query: 'q', documents: ['a', 'b'] },
      parameters: { return_documents: false, top_n: 2 },
    })
  })
})
