import { setTimeout as sleep } from 'node:timers/promises'
import { tokenStatus } from '@tollgate/contract'
import { describe, expect, it, vi } from 'vitest'
import { testToken } from '../support/gateway/listener.ts'
import { openSession, refusedSession, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, records, reopen, upstream, usage, useSessions } from '../support/gateway/sessions.ts'
import { quickTimeouts } from '../support/relay/timeouts.ts'

/** GET /v1/realtime: how sessions end, and those who do not read. */

useSessions()

describe('ends', () => {
  it('as the upstream ends it', async () => {
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say({
      type: 'error',
      error: { type: 'invalid_request_error', code: 'insufficient_quota', message: 'channel-key has none' },
    })
    await until(() => client.events.length === 2)
    upstream.sessions[0]?.socket.close(3000, 'bye')
    expect(await client.closed).toEqual({ code: 3000, reason: 'bye' })
    expect(client.texts.join('')).not.toContain('channel-key')
    expect(client.events.filter(({ type }) => type === 'error')).toHaveLength(1)
    await record()
    expect(gateway.parts.channels.reports.at(-1)).toMatchObject({ failure: { code: 'insufficient_quota' } })
  })

  const reopenQuick = () => reopen({ limits: { ...gateway.parts.limits, timeouts: quickTimeouts } })

  it('when a response does not go on', async () => {
    await reopenQuick()
    const client = await openSession(gateway.url)
    client.say({ type: 'response.create' })
    expect(await client.next('error')).toMatchObject({ error: { code: 'upstream_timeout' } })
    expect(await client.closed).toMatchObject({ code: 1011 })
  })

  it('not while both are silent and nothing is owed, but in the end', async () => {
    await reopenQuick()
    const begun = performance.now()
    const client = await openSession(gateway.url)
    expect(await client.next('error')).toMatchObject({ error: { code: 'session_idle' } })
    // A response that is owed may be silent for 400 ms.
    expect(performance.now() - begun).toBeGreaterThan(2000)
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(await record()).toMatchObject({ other: { end: 'closed' } })
  })

  it('when its key is switched off meanwhile, and is paid for until then', async () => {
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
    await client.next('response.done')
    gateway.tokens.set('good', { ...testToken, status: tokenStatus.disabled })
    const talking = setInterval(() => client.say({ type: 'input_audio_buffer.clear' }), 100)
    expect(await client.next('error')).toMatchObject({ error: { type: 'new_api_error' } })
    clearInterval(talking)
    expect(await client.closed).toEqual({ code: 1008, reason: 'token_disabled' })
    expect(await record()).toMatchObject({ quota: 5300, other: { end: 'closed' } })
  })

  it('when the server goes: at once, or with the response', async () => {
    const [idle, busy] = [await openSession(gateway.url), await openSession(gateway.url)]
    upstream.sessions[1]?.say(responseCreated())
    await busy.next('response.created')
    gateway.listener.endSessions('soon')
    expect(await idle.next('error')).toMatchObject({ error: { code: 'shutting_down' } })
    expect(await idle.closed).toMatchObject({ code: 1001 })
    expect(busy.socket.readyState).toBe(1)
    upstream.sessions[1]?.say(responseDone(usage))
    expect(await busy.closed).toMatchObject({ code: 1001 })
    await gateway.listener.over()
    expect(
      records()
        .map(({ quota }) => quota)
        .sort(),
    ).toEqual([0, 5300])
    expect(await refusedSession(gateway.url)).toMatchObject({ status: 503 })
  })

  it('when the server goes at once', async () => {
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say(responseCreated())
    await client.next('response.created')
    gateway.listener.endSessions('now')
    expect(await client.closed).toMatchObject({ code: 1001 })
    await gateway.listener.over()
  })

  it('when a client is gone without a word, which pings find out', async () => {
    const { limits } = gateway.parts
    await reopen({ limits: { ...limits, timeouts: { ...limits.timeouts, streamIdle: 1_000_000 } } })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const mute = await openSession(gateway.url, { autoPong: false })
      const there = await openSession(gateway.url)
      const pinged = new Promise((resolve) => there.socket.once('ping', resolve))
      vi.advanceTimersByTime(30_000)
      await pinged
      // It comes after the pong.
      there.say({ type: 'input_audio_buffer.clear' })
      await until(() => upstream.sessions.some(({ received }) => received.length > 0))
      vi.advanceTimersByTime(30_000)
      expect(await mute.closed).toMatchObject({ code: 1006 })
      expect(there.socket.readyState).toBe(1)
      expect(await record()).toMatchObject({ other: { end: 'client_gone' } })
      there.socket.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('without a trace at the upstream when the client goes during the handshake', async () => {
    upstream.refusal = 'silence'
    // Ends with the upstream.
    openSession(gateway.url).catch(() => undefined)
    await until(() => upstream.paths.length === 1)
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=a`, {
      headers: { authorization: 'Bearer sk-good' },
    })
    socket.on('error', () => {})
    await until(() => upstream.paths.length === 2)
    socket.terminate()
    await until(() => records().some(({ other }) => other.end === 'client_gone'))
  })
})

describe('a client that does not read', () => {
  it('holds back the upstream, and loses nothing', async () => {
    const client = await openSession(gateway.url)
    client.socket.pause()
    const piece = 'x'.repeat(256 * 1024)
    const count = 80
    let sent = 0
    const session = upstream.sessions[0]
    for (let index = 0; index < count; index += 1) {
      session?.socket.send(JSON.stringify({ type: 'piece', index, piece }), () => {
        sent += 1
      })
    }
    await sleep(300)
    // Not all of 20 MB is anywhere in between.
    expect(sent).toBeLessThan(count)
    client.socket.resume()
    await until(() => client.events.filter(({ type }) => type === 'piece').length === count)
    expect(client.events.filter(({ type }) => type === 'piece').map(({ index }) => index)).toEqual([
      ...Array(count).keys(),
    ])
    client.socket.close()
  })

  it('is held back when it is the upstream', async () => {
    const client = await openSession(gateway.url)
    const session = upstream.sessions[0]
    session?.socket.pause()
    const piece = 'x'.repeat(256 * 1024)
    const count = 80
    let sent = 0
    for (let index = 0; index < count; index += 1) {
      client.socket.send(JSON.stringify({ type: 'piece', index, piece }), () => {
        sent += 1
      })
    }
    await sleep(300)
    expect(sent).toBeLessThan(count)
    session?.socket.resume()
    await until(() => session?.received.length === count)
    client.socket.close()
  })
})
