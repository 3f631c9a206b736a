import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from '../../../test/support/gateway/listener.ts'
import { openTestUpstream, type TestUpstream } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../../../test/support/relay/ports.ts'
import { openReservedMemory } from '../../lib/memory/reserved-memory.ts'

const mebibyte = 1024 * 1024

describe('bodies beyond the memory for them', () => {
  // 2 MB of bodies for one user.
  const most = 2 * mebibyte
  let upstream: TestUpstream
  let gateway: TestGateway

  beforeEach(async () => {
    upstream = await openTestUpstream()
    gateway = await openTestGateway({
      relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), keepAliveMs: 60_000 },
      gateway: { maxRequestBytes: 64 * mebibyte },
      keptMemory: openReservedMemory((most * 5) / 0.15 / 0.75),
    })
  })
  afterEach(async () => {
    await gateway.close()
    await upstream.close()
  })

  const bodyOf = (bytes: number): string =>
    JSON.stringify({ model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'x'.repeat(bytes) }] })

  const send = (body: string | Uint8Array<ArrayBuffer>, path = '/v1/chat/completions', headers = {}) =>
    fetch(gateway.url + path, { method: 'POST', headers: { authorization: 'Bearer sk-good', ...headers }, body })

  /** A request that has said how long its body is, and sends nothing of it until `finish`. */
  const openSlow = async (bytes: number): Promise<{ finish(): Promise<number> }> => {
    const call = request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-length': bytes, expect: '100-continue' },
    })
    call.flushHeaders()
    await once(call, 'continue')
    return {
      async finish() {
        const answered = once(call, 'response')
        call.end(bodyOf(bytes - bodyOf(0).length))
        const [answer] = await answered
        answer.resume()
        return answer.statusCode
      },
    }
  }

  it('are refused for a moment, in the dialect of the client, and taken again when a call is over', async () => {
    const slow = await openSlow(1.5 * mebibyte)
    const refused = await send(bodyOf(mebibyte))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ error: { code: 'bodies_full' } })
    const anthropic = await send(bodyOf(mebibyte), '/v1/messages')
    expect([anthropic.status, await anthropic.json()]).toMatchObject([503, { type: 'error' }])
    const gemini = await send(bodyOf(mebibyte), '/v1beta/models/m:generateContent')
    expect(await gemini.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
    expect((await send(bodyOf(1000))).status).toBe(200)
    expect(await slow.finish()).toBe(200)
    expect((await send(bodyOf(1.9 * mebibyte))).status).toBe(200)
    expect((await send(bodyOf(1.9 * mebibyte))).status).toBe(200)
  })

  it('are counted as they come where nobody says how long they are, and after they are unpacked', async () => {
    const slow = await openSlow(1.5 * mebibyte)
    const pieces = ReadableStream.from(Array.from({ length: 16 }, () => new Uint8Array(64 * 1024)))
    const init = { method: 'POST', headers: { authorization: 'Bearer sk-good' }, body: pieces, duplex: 'half' as const }
    expect((await fetch(`${gateway.url}/v1/chat/completions`, init)).status).toBe(503)
    const packed = new Uint8Array(gzipSync(bodyOf(mebibyte)))
    const gzip = { 'content-encoding': 'gzip' }
    expect((await send(packed, undefined, gzip)).status).toBe(503)
    await slow.finish()
    expect((await send(packed, undefined, gzip)).status).toBe(200)
  })

  it('are too large for good where none would fit', async () => {
    const answer = await send(bodyOf(2 * mebibyte))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([413, null])
  })
})
