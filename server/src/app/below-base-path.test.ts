import { request as startRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRightsSite, type RightsSite, rootPassword } from '../../test/rights/site.ts'

/** The status with which the site answers a request for a WebSocket, and the text. */
const askForSocket = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const request = startRequest(url, { headers })
    request.on('error', reject)
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve('a socket')
    })
    request.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve(`${response.statusCode} ${Buffer.concat(chunks)}`)
    })
    request.end()
  })

describe('a site below a base path', () => {
  let site: RightsSite
  let withoutPath: RightsSite

  beforeAll(async () => {
    ;[site, withoutPath] = await Promise.all([openRightsSite({ BASE_PATH: '/gw/' }), openRightsSite()])
  })
  afterAll(async () => {
    await site?.close()
    await withoutPath?.close()
  })

  const get = (path: string, headers: Record<string, string> = {}) => site.ask({ method: 'GET', path, headers })
  const signIn = (place: RightsSite, path: string) =>
    place.ask({ method: 'POST', path, body: { username: 'root', password: rootPassword } })

  it.each([
    '/api/status',
    '/v1/models',
    '/livez',
    '/healthz',
    '/readyz',
    '/log',
    '/scim/v2/1/Users',
    '/.well-known/tollgate-receipts.json',
  ])('answers %s behind a proxy that takes the path away and behind one that leaves it', async (path) => {
    const [stripped, whole, outside] = await Promise.all([
      get(path),
      get(`/gw${path}`),
      withoutPath.ask({ method: 'GET', path }),
    ])
    expect(stripped.status).toBe(outside.status)
    expect(whole.status).toBe(outside.status)
    expect(whole.status).not.toBe(404)
    expect(whole.headers.get('content-type')).toBe(outside.headers.get('content-type'))
  })

  it('takes calls of providers about jobs, with and without the path', async () => {
    for (const path of ['/gw/hooks/jobs/none/token', '/hooks/jobs/none/token']) {
      const answer = await site.ask({ method: 'POST', path, body: {} })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
    }
  })

  it('takes the path away once, and only where it is a whole part of the path', async () => {
    expect((await get('/gw/gw/api/status')).status).toBe(404)
    expect((await get('/gway/api/status')).status).toBe(404)
    expect((await get('/gw?a=1', { accept: 'text/html' })).status).toBe(
      (await get('/', { accept: 'text/html' })).status,
    )
  })

  it('opens sockets with and without the path', async () => {
    const outside = await askForSocket(`${withoutPath.url}/v1/realtime?model=none`)
    const withoutId = (text: string) => text.replace(/request id: [^)"]+/g, '')
    expect(withoutId(await askForSocket(`${site.url}/gw/v1/realtime?model=none`))).toBe(withoutId(outside))
    expect(withoutId(await askForSocket(`${site.url}/v1/realtime?model=none`))).toBe(withoutId(outside))
  })

  it('keeps its cookies to itself', async () => {
    expect((await signIn(site, '/gw/api/user/login')).headers.get('set-cookie')).toContain('; Path=/gw;')
    expect((await signIn(withoutPath, '/api/user/login')).headers.get('set-cookie')).toContain('; Path=/;')
  })

  it('sends browsers on below the path', async () => {
    const leave = '/api/sso/nowhere/slo'
    expect((await get(`/gw${leave}`)).headers.get('location')).toBe('/gw/login?done=loggedOut')
    expect((await withoutPath.ask({ method: 'GET', path: leave })).headers.get('location')).toBe(
      '/login?done=loggedOut',
    )
  })

  it('has the path in its address, however the operator wrote it', async () => {
    const cookie = (await signIn(site, '/api/user/login')).headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, 'new-api-user': '1' }
    const save = (value: string) =>
      site.ask({ method: 'PUT', path: '/api/option/', headers, body: { key: 'ServerAddress', value } })
    const address = async () => (await get('/api/status')).json.data
    expect(await address()).toMatchObject({ server_address: '' })
    for (const written of ['https://ai.test', 'https://ai.test/gw', 'https://ai.test/gw/']) {
      expect((await save(written)).json.success).toBe(true)
      expect(await address()).toMatchObject({ server_address: 'https://ai.test/gw' })
    }
  })

  it('believes no request that names another path', async () => {
    const named = await get('/log', { 'x-forwarded-prefix': '/other', accept: 'text/html' })
    expect(named.text).toBe((await get('/log', { accept: 'text/html' })).text)
    expect((await get('/other/api/status', { 'x-forwarded-prefix': '/other' })).status).toBe(404)
    expect((await withoutPath.ask({ method: 'GET', path: '/gw/api/status' })).status).toBe(404)
  })
})
