import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoint } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { testApi } from '../../test/support/http/console.ts'
import { testRateLimiter } from '../../test/support/limits/limiter.ts'
import { silentLog } from '../lib/log.ts'
import { createConsoleListener } from './listener.ts'
import { createRequestContexts } from './request-context.ts'
import { createSite } from './site/static.ts'

const echo = endpoint({
  method: 'POST',
  path: '/api/echo/',
  access: 'visitor',
  summary: '',
  body: z.object({ text: z.string() }),
  data: z.string(),
})

const server = createServer()
let base = ''

beforeAll(async () => {
  const api = testApi({ callers: { bySession: async () => undefined, byAccessToken: async () => undefined } })
  api.on(echo, ({ body, ip }) => ({ data: `${body.text.length} from ${ip}` }))
  const site = createSite({
    directory: join(tmpdir(), 'tollgate-no-such-build'),
    status: () => ({}),
    limiter: testRateLimiter({ clock: Date.now }),
    webLimit: { enabled: false, count: 0, seconds: 1 },
    redirectTo: undefined,
    requestContexts: createRequestContexts({ trustedProxies: [], log: silentLog }),
  })
  const served = [{ path: '/other', fetch: async ({ url }: Request) => new Response(new URL(url).pathname) }]
  server.on('request', createConsoleListener({ api, served, site }))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = (body: NonNullable<RequestInit['body']>, more: RequestInit = {}) =>
  fetch(`${base}/api/echo`, { method: 'POST', body, ...more })

it('carries the API over a real socket', async () => {
  const answer = await post(JSON.stringify({ text: 'hello' }))
  expect(await answer.json()).toEqual({ success: true, message: '', data: '5 from 127.0.0.1' })
})

it('stops reading a chunked body past a megabyte', async () => {
  const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += chunk.length
      if (sent > 8 * 1024 * 1024) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const answer = await post(endless, { duplex: 'half' } as RequestInit)
  expect(await answer.json()).toMatchObject({ success: false, code: 'body_too_large' })
})

it('gives a path of a module to the module, in capital or small letters, and no path that only begins alike', async () => {
  const texts = ['/other', '/Other/one', '/others'].map(async (path) => (await fetch(`${base}${path}`)).text())
  expect(await Promise.all(texts)).toEqual(['/other', '/Other/one', expect.stringContaining('has not been built')])
})

it('gives every other path to the site', async () => {
  const answer = await fetch(`${base}/token`)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('has not been built')])
  expect((await fetch(`${base}/api/none`)).status).toBe(404)
})
