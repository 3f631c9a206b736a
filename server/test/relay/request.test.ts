import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

describe('the body that goes upstream', () => {
  it('is the bytes that came when nothing has to change', async () => {
    const body =
      '{ "model":"gpt-4o",\n"messages":[{"role":"user","content":"\\u0068i"}], "top_p":0.0, "x_new":{"a":1E2}, "seed":0 }'
    await ask(body)
    expect(sentBody()).toBe(body)
    expect(upstream.received[0]?.headers).toMatchObject({
      authorization: 'Bearer channel-key',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
  })

  it('has the mapped model and the forced usage, and else the bytes that came', async () => {
    useChannels(
      channel({
        modelMapping: new Map([
          ['gpt-4o', 'a'],
          ['a', 'b'],
        ]),
      }),
    )
    upstream.answer = stream(chunk('x'), usageChunk(1, 2), done)
    const response = await ask('{"model":"gpt-4o", "stream":true,"top_p":1.0,"messages":[]}')
    expect(sentBody()).toBe(
      '{"model":"b", "stream":true,"top_p":1.0,"messages":[],"stream_options":{"include_usage":true}}',
    )
    expect(await response.text()).toBe(chunk('x') + done)
    expect(lastRecord()).toMatchObject({
      model: 'gpt-4o',
      promptTokens: 1,
      completionTokens: 2,
      other: { is_model_mapped: true, upstream_model_name: 'b' },
    })
  })

  it('gets the channel’s overrides, except for embeddings', async () => {
    useChannels(channel({ paramOverride: { temperature: 0, user: 'x' } }))
    await ask(hi)
    expect(JSON.parse(sentBody())).toEqual({ ...hi, temperature: 0, user: 'x' })
    await ask({ model: 'e', input: 'x' }, '/v1/embeddings')
    expect(JSON.parse(sentBody())).toEqual({ model: 'e', input: 'x' })
  })

  it('is never touched in pass-through mode', async () => {
    gateway.parts.settings = { ...testOptions, passThrough: true }
    useChannels(channel({ modelMapping: new Map([['gpt-4o', 'b']]), paramOverride: { a: 1 } }))
    const body = JSON.stringify(hiStream)
    await ask(body)
    expect(sentBody()).toBe(body)
  })

  it('makes the system message of a reasoning model a developer message', async () => {
    await ask(
      '{"model":"o3-mini-low","temperature":1,"messages":[{"content":"s","role":"system"},{"role":"user","content":"1.0"}]}',
    )
    expect(sentBody()).toBe(
      '{"model":"o3-mini","messages":[{"content":"s","role":"developer"},{"role":"user","content":"1.0"}],"reasoning_effort":"low"}',
    )
    expect(lastRecord()?.other).toMatchObject({ reasoning_effort: 'low', upstream_model_name: 'o3-mini' })
  })

  it('is logged with text and audio apart where a model takes both', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { audio_tokens: 70, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 20 },
    }
    upstream.answer = json({ ...completion('hello'), usage })
    await ask({ ...hi, model: 'gpt-4o-audio-preview' })
    expect(lastRecord()).toMatchObject({
      promptTokens: 100,
      completionTokens: 50,
      other: { audio: true, audio_input: 70, audio_output: 20, text_input: 30, text_output: 30 },
    })
    expect(lastRecord()?.other).toMatchObject({
      audio_ratio: expect.any(Number),
      audio_completion_ratio: expect.any(Number),
      model_ratio: expect.any(Number),
      group_ratio: expect.any(Number),
      completion_ratio: expect.any(Number),
    })
    upstream.answer = json(completion('hello'))
    await ask(hi)
    expect(lastRecord()?.other).not.toHaveProperty('audio')
  })

  it('does not carry a key of the query on', async () => {
    await fetch(`${gateway.url}/v1/chat/completions?key=good&a=1`, { method: 'POST', body: JSON.stringify(hi) })
    expect(upstream.received[0]?.path).toBe('/v1/chat/completions?a=1')
  })

  it('refuses a mapping that runs in a circle', async () => {
    useChannels(
      channel({
        modelMapping: new Map([
          ['gpt-4o', 'a'],
          ['a', 'gpt-4o'],
        ]),
      }),
    )
    const response = await ask(hi)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'model_mapped_error' } })
    expect(holdEnds()).toEqual(['released'])
  })
})

describe('channels', () => {
  const failing = (ids: readonly number[], status: number) => {
    upstream.answer = (call) => {
      const id = Number(call.headers.authorization?.slice('Bearer '.length))
      if (ids.includes(id)) json({ error: { message: `no ${id}`, type: 't' } }, status)(call)
      else json(completion('hello'))(call)
    }
  }
  const three = () => [1, 2, 3].map((id) => channel({ id, keys: [String(id)], priority: -id }))

  it('are tried by priority, never one twice, and the log lists them in order', async () => {
    gateway.parts.settings = { ...testOptions, retryTimes: 5 }
    useChannels(...three())
    failing([1, 2], 500)
    expect((await ask(hi)).status).toBe(200)
    expect(lastRecord()).toMatchObject({
      channelId: 3,
      other: {
        admin_info: {
          use_channel: ['1', '2', '3'],
          attempts: [{ channel: 1, status: 500 }, { channel: 2 }, { error: '' }],
        },
      },
    })
    expect(gateway.parts.channels.reports.map((report) => report.failure?.status)).toEqual([500, 500, undefined])
    failing([1, 2, 3], 503)
    expect((await ask(hi)).status).toBe(503)
    expect(upstream.received).toHaveLength(6)
    expect(holdEnds()).toEqual([expect.any(Number), 'released'])
  })

  it.each([
    [400, 1],
    [401, 2, 502],
    [408, 1],
    [429, 2],
    [500, 2],
    [504, 1],
  ])('after %i there are %i attempts', async (status, attempts, expectedStatus = status) => {
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(...three())
    failing([1, 2, 3], status)
    expect((await ask(hi)).status).toBe(expectedStatus)
    expect(upstream.received).toHaveLength(attempts)
  })

  it('change the status of an answer before the retry is decided', async () => {
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(...three().map((each) => ({ ...each, statusCodeMapping: new Map([[400, 500]]) })))
    failing([1], 400)
    expect((await ask(hi)).status).toBe(200)
  })

  it('that answer 200 with an error have failed', async () => {
    upstream.answer = json({ error: { message: 'soft', type: 'x', code: 7 } })
    const response = await ask(hi)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/^soft /), type: 'x', code: 7 },
    })
    upstream.answer = stream('data: {"error":{"message":"soft","type":"x"}}\n\n')
    expect((await ask(hiStream)).status).toBe(502)
    expect(holdEnds()).toEqual(['released', 'released'])
  })

  it('do not show their key or address', async () => {
    upstream.answer = json({ error: { message: `key channel-key at ${upstream.url}/v1 sk-abcdefghijklmnop1234` } }, 400)
    const body = (await (await ask(hi)).json()) as { error: { message: string } }
    expect(body.error.message).toMatch(/^key \*\*\* at \*\*\*\/v1 \*\*\* \(request id/)
  })

  it('that are all disabled make the call fail without an attempt', async () => {
    useChannels(channel({ enabled: false }))
    const response = await ask(hi)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(/^当前分组 default 下对于模型 gpt-4o 无可用渠道 \(request id: /),
        type: 'new_api_error',
      },
    })
    expect(lastRecord()).toMatchObject({
      kind: 'error',
      content: '当前分组 default 下对于模型 gpt-4o 无可用渠道',
      other: {
        error_code: 'no_available_channel',
        status: 503,
        error_text: { code: 'no_available_channel', params: { group: 'default', model: 'gpt-4o' } },
      },
    })
  })

  it('leave their error text in the log, and our code where they send none', async () => {
    upstream.answer = json({ error: { message: 'their words', code: 'no_available_channel' } }, 400)
    await ask(hi)
    expect(lastRecord()).toMatchObject({ kind: 'error', content: 'their words' })
    expect(lastRecord()?.other).not.toHaveProperty('error_text')
    upstream.answer = json({}, 418)
    await ask(hi)
    expect(lastRecord()).toMatchObject({
      kind: 'error',
      other: { error_text: { code: 'bad_response_status_code', params: { status: 418 } } },
    })
  })
})
