import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestRealtime, type TestRealtime } from '../../../test/support/gateway/realtime.ts'
import { openTestChannels, openTestRelay, testChannel } from '../../../test/support/relay/ports.ts'
import { endAbandonedWebCalls } from './abandoned-web-calls.ts'

let upstream: TestRealtime

beforeEach(async () => {
  upstream = await openTestRealtime()
})
afterEach(() => upstream.close())

const end = async (channelId: number, keyHash = 'unknown'): Promise<readonly string[]> => {
  const logged: string[] = []
  const channel = testChannel({ id: 3, baseUrl: upstream.url, keys: ['sk-a', 'sk-b'] })
  const relay = openTestRelay({ channels: openTestChannels(channel) })
  const log = (event: string, fields: object): void => void logged.push(`${event} ${JSON.stringify(fields)}`)
  const parts = { ...relay, log, pauses: [1, 1] }
  const calls = [{ id: 'rtc_9', keyHash, requestId: 'r', channelId }]
  await endAbandonedWebCalls(calls, parts, new AbortController().signal)
  return logged
}

it('hangs up with the key that placed the call', async () => {
  const { storedResponses } = openTestRelay()
  expect(await end(3, storedResponses.keyHashOf('sk-b'))).toEqual([
    'left_web_call_ended {"request_id":"r","channel":3}',
  ])
  expect(upstream.posts).toMatchObject([{ path: '/v1/realtime/calls/rtc_9/hangup', key: 'Bearer sk-b' }])
})

it('takes another key of the channel where that one was replaced', async () => {
  await end(3)
  expect(upstream.posts).toMatchObject([{ key: 'Bearer sk-a' }])
})

it('takes a call that the provider does not know for one that is over', async () => {
  upstream.hungUp = [404]
  expect(await end(3)).toMatchObject([expect.stringContaining('left_web_call_ended')])
})

it('tries again while the provider fails, and says which call goes on', async () => {
  upstream.hungUp = [503, 503, 200]
  expect(await end(3)).toMatchObject([expect.stringContaining('left_web_call_ended')])
  expect(upstream.posts).toHaveLength(3)
  upstream.hungUp = [503, 503, 503]
  expect(await end(3)).toEqual(['left_web_call_goes_on {"request_id":"r","channel":3,"reason":"status 503"}'])
  expect(await end(4)).toMatchObject([expect.stringContaining('its channel was deleted')])
})
