import { describe, expect, it } from 'vitest'
import { contents, generated, message, question, respond, response } from '../../../test/support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { completion, json, stream } from '../../../test/support/gateway/upstream.ts'
import {
  type Answer,
  claudeStream,
  geminiStream,
  openaiBody,
  openaiStream,
  responsesStream,
} from '../../../test/support/gateway/usage-reports.ts'

/** A maximum that a call sets bounds what is billed without doubt, however large its model is. All answers are `Hello`. */

useScene()

const chatPath = '/v1/chat/completions'
const messagesPath = '/v1/messages'
const googlePath = '/v1beta/models/gemini-2.5-flash:generateContent'
const googleStream = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'

type Reporting = (tokens: number) => Answer

interface Upstream {
  readonly type: number
  readonly whole: Reporting
  readonly streamed: Reporting
}

const upstreams: Record<'chat' | 'messages' | 'gemini' | 'responses', Upstream> = {
  chat: {
    type: 1,
    whole: (tokens) => openaiBody({ prompt_tokens: 9, completion_tokens: tokens }),
    streamed: (tokens) => openaiStream({ prompt_tokens: 9, completion_tokens: tokens }),
  },
  messages: {
    type: 14,
    whole: (tokens) => json({ ...message, usage: { input_tokens: 9, output_tokens: tokens } }),
    streamed: (tokens) => claudeStream({ input_tokens: 9, output_tokens: 1 }, { output_tokens: tokens }),
  },
  gemini: {
    type: 24,
    whole: (tokens) => json({ ...generated, usageMetadata: { promptTokenCount: 9, candidatesTokenCount: tokens } }),
    streamed: (tokens) => geminiStream({ promptTokenCount: 9, candidatesTokenCount: tokens }),
  },
  responses: {
    type: 1,
    whole: (tokens) => json({ ...response, usage: { input_tokens: 9, output_tokens: tokens } }),
    streamed: (tokens) => responsesStream({ input_tokens: 9, output_tokens: tokens }),
  },
}

const geminiBody = (maximum: number) => ({ ...contents, generationConfig: { maxOutputTokens: maximum } })
const clients = {
  chat: { path: chatPath, streamPath: chatPath, body: (maximum: number) => ({ ...hi, max_tokens: maximum }) },
  'chat with the later name': {
    path: chatPath,
    streamPath: chatPath,
    body: (maximum: number) => ({ ...hi, max_completion_tokens: maximum }),
  },
  messages: {
    path: messagesPath,
    streamPath: messagesPath,
    body: (maximum: number) => ({ ...question, max_tokens: maximum }),
  },
  gemini: { path: googlePath, streamPath: googleStream, body: geminiBody },
  responses: {
    path: '/v1/responses',
    streamPath: '/v1/responses',
    body: (maximum: number) => ({ ...respond, max_output_tokens: maximum }),
  },
}

type ClientName = keyof typeof clients
type UpstreamName = keyof typeof upstreams

const cases = Object.keys(clients).flatMap((client) =>
  Object.keys(upstreams)
    .filter((name) => (client === 'responses' ? true : name !== 'responses'))
    // OpenAI's channels answer clients of responses in responses.
    .filter((name) => client !== 'responses' || name !== 'chat')
    .flatMap((name) => [false, true].map((streams) => [client, name, streams] as [ClientName, UpstreamName, boolean])),
)

const askFor = async (client: ClientName, name: UpstreamName, streams: boolean, tokens: number): Promise<void> => {
  const { type, whole, streamed } = upstreams[name]
  useChannels(channel({ type }))
  upstream.answer = streams ? streamed(tokens) : whole(tokens)
  const { path, streamPath, body } = clients[client]
  const asked = { ...body(30), ...(streams && client !== 'gemini' && { stream: true }) }
  const got = await ask(asked, streams ? streamPath : path)
  expect(await got.text()).toContain('Hello')
}

describe('a completion above the maximum of its call', () => {
  it.each(cases)('is disputed for a client of %s at an upstream of %s, streamed: %s', async (client, name, streams) => {
    await askFor(client, name, streams, 9000)
    const { completionTokens = 0, receipt } = lastRecord() ?? {}
    expect(receipt).toMatchObject({ estimated: true, disputed: { completion_tokens: 9000 } })
    expect(completionTokens).toBeGreaterThan(1)
    expect(completionTokens).toBeLessThan(30)
  })

  it.each(cases)('is believed up to it for a client of %s at an upstream of %s, streamed: %s', async (...call) => {
    await askFor(...call, 30)
    expect(lastRecord()).toMatchObject({ completionTokens: 30, receipt: { estimated: false } })
    expect(lastRecord()?.receipt?.disputed).toBeUndefined()
  })

  it.each([false, true])(
    'is disputed in legacy completions, for each of their answers, streamed: %s',
    async (streams) => {
      const body = { model: 'my-own-model', prompt: ['a', 'b'], n: 2, best_of: 3, max_tokens: 30, stream: streams }
      const answer = (tokens: number): Answer => {
        const usage = { prompt_tokens: 2, completion_tokens: tokens }
        const text = {
          id: 'c',
          object: 'text_completion',
          choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }],
        }
        return streams
          ? stream(`data: ${JSON.stringify({ ...text, usage })}\n\n`, 'data: [DONE]\n\n')
          : json({ ...text, usage })
      }
      upstream.answer = answer(180)
      await (await ask(body, '/v1/completions')).text()
      expect(lastRecord()).toMatchObject({ completionTokens: 180 })
      upstream.answer = answer(90_000)
      await (await ask(body, '/v1/completions')).text()
      expect(lastRecord()?.receipt).toMatchObject({ disputed: { completion_tokens: 90_000 } })
      expect(lastRecord()?.completionTokens).toBeLessThan(100)
    },
  )
})

describe('what a call allows', () => {
  const long = 'a really long answer '.repeat(20)

  const answered = async (body: Record<string, unknown>, usage: object, text = 'Hello') => {
    upstream.answer = json({ ...completion(text), usage: { prompt_tokens: 9, ...usage } })
    await (await ask({ ...hi, ...body })).text()
    const { completionTokens, receipt } = lastRecord() ?? {}
    return { completionTokens, disputed: receipt?.disputed }
  }

  it('is its maximum for each of its answers', async () => {
    expect(await answered({ max_tokens: 30, n: 3 }, { completion_tokens: 90 })).toMatchObject({ completionTokens: 90 })
    expect(await answered({ max_tokens: 30, n: 3 }, { completion_tokens: 900 })).toMatchObject({
      disputed: { completion_tokens: 900 },
    })
  })

  it('is as large as an answer that is longer than it was asked to be', async () => {
    const { completionTokens, disputed } = await answered({ max_tokens: 10 }, { completion_tokens: 50 }, long)
    expect({ completionTokens, disputed }).toEqual({ completionTokens: 50, disputed: undefined })
    const counted = await answered({ max_tokens: 10 }, { completion_tokens: 90_000 }, long)
    expect(counted.disputed).toEqual({ completion_tokens: 90_000 })
    expect(counted.completionTokens).toBeGreaterThan(60)
  })

  it.each([
    ['reasoning of GPT, which is within', { model: 'gpt-4o', max_tokens: 30 }, true],
    ['reasoning within a maximum that includes it', { model: 'my-own-model', max_completion_tokens: 30 }, true],
    ['reasoning of Qwen, which is beside', { model: 'qwen3-max', max_tokens: 30 }, false],
    ['reasoning of Qwen beyond its budget', { model: 'qwen3-max', max_tokens: 30, thinking_budget: 100 }, true],
    ['reasoning of Qwen that is switched off', { model: 'qwen3-max', max_tokens: 30, enable_thinking: false }, true],
    ['reasoning of an unknown model, which hosts count within', { model: 'my-own-model', max_tokens: 30 }, true],
    ['reasoning of DeepSeek, which is within', { model: 'deepseek-reasoner', max_tokens: 30 }, true],
  ])('counts %s', async (_, body, isDisputed) => {
    const usage = { completion_tokens: 5020, completion_tokens_details: { reasoning_tokens: 5000 } }
    const { completionTokens, disputed } = await answered(body, usage)
    expect(disputed).toEqual(isDisputed ? { completion_tokens: 5020 } : undefined)
    if (!isDisputed) expect(completionTokens).toBe(5020)
  })

  const reasoned = { completion_tokens: 5020, completion_tokens_details: { reasoning_tokens: 5000 } }

  it.each([
    ['DeepSeek', 43, 'deepseek-v3.2', false],
    ['Volcengine', 45, 'deepseek-v3.2', true],
    ['SiliconFlow', 40, 'deepseek-v3.2', true],
    ['Alibaba', 17, 'deepseek-v3.2', true],
    ['Moonshot', 25, 'kimi-k2-thinking', false],
    ['OpenRouter', 20, 'deepseek/deepseek-v3.2', false],
  ] as const)('counts reasoning as %s does', async (_, type, model, isBeside) => {
    useChannels(channel({ type }))
    for (const streams of [false, true]) {
      const usage = { prompt_tokens: 9, ...reasoned }
      upstream.answer = streams ? openaiStream(usage) : openaiBody(usage)
      await (await ask({ ...hi, model, max_tokens: 30, stream: streams })).text()
      const { disputed } = lastRecord()?.receipt ?? {}
      expect(disputed).toEqual(isBeside ? undefined : { completion_tokens: 5020 })
    }
    upstream.answer = openaiBody({ prompt_tokens: 9, ...reasoned })
    await (await ask({ ...hi, model, max_completion_tokens: 30 })).text()
    expect(lastRecord()?.receipt?.disputed).toEqual({ completion_tokens: 5020 })
  })

  it('bounds sound and pictures that a call did not ask for', async () => {
    const sound = { completion_tokens: 500, completion_tokens_details: { audio_tokens: 490 } }
    expect((await answered({ max_tokens: 30 }, sound)).disputed).toEqual({ completion_tokens: 500 })
    const asked = { max_tokens: 30, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }
    expect((await answered(asked, sound)).disputed).toBeUndefined()
  })

  it('is not more because reasoning is beside it', async () => {
    const { disputed } = await answered({ model: 'qwen3-max', max_tokens: 30 }, { completion_tokens: 5020 })
    expect(disputed).toEqual({ completion_tokens: 5020 })
  })

  it('is what the channel has made of it', async () => {
    useChannels(channel({ paramOverride: { max_tokens: 4000 } }))
    expect(await answered({ max_tokens: 10 }, { completion_tokens: 3999 })).toEqual({
      completionTokens: 3999,
      disputed: undefined,
    })
    expect((await answered({ max_tokens: 10 }, { completion_tokens: 4999 })).disputed).toEqual({
      completion_tokens: 4999,
    })
  })

  it('does not bound sound, which has tokens of its own', async () => {
    const usage = { completion_tokens: 500, completion_tokens_details: { audio_tokens: 490 } }
    expect(await answered({ model: 'gpt-4o-audio-preview', max_tokens: 30 }, usage)).toMatchObject({
      completionTokens: 500,
    })
  })

  it('has rounds of the provider’s own tools', async () => {
    expect(await answered({ max_tokens: 30, web_search_options: {} }, { completion_tokens: 500 })).toMatchObject({
      completionTokens: 500,
    })
  })
})
