import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { testList } from '../support/billing/list.ts'
import { priceOf } from '../support/billing/price.ts'
import { openSession, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, records, reopen, upstream, usage, useSessions } from '../support/gateway/sessions.ts'
import { openTestHolds, testOptions, testPrices } from '../support/relay/ports.ts'

/** GET /v1/realtime: what sessions cost. */

useSessions()

describe('the bill', () => {
  it('adds up what the responses report', async () => {
    const client = await openSession(gateway.url)
    client.say({ type: 'response.create' })
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage), responseCreated('2'), responseDone(usage, '2'))
    await client.next('response.done')
    await client.next('response.done')
    client.socket.close(1000)
    // gpt-4o: 1.25 × (in 100, cached 40 × 0.5, sound 60 × 20, out 30 × 4, sound out 70 × 20 × 2), twice; by hand:
    // 100 + 20 + 1200 + 120 + 2800 = 4240; × 2 × 1.25 = 10600.
    expect(await record()).toMatchObject({
      kind: 'charge',
      quota: 10_600,
      promptTokens: 400,
      completionTokens: 200,
      isStream: true,
      other: {
        ws: true,
        end: 'done',
        audio_input: 120,
        audio_output: 140,
        text_input: 200,
        text_output: 60,
        cache_tokens: 80,
      },
      receipt: { estimated: false, quota: 10_600 },
    })
    expect(records()).toHaveLength(1)
    expect(records()[0]?.content).toContain('音频倍率')
    const [first, ...others] = gateway.parts.holds.ends
    expect(first?.end).toBe(10_600)
    expect(others.length).toBeGreaterThan(0)
    expect(others.every(({ end }) => end === 'released')).toBe(true)
  })

  it('names the program that opened the session', async () => {
    const headers = { 'user-agent': 'codex_cli_rs/0.171.0 (Debian 12.0.0; x86_64)' }
    const client = await openSession(gateway.url, { headers })
    client.say({ type: 'response.create' })
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
    await client.next('response.done')
    client.socket.close(1000)
    expect(await record()).toMatchObject({ kind: 'charge', other: { client: 'Codex' } })
  })

  it('has what the session costs at its provider beside the charge', async () => {
    const costs = createChannelPrices({ list: testList({ 'gpt-realtime': [5, 20] }), quotaPerUnit: 500_000 })
    await reopen({ costs })
    const client = await openSession(gateway.url)
    client.say({ type: 'response.create' })
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
    await client.next('response.done')
    client.socket.close(1000)
    // 200 tokens in at 5 dollars a million and 100 out at 20: 0.003 dollars.
    expect(await record()).toMatchObject({ cost: 1500, other: { admin_info: { cost: { quota: 1500 } } } })
    expect(gateway.parts.recorder.begins[0]?.upstreamPrice?.version).toBe('list 1')
  })

  it('estimates audio without reported usage: a second in is 27 tokens, a second out 13', async () => {
    const second = Buffer.alloc(48_000).toString('base64')
    const client = await openSession(gateway.url)
    client.say({ type: 'input_audio_buffer.append', audio: second }, { type: 'response.create' })
    await until(() => upstream.sessions[0]?.received.length === 2)
    upstream.sessions[0]?.say(responseCreated(), { type: 'response.audio.delta', delta: second }, responseDone(null))
    await client.next('response.done')
    client.socket.close(1000)
    // 27 × 20 + 13 × 20 × 2 = 1060; × 1.25 = 1325.
    expect(await record()).toMatchObject({
      quota: 1325,
      other: { audio_input: 27, audio_output: 13 },
      receipt: { estimated: true },
    })
  })

  it('is nothing for a session in which nothing was said', async () => {
    const client = await openSession(gateway.url)
    await client.next('session.created')
    client.socket.close(1000)
    expect(await record()).toMatchObject({
      kind: 'charge',
      quota: 0,
      receipt: { estimated: false },
      other: { end: 'done' },
    })
    expect(gateway.parts.holds.ends.map(({ end }) => end)).toEqual([0])
  })

  it('is the price of a call where there is one, once, as soon as there was a response', async () => {
    await reopen({ prices: testPrices({ ...priceOf('gpt-4o'), perCall: decimal(0.1) }) })
    const session = await openSession(gateway.url)
    session.say({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') })
    await until(() => upstream.sessions[0]?.received.length === 1)
    session.socket.close(1000)
    expect(await record()).toMatchObject({ quota: 0 })
    const client = await openSession(gateway.url)
    upstream.sessions[1]?.say(responseCreated(), responseDone(usage), responseCreated('2'), responseDone(usage, '2'))
    await client.next('response.done')
    await client.next('response.done')
    client.socket.close(1000)
    await until(() => records().length === 2)
    expect(records()[1]).toMatchObject({
      quota: 50_000,
      receipt: { mode: 'call', lines: [{ item: 'call', quantity: 1 }] },
    })
  })

  it('goes on until the money is used up, and then the session ends', async () => {
    // One of them costs 5300; the reservation is 625.
    await reopen({ holds: openTestHolds(9000) })
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
    await client.next('response.done')
    await sleep(50)
    expect(client.events.some(({ type }) => type === 'error')).toBe(false)
    upstream.sessions[0]?.say(responseCreated('2'), responseDone(usage, '2'))
    const { error } = await client.next('error')
    expect(error).toMatchObject({ type: 'new_api_error', code: 'insufficient_user_quota' })
    expect(await client.closed).toEqual({ code: 1008, reason: 'insufficient_user_quota' })
    expect(await upstream.sessions[0]?.closed).toBe(1000)
    expect(await record()).toMatchObject({ kind: 'charge', quota: 10_600, other: { end: 'out_of_quota' } })
  })

  it('has what was produced when the client goes in the middle', async () => {
    const client = await openSession(gateway.url)
    client.say({ type: 'response.create', response: { instructions: 'abcd' } })
    await until(() => upstream.sessions[0]?.received.length === 1)
    upstream.sessions[0]?.say(responseCreated(), { type: 'response.output_text.delta', delta: 'ninechars' })
    await client.next('response.output_text.delta')
    client.socket.terminate()
    // The counter of tests counts characters: 4 in, 9 out × 4.
    expect(await record()).toMatchObject({
      kind: 'charge',
      promptTokens: 4,
      completionTokens: 9,
      quota: 50,
      other: { end: 'client_gone' },
      receipt: { estimated: true },
    })
    expect(await upstream.sessions[0]?.closed).toBe(1000)
  })

  it('waits for the report where streams are read to their end', async () => {
    const { limits } = gateway.parts
    await reopen({ limits: { ...limits, timeouts: { ...limits.timeouts, streamIdle: 60_000 } } })
    gateway.parts.settings = { ...testOptions, onClientGone: 'finish' }
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated())
    await client.next('response.created')
    client.socket.terminate()
    await sleep(100)
    expect(records()).toEqual([])
    upstream.sessions[0]?.say(responseDone(usage))
    expect(await record()).toMatchObject({ quota: 5300, other: { end: 'client_gone' }, receipt: { estimated: false } })
  })

  it('has what was produced when the upstream breaks, and the client gets an error', async () => {
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage), responseCreated('2'))
    await client.next('response.done')
    upstream.sessions[0]?.socket.terminate()
    expect(await client.next('error')).toMatchObject({ error: { code: 'upstream_broke', type: 'upstream_error' } })
    expect(await client.closed).toMatchObject({ code: 1011 })
    expect(await record()).toMatchObject({ quota: 5300, other: { end: 'upstream_broke' } })
    expect(gateway.parts.channels.reports).toMatchObject([
      { failure: undefined },
      { failure: { code: 'upstream_broke' } },
    ])
  })

  it('is written down before the session ends', async () => {
    const client = await openSession(gateway.url)
    let closed = false
    void client.closed.then(() => (closed = true))
    gateway.parts.recorder.beforeEnd = async () => {
      await sleep(50)
      expect(closed).toBe(false)
    }
    upstream.sessions[0]?.socket.close(1000)
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(records()).toHaveLength(1)
  })

  it('costs nothing when it cannot be journaled, and the client gets an error', async () => {
    const client = await openSession(gateway.url)
    gateway.parts.recorder.beforeEnd = () => {
      throw new Error('disk')
    }
    upstream.sessions[0]?.socket.close(1000)
    expect(await client.next('error')).toMatchObject({ error: { code: 'internal_error' } })
    await client.closed
    expect(gateway.parts.holds.ends.map(({ end }) => end)).toEqual(['released'])
  })

  it('is marked on its way, also what is said just before a silence', async () => {
    const marks: unknown[] = []
    gateway.parts.recorder.progress = (_, used) => marks.push(used)
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
    await client.next('response.done')
    await until(() => marks.length >= 2)
    expect(gateway.parts.recorder.begins).toHaveLength(1)
    expect(gateway.parts.recorder.begins[0]).toMatchObject({ model: 'gpt-realtime', channelId: 1, isStream: true })
    expect(marks.at(-1)).toMatchObject({ input: 100, cacheRead: 20, audioInput: 60, output: 30, audioOutput: 70 })
    expect(marks.at(-1)).toMatchObject({ more: { audio_cache_read: 20 } })
    client.socket.close()
    await record()
  })
})
