import { expect, it } from 'vitest'
import { testRateLimiter } from '../../../test/support/limits/limiter.ts'
import { createRequestContexts } from '../../http/request-context.ts'
import { openChannelHooks } from '../../jobs/channel-hooks.ts'
import { silentLog } from '../../lib/log.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { channelHookListener } from './channel-listener.ts'

const openListener = (nudge?: (channel: number, id: string) => Promise<unknown>) => {
  const nudged: [number, string][] = []
  const secrets = openSecrets({ cryptoSecret: 'one', keyFile: '' })
  const channelHooks = openChannelHooks({ secrets, serverAddress: () => 'https://gate.example.com' })
  channelHooks.listen(nudge ?? (async (channel, id) => nudged.push([channel, id])))
  const warned: string[] = []
  const { fetch } = channelHookListener(
    {
      channelHooks,
      config: { rateLimits: { api: { enabled: true, count: 3, seconds: 60 } } },
      log: { warn: (event) => void warned.push(event) },
    },
    {
      limiter: testRateLimiter({ clock: () => 0 }),
      requestContexts: createRequestContexts({ trustedProxies: [], log: silentLog }),
    },
  )
  const call = async (url: string, body: unknown = {}, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = new Request(url, { method, ...(method === 'POST' ? { body: text } : {}) })
    const answer = await fetch(request, { address: '192.0.2.1' })
    return [answer.status, await answer.text()]
  }
  return { call, nudged, warned, address: channelHooks.addressOf(12) ?? '' }
}

it('nudges the work of a channel that an event of OpenAI or Gemini names', async () => {
  const { call, nudged, address } = openListener()
  expect(address).toMatch(/^https:\/\/gate\.example\.com\/hooks\/channels\/12\.[0-9a-f]{64}$/)
  const event = { id: 'evt_1', object: 'event', created_at: 1, type: 'batch.completed', data: { id: 'batch_abc' } }
  expect(await call(address, event)).toEqual([200, '{}'])
  expect(await call(address, { type: 'batch.succeeded', version: 'v1', data: { id: 'batches/xyz' } })).toEqual([
    200,
    '{}',
  ])
  expect(nudged).toEqual([
    [12, 'batch_abc'],
    [12, 'xyz'],
  ])
})

it('answers the same for whatever else is in a call, of which it reads no more than a bound', async () => {
  const { call, nudged, address } = openListener()
  const bodies = [
    ...['', 'no JSON', '[]', 'null', { data: 'batch' }, { data: { id: 7 } }, { data: { id: '' } }, {}],
    { data: { id: 'x'.repeat(201) } },
    { data: { id: 'batch_abc' }, more: 'x'.repeat(70_000) },
  ]
  for (const body of bodies) expect(await call(address, body)).toEqual([200, '{}'])
  expect(nudged).toEqual([])
})

it('is not found without the token of the channel, and limits guesses', async () => {
  const { call, nudged, address } = openListener()
  const event = { data: { id: 'batch_abc' } }
  expect(await call(address.replace('/12.', '/13.'), event)).toEqual([404, '{}'])
  expect(await call(`${address}/more`, event)).toEqual([404, '{}'])
  expect(await call(address, event, 'GET')).toEqual([404, '{}'])
  expect(await call(address, event)).toEqual([429, '{}'])
  expect(nudged).toEqual([])
})

it('asks for another call while the database does not answer', async () => {
  const { call, warned, address } = openListener(async () => {
    throw new Error('no database')
  })
  expect(await call(address, { data: { id: 'batch_abc' } })).toEqual([503, '{}'])
  expect(warned).toEqual(['job_hook_failed'])
})
