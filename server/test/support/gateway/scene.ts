import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach } from 'vitest'
import type { RelayChannel, RequestRecord } from '../../../src/relay/ports.ts'
import { openTestChannels, type TestRelay, testChannel } from '../relay/ports.ts'
import { openTestGateway, type TestGateway } from './listener.ts'
import { openTestUpstream, type TestUpstream } from './upstream.ts'

/** One gateway with one channel to one scripted upstream, made anew for each test that calls `useScene`. */

export let upstream: TestUpstream
export let gateway: TestGateway

export const channel = (changes: Partial<RelayChannel> = {}): RelayChannel =>
  testChannel({ baseUrl: upstream.url, ...changes })

const open = (parts: Partial<TestRelay>): Promise<TestGateway> =>
  openTestGateway({ relay: { channels: openTestChannels(channel()), keepAliveMs: 60_000, ...parts } })

/** Call it once per test file. */
export const useScene = (): void => {
  beforeEach(async () => {
    upstream = await openTestUpstream()
    gateway = await open({})
  })
  afterEach(async () => {
    await gateway.close()
    await upstream.close()
  })
}

/** The same gateway with other parts behind it. */
export const reopenGateway = async (parts: Partial<TestRelay>): Promise<void> => {
  await gateway.close()
  gateway = await open(parts)
}

export const useChannels = (...channels: readonly RelayChannel[]): void => {
  gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, ...channels)
}

export const ask = (body: string | Record<string, unknown>, path = '/v1/chat/completions'): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', 'accept-language': 'zh' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const hi = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
export const hiStream = { ...hi, stream: true }
export const lastRecord = (): RequestRecord | undefined => gateway.parts.recorder.records.at(-1)
export const holdEnds = (): unknown[] => gateway.parts.holds.ends.map(({ end }) => end)
export const sentBody = (): string => upstream.received.at(-1)?.body.toString() ?? ''

/** A streamed call whose bytes the test reads itself. */
export const openStream = async (body: Record<string, unknown> = hiStream): Promise<IncomingMessage> => {
  const call = request(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    agent: false,
  })
  call.on('error', () => {})
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return response
}

export const until = async (fact: () => boolean): Promise<void> => {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 5))
}
