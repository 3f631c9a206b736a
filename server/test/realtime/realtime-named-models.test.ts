import { beforeEach, describe, expect, it } from 'vitest'
import type { Limiter } from '../../src/limits/limiter.ts'
import { priceOf } from '../support/billing/price.ts'
import { testToken } from '../support/gateway/listener.ts'
import { openSession, refusedSession } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { channel, gateway, record, reopen, upstream, useChannels, useSessions } from '../support/gateway/sessions.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { openTestHolds, testPrices } from '../support/relay/ports.ts'

useSessions()

/** Models that a session names beside its own: those that make transcripts, above all. */

const received = (): unknown[] => (upstream.sessions[0]?.received ?? []).map((text) => JSON.parse(text) as unknown)

beforeEach(() => {
  useChannels(channel({ models: new Set(['gpt-realtime', 'gpt-4o-transcribe', 'whisper-1']) }))
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['gpt-realtime', 'whisper-1']) })
})

const query = '?model=gpt-realtime'
const settings = (model: string) => ({ type: 'realtime', audio: { input: { transcription: { model } } } })

describe('an event that names a model', () => {
  it.each([
    ['a transcriber', { session: settings('gpt-4o-transcribe') }],
    ['a transcriber of the beta', { session: { input_audio_transcription: { model: 'gpt-4o-transcribe' } } }],
    ['a transcriber in capitals', { session: { audio: { input: { Transcription: { MODEL: 'gpt-4o-transcribe' } } } } }],
    ['another model', { session: { model: 'gpt-4o-transcribe' } }],
    ['a session in capitals', { Session: settings('gpt-4o-transcribe') }],
    ['a model that no channel has', { session: settings('nowhere') }],
    ['a route', { session: { provider: { only: ['azure'] } } }],
  ])('which its key may not use is answered with an error, and the session goes on: %s', async (_, members) => {
    const client = await openSession(gateway.url, { query, headers: { 'accept-language': 'en' } })
    client.say({ type: 'session.update', event_id: 'event_1', ...members })
    expect(await client.next('error')).toMatchObject({ type: 'error', error: { event_id: 'event_1' } })
    client.say({ type: 'input_audio_buffer.clear' })
    await until(() => received().length > 0)
    expect(received()).toEqual([{ type: 'input_audio_buffer.clear' }])
    client.socket.close()
    await record()
  })

  it('is refused where it stands twice', async () => {
    const client = await openSession(gateway.url, { query })
    const [first, second] = ['gpt-4o-transcribe', 'whisper-1'].map((model) => JSON.stringify(settings(model)))
    client.socket.send(`{"type":"session.update","session":${first},"session":${second}}`)
    expect(await client.next('error')).toMatchObject({ type: 'error' })
    client.socket.close()
    await record()
    expect(received()).toEqual([])
  })

  it('which its key may use goes as it is', async () => {
    const client = await openSession(gateway.url, { query })
    const event = { type: 'session.update', session: { ...settings('whisper-1'), model: 'gpt-realtime' } }
    client.say(event)
    await until(() => received().length > 0)
    expect(received()).toEqual([event])
    client.socket.close()
    await record()
  })
})

describe('an event that names a model which is limited', () => {
  let limiter: Limiter
  const rule = (more: object) => ({
    window: 'day' as const,
    subjects: [{ kind: 'model' as const, value: 'whisper-1' }],
    ...more,
  })
  const limitBy = async (...rules: readonly object[]): Promise<void> => {
    limiter = openTestLimiter(rules.map(rule), { clock: () => Date.parse('2026-11-24T12:00:00Z') })
    await reopen({ callLimits: limiter })
    useChannels(channel({ models: new Set(['gpt-realtime', 'gpt-4o-transcribe', 'whisper-1']) }))
  }
  const usedOf = async (id: number): Promise<number> =>
    (await limiter.countersOfLimit(id)).reduce((sum, counter) => sum + counter.usedByAll, 0)

  it.each([
    ['session.update', { session: settings('whisper-1') }],
    ['transcription_session.update', { session: { input_audio_transcription: { model: 'whisper-1' } } }],
    ['session.update', { session: { model: 'whisper-1' } }],
    ['response.create', { response: { model: 'whisper-1' } }],
    ['response.create', { response: { tools: [{ type: 'psychic', model: 'whisper-1' }] } }],
  ])('counts one request for it, and is refused at its end: %s %j', async (type, members) => {
    await limitBy({ amount: 1, measure: 'requests' })
    for (const isAllowed of [true, false]) {
      upstream.sessions.splice(0)
      const client = await openSession(gateway.url, { query, headers: { 'accept-language': 'en' } })
      client.say({ type, event_id: 'e1', ...members })
      if (!isAllowed)
        expect(await client.next('error')).toMatchObject({ error: { event_id: 'e1', code: 'rate_limit_exceeded' } })
      // It counts once for a session.
      if (isAllowed) client.say({ type, ...members })
      client.say({ type: 'input_audio_buffer.clear' })
      await until(() => received().length === (isAllowed ? 3 : 1))
      client.socket.close()
      await client.closed
      expect(await usedOf(1)).toBe(1)
    }
  })

  it('counts as under way until the session is over', async () => {
    await limitBy({ amount: 1, measure: 'running', window: 'now' })
    const first = await openSession(gateway.url, { query })
    first.say({ type: 'session.update', session: settings('whisper-1') })
    await until(() => received().length === 1)
    const second = await openSession(gateway.url, { query })
    second.say({ type: 'session.update', session: settings('whisper-1') })
    await second.next('error')
    first.socket.close()
    await until(() => gateway.parts.recorder.records.length === 1)
    second.say({ type: 'session.update', session: settings('whisper-1') })
    await until(() => upstream.sessions[1]?.received.length === 1)
    second.socket.close()
  })

  it('is held for at its price, and refused where it has none', async () => {
    const prices = testPrices(priceOf('gpt-4o'))
    const dear = priceOf('gpt-4o', { modelRatio: { 'gpt-4o': 1000 } })
    await reopen({
      prices: { ...prices, of: (model: string) => ({ 'gpt-realtime': priceOf('gpt-4o'), 'whisper-1': dear })[model] },
      holds: openTestHolds(100_000),
    })
    gateway.parts.settings = { ...gateway.parts.settings, preConsumedTokens: 500 }
    useChannels(channel({ models: new Set(['gpt-realtime', 'gpt-4o-transcribe', 'whisper-1']) }))
    const client = await openSession(gateway.url, { query })
    client.say({ type: 'session.update', session: settings('whisper-1') })
    expect(await client.next('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
    client.say({ type: 'session.update', session: settings('gpt-4o-transcribe') })
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_price_error' } })
    client.socket.close()
    await record()
    expect(received()).toEqual([])
  })
})

it('ends the session where its key may not use the transcriber any more', async () => {
  const client = await openSession(gateway.url, { query })
  client.say({ type: 'session.update', session: settings('whisper-1') })
  await until(() => received().length > 0)
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['gpt-realtime']) })
  client.say({ type: 'input_audio_buffer.clear' })
  expect(await client.next('error')).toMatchObject({ error: { message: expect.stringContaining('whisper-1') } })
  expect((await client.closed).code).toBe(1008)
})

it('is refused in the address of a session', async () => {
  for (const more of ['&MODEL=gpt-4o-transcribe', '&model=gpt-4o-transcribe'])
    expect((await refusedSession(gateway.url, { query: query + more })).status).toBe(403)
})

describe('settings from before a session', () => {
  const secret = (session: object): Promise<Response> =>
    fetch(`${gateway.url}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ session }),
    })

  it('are checked when a key for browsers is made, and when it is used', async () => {
    const named = (model: string) => ({ ...settings(model), model: 'gpt-realtime' })
    expect((await secret(named('gpt-4o-transcribe'))).status).toBe(403)
    const { value } = (await (await secret(named('whisper-1'))).json()) as { value: string }
    gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['gpt-realtime']) })
    const refused = await refusedSession(gateway.url, { query: '', headers: { authorization: `Bearer ${value}` } })
    expect(refused.status).toBe(403)
    expect(upstream.sessions).toEqual([])
  })
})
