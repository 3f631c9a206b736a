import { virtualModelChange } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../../test/support/gateway/scene.ts'
import { json, type Received, stream } from '../../../../test/support/gateway/upstream.ts'
import { relayVirtualModel } from './virtual-model.ts'

useScene()

/** `first` is served by a provider of one language, `second` by one of another, so both ways through the gateway are taken. */
const use = (type: number, falls_back_on: ('content' | 'server')[] = ['content']): void => {
  useChannels(
    channel({ id: 1, type: type as never, models: new Set(['first', 'smart']) }),
    channel({ id: 2, type: 8, baseUrl: `${upstream.url}/v1/chat/completions`, models: new Set(['second']) }),
  )
  const steps = [{ targets: [{ model: 'first' }] }, { targets: [{ model: 'second' }] }]
  const virtual = virtualModelChange.parse({ name: 'smart', steps, falls_back_on })
  gateway.parts.channels.virtualModels.splice(0, 9, relayVirtualModel({ ...virtual, id: 5, changed_time: 0 }))
}

const event = (payload: Record<string, unknown>): string =>
  `${payload.type === undefined ? '' : `event: ${payload.type}\n`}data: ${JSON.stringify(payload)}\n\n`
const done = 'data: [DONE]\n\n'

const chatAnswer = (content: string, finish_reason = 'stop') => ({
  id: 'x',
  object: 'chat.completion',
  created: 5,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})
const chatEvent = (delta: object, finish_reason: string | null = null): string =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 5,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  })
const message = {
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
}

/** How providers decline, whole and as a stream. */
const providers = {
  'chat completions': {
    type: 1,
    path: '/v1/chat/completions',
    whole: chatAnswer('', 'content_filter'),
    events: [chatEvent({ role: 'assistant', content: '' }), chatEvent({}, 'content_filter'), done],
  },
  Messages: {
    type: 14,
    path: '/v1/messages',
    whole: { ...message, stop_reason: 'refusal' },
    events: [
      event({ type: 'message_start', message }),
      event({ type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } }),
      event({ type: 'message_stop' }),
    ],
  },
  Gemini: {
    type: 24,
    path: '/v1beta/models/smart:generateContent',
    whole: { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 10 } },
    events: [event({ candidates: [{ index: 0, finishReason: 'SAFETY' }], usageMetadata: { promptTokenCount: 10 } })],
  },
} as const
type Provider = keyof typeof providers
const names = Object.keys(providers) as Provider[]

const declining = (provider: Provider, streams: boolean, second = 'hello') => {
  const { whole, events } = providers[provider]
  return (call: Received): void => {
    const isSecond = call.body.includes('"second"')
    if (streams)
      (isSecond ? stream(chatEvent({ content: second }), chatEvent({}, 'stop'), done) : stream(...events))(call)
    else json(isSecond ? chatAnswer(second) : whole)(call)
  }
}

const bodies: Record<string, object> = {
  '/v1/chat/completions': { ...hi, model: 'smart' },
  '/v1/messages': { ...hi, model: 'smart', max_tokens: 50 },
  '/v1beta/models/smart:generateContent': { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}
const send = async (path: string, streams: boolean): Promise<{ status: number; text: string }> => {
  const body = bodies[path] ?? {}
  const response = path.startsWith('/v1beta')
    ? await ask({ ...body }, streams ? '/v1beta/models/smart:streamGenerateContent?alt=sse' : path)
    : await ask({ ...body, stream: streams }, path)
  return { status: response.status, text: await response.text() }
}

describe.each(names)('a provider of %s that declines', (provider) => {
  const { type } = providers[provider]

  it.each(
    names.flatMap((client) => [
      [client, false],
      [client, true],
    ]) as [Provider, boolean][],
  )('is followed by the next model, for a client of %s (stream: %s)', async (client, streams) => {
    use(type)
    upstream.answer = declining(provider, streams)
    const { status, text } = await send(providers[client].path, streams)
    expect(status).toBe(200)
    expect(text).toContain('hello')
    expect(text).not.toMatch(/content_filter|refusal|SAFETY|msg/)
    const { records } = gateway.parts.recorder
    expect(records).toHaveLength(1)
    expect(lastRecord()?.kind).toBe('charge')
    expect(lastRecord()?.other.admin_info).toMatchObject({
      route: { target: 'second' },
      attempts: [
        { channel: 1, error: expect.stringContaining('did not want to answer') },
        { channel: 2, error: '' },
      ],
    })
  })

  it('is what its client gets where the virtual model does not fall back on content', async () => {
    use(type, ['server'])
    upstream.answer = declining(provider, false)
    const { status, text } = await send(providers[provider].path, false)
    expect([status, text]).toEqual([200, expect.stringMatching(/content_filter|refusal|SAFETY/)])
    expect(upstream.received).toHaveLength(1)
  })
})

it('is answered by the last model as it answers', async () => {
  use(1)
  upstream.answer = json(chatAnswer('', 'content_filter'))
  const { status, text } = await send('/v1/chat/completions', false)
  expect([status, text]).toEqual([200, expect.stringContaining('content_filter')])
  expect(upstream.received).toHaveLength(2)
})

it('is an error where all that follow fail, and costs nothing', async () => {
  use(1, ['content', 'server'])
  upstream.answer = (call) =>
    (call.body.includes('"second"')
      ? json({ error: { message: 'boom' } }, 500)
      : json(chatAnswer('', 'content_filter')))(call)
  expect((await send('/v1/chat/completions', false)).status).toBe(500)
  expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
})

it('is no reason to ask another model once content went out', async () => {
  use(1)
  upstream.answer = stream(chatEvent({ content: 'half' }), chatEvent({}, 'content_filter'), done)
  const { text } = await send('/v1/chat/completions', true)
  expect(text).toMatch(/half[\s\S]*content_filter/)
  expect(upstream.received).toHaveLength(1)
})

it('passes on whole what it held back before the first content, and streams without any', async () => {
  use(1)
  const events = [chatEvent({ role: 'assistant', content: '' }), chatEvent({}, 'stop'), done]
  upstream.answer = stream(...events)
  expect((await send('/v1/chat/completions', true)).text).toBe(events.join(''))
  const spoken = [
    chatEvent({ role: 'assistant', content: '' }),
    chatEvent({ content: 'hi' }),
    chatEvent({}, 'stop'),
    done,
  ]
  upstream.answer = stream(...spoken)
  expect((await send('/v1/chat/completions', true)).text).toBe(spoken.join(''))
})
