import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { isNewer, newestIn } from './newest.ts'
import { createReleases } from './releases.ts'
import { releaseRoutes } from './routes.ts'

const release = (tag: string, more: Record<string, unknown> = {}) => ({
  tag_name: tag,
  name: `Tollgate ${tag}`,
  body: '## Changes',
  html_url: `https://example.com/${tag}`,
  published_at: '2026-11-01T10:00:00Z',
  ...more,
})

describe('versions', () => {
  it.each([
    ['v0.2.0', 'v0.1.9', true],
    ['v0.10.0', 'v0.9.0', true],
    ['1.0', 'v1.0.0', false],
    ['v1.0.1', '1.0', true],
    ['nightly', 'v0.1.0', false],
  ])('%s after %s: %s', (a, b, newer) => {
    expect(isNewer(a, b)).toBe(newer)
  })
})

describe('the newest of a list', () => {
  it('is the highest finished one, whatever the order', () => {
    const list = [
      release('v0.9.0'),
      release('v0.10.0'),
      release('v2.0.0', { prerelease: true }),
      release('v3', { draft: true }),
    ]
    expect(newestIn(JSON.stringify(list))).toEqual({
      tag: 'v0.10.0',
      name: 'Tollgate v0.10.0',
      notes: '## Changes',
      url: 'https://example.com/v0.10.0',
      published_at: 1_793_527_200,
    })
  })

  it('may be a single release, and may be missing', () => {
    expect(newestIn(JSON.stringify(release('v1')))?.tag).toBe('v1')
    expect(newestIn('[]')).toBeNull()
  })

  it('keeps no address that is not of the web', () => {
    expect(newestIn(JSON.stringify(release('v1', { html_url: 'javascript:alert(1)' })))?.url).toBe('')
  })
})

describe('the check for updates', () => {
  const closers: (() => void)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  /** A release list on this machine. */
  const site = async (answer: () => { status?: number; body: string }) => {
    const agents: (string | undefined)[] = []
    const server = createServer((request, response) => {
      agents.push(request.headers['user-agent'])
      const { status = 200, body } = answer()
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    return { agents, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases` }
  }

  const checker = (address: string, clock = () => 0) => {
    const releases = createReleases({
      version: 'v0.1.0',
      address: () => address,
      egress: createEgressGuard({ allow: [], operator: true }),
      read: async (url) => {
        const response = await fetch(url, { headers: { 'user-agent': 'tollgate/test' } })
        return { status: response.status, text: await response.text() }
      },
      clock,
    })
    return signedIn((on) => releaseRoutes(on, releases), { role: 10 })
  }

  it('says that it is not set up while no list is set', async () => {
    const { json } = await checker('')('GET', '/api/system/releases')
    expect(json.data).toEqual({ configured: false, current: 'v0.1.0', newer: false, newest: null })
  })

  it('shows admins a newer release, with one request in ten minutes', async () => {
    let now = 0
    const { url, agents } = await site(() => ({ body: JSON.stringify([release('v0.2.0')]) }))
    const call = checker(url, () => now)
    const first = await call('GET', '/api/system/releases')
    expect(first.json.data).toMatchObject({ configured: true, newer: true, newest: { tag: 'v0.2.0' } })
    await call('GET', '/api/system/releases')
    expect(agents).toHaveLength(1)
    now = 10 * 60_000
    await call('GET', '/api/system/releases')
    expect(agents).toHaveLength(2)
  })

  it('says so when the list cannot be read, and asks again the next time', async () => {
    let broken = true
    const { url } = await site(() => (broken ? { status: 403, body: '{}' } : { body: '[]' }))
    const call = checker(url)
    expect((await call('GET', '/api/system/releases')).json).toMatchObject({
      success: false,
      message: '检查更新失败，请稍后再试',
    })
    broken = false
    expect((await call('GET', '/api/system/releases')).json.data).toMatchObject({ configured: true, newest: null })
  })

  it('asks no metadata service of a cloud', async () => {
    const call = checker('http://169.254.169.254/latest')
    expect((await call('GET', '/api/system/releases')).json.code).toBe('releases_failed')
  })

  it('fails with the same text for anything but a release list', async () => {
    const { url } = await site(() => ({ body: '<html>' }))
    expect((await checker(url)('GET', '/api/system/releases')).json.code).toBe('releases_failed')
  })
})
