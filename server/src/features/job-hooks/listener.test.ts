import { expect, it } from 'vitest'
import { testRateLimiter } from '../../../test/support/limits/limiter.ts'
import { createRequestContexts } from '../../http/request-context.ts'
import { openJobHooks } from '../../jobs/job-hooks.ts'
import { silentLog } from '../../lib/log.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { jobHookListener } from './listener.ts'

const openListener = (nudge: (id: string) => Promise<boolean>) => {
  const secrets = openSecrets({ cryptoSecret: 'one', keyFile: '' })
  const jobHooks = openJobHooks({ secrets, serverAddress: () => 'https://gate.example.com' })
  jobHooks.listen('song', nudge)
  const warned: string[] = []
  const { path, fetch } = jobHookListener(
    {
      jobHooks,
      config: { rateLimits: { api: { enabled: true, count: 3, seconds: 60 } } },
      log: { warn: (event) => void warned.push(event) },
    },
    {
      limiter: testRateLimiter({ clock: () => 0 }),
      requestContexts: createRequestContexts({ trustedProxies: [], log: silentLog }),
    },
  )
  const call = async (url: string, { body = '', from = '192.0.2.1', method = 'POST' } = {}) => {
    const request = new Request(url, { method, ...(method === 'POST' ? { body } : {}) })
    const answer = await fetch(request, { address: from })
    return [answer.status, await answer.text()]
  }
  return { path, call, warned, address: jobHooks.addressOf('song', 'song_1') ?? '' }
}

it('nudges the job of a token, whatever the body holds, and no more often than it is called', async () => {
  const nudged: string[] = []
  const { call, address } = openListener(async (id) => nudged.push(id) > 0)
  for (const body of ['', 'no JSON', '{"status":"succeeded"}', '[]', 'null', '{"challenge":7}', 'x'.repeat(100_000)])
    expect(await call(address, { body })).toEqual([200, '{}'])
  expect(nudged).toEqual(Array(7).fill('song_1'))
})

it('sends a challenge back without a look at the job', async () => {
  const { call, address } = openListener(() => Promise.reject(new Error('not asked')))
  expect(await call(address, { body: '{"challenge":"<b>1"}' })).toEqual([200, '{"challenge":"<b>1"}'])
})

it('says that it failed, so that the provider calls again', async () => {
  const { call, address, warned } = openListener(() => Promise.reject(new Error('the database is away')))
  expect(await call(address)).toEqual([503, '{}'])
  expect(warned).toEqual(['job_hook_failed'])
})

it('does not find jobs that are gone, other methods and other tokens, of which an address may try a few', async () => {
  const { path, call, address } = openListener(async () => false)
  const unknown = `https://gate.example.com${path}/song/song_1.${'0'.repeat(64)}`
  for (let times = 0; times < 5; times++) expect(await call(address)).toEqual([404, '{}'])
  expect(await call(address, { method: 'GET' })).toEqual([404, '{}'])
  expect(await call(unknown)).toEqual([404, '{}'])
  expect(await call(`https://gate.example.com${path}`)).toEqual([404, '{}'])
  expect(await call(unknown)).toEqual([429, '{}'])
  expect(await call(unknown, { from: '192.0.2.2' })).toEqual([404, '{}'])
})
