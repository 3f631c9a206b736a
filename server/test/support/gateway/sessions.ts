import { afterEach, beforeEach } from 'vitest'
import type { RelayChannel, RequestRecord } from '../../../src/relay/ports.ts'
import { openTestChannels, type TestRelay, testChannel } from '../relay/ports.ts'
import { openTestGateway, type TestGateway } from './listener.ts'
import { openTestRealtime, type TestRealtime } from './realtime.ts'
import { until } from './scene.ts'

/** One gateway with one channel to one upstream that has sessions, made anew for each test that calls `useSessions`. */

export let upstream: TestRealtime
export let gateway: TestGateway

export const channel = (changes: Partial<RelayChannel> = {}): RelayChannel =>
  testChannel({ baseUrl: upstream.url, ...changes })

const open = (parts: Partial<TestRelay>): Promise<TestGateway> =>
  openTestGateway({ relay: { channels: openTestChannels(channel()), ...parts } })

/** Call it once per test file. */
export const useSessions = (): void => {
  beforeEach(async () => {
    upstream = await openTestRealtime()
    gateway = await open({})
  })
  afterEach(async () => {
    await upstream.close()
    await gateway.close()
  })
}

/** The same gateway with other parts behind it. */
export const reopen = async (parts: Partial<TestRelay>): Promise<void> => {
  await gateway.close()
  gateway = await open(parts)
}

export const useChannels = (...channels: readonly RelayChannel[]): void => {
  gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, ...channels)
}

export const records = (): readonly RequestRecord[] => gateway.parts.recorder.records

/** The first one, which may be on its way. */
export const record = async (): Promise<RequestRecord | undefined> => {
  await until(() => records().length > 0)
  return records()[0]
}

/** 100 of text, 40 from the cache and 60 of sound; 30 of text and 70 of sound. Costs 5300 where gpt-4o is priced. */
export const usage = {
  total_tokens: 300,
  input_tokens: 200,
  output_tokens: 100,
  input_token_details: {
    text_tokens: 120,
    audio_tokens: 80,
    cached_tokens: 40,
    cached_tokens_details: { text_tokens: 20, audio_tokens: 20 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 70 },
}
