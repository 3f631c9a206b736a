import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRateLimiter } from '../../../test/support/limits/limiter.ts'
import { silentLog } from '../../lib/log.ts'
import { createRequestContexts } from '../request-context.ts'
import { joinOrigins, noOrigins, originsOf } from './policy.ts'
import { listSiteFiles } from './site-files.ts'
import { createSite, type SiteParts } from './static.ts'

const directory = mkdtempSync(join(tmpdir(), 'tollgate-site-'))
const script = 'console.log("console")\n'.repeat(50)

beforeAll(() => {
  mkdirSync(join(directory, 'assets'))
  mkdirSync(join(directory, '.vite'))
  writeFileSync(join(directory, '.vite', 'manifest.json'), '{}')
  const pages = ['/', '/channel', '/chat/$id', '/user', '/user/edit', '/user/edit/$id', '/token', '/log']
  const started = {
    ...Object.fromEntries(pages.map((page) => [page, { scripts: [], styles: [] }])),
    '/log': { scripts: ['assets/log-d4e5.js'], styles: ['assets/log-f6a7.css'], early: 'askForLogs($&)' },
  }
  writeFileSync(join(directory, '.vite', 'page-files.json'), JSON.stringify(started))
  writeFileSync(join(directory, 'assets', 'main-a1b2c3.js'), script)
  writeFileSync(join(directory, 'assets', 'main-a1b2c3.js.br'), 'brotli')
  writeFileSync(join(directory, 'assets', 'main-a1b2c3.js.gz'), 'gzip')
  writeFileSync(join(directory, 'assets', 'main-a1b2c3.js.map'), '{}')
  writeFileSync(join(directory, 'logo.svg'), '<svg/>')
  writeFileSync(
    join(directory, 'index.html'),
    '<html><head><title>Tollgate</title><link rel="icon" href="/favicon.svg" /><script>early()</script><script type="application/json" id="status">__BOOTSTRAP__</script></head><body><svg class="frame-mark"><rect/></svg><span class="frame-name">Tollgate</span></body></html>',
  )
})
afterAll(() => rmSync(directory, { recursive: true }))

const site = (more: Partial<SiteParts> = {}) =>
  createSite({
    directory,
    status: () => ({ system_name: 'Tollgate', footer_html: '</script><script>alert(1)</script>$&' }),
    limiter: testRateLimiter({ clock: () => 0 }),
    webLimit: { enabled: true, count: 3, seconds: 60 },
    redirectTo: undefined,
    requestContexts: createRequestContexts({ trustedProxies: [], log: silentLog }),
    ...more,
  })

const get = async (
  path: string,
  headers: Record<string, string> = {},
  more: Partial<SiteParts> = {},
  method = 'GET',
) => {
  const { fetch } = site(more)
  return fetch(new Request(`http://console.test${path}`, { headers, method }), { address: '1.1.1.1' })
}

describe('files of the build', () => {
  it('are read when somebody asks, within a bound of memory, and are gone with the build', async () => {
    const place = mkdtempSync(join(tmpdir(), 'tollgate-site-'))
    writeFileSync(join(place, 'one.txt'), '12345')
    writeFileSync(join(place, 'two.txt'), '12345')
    const files = await listSiteFiles(place, { keep: 5 })
    expect((await files.get('/one.txt'))?.plain.toString()).toBe('12345')
    writeFileSync(join(place, 'one.txt'), '54321')
    expect((await files.get('/one.txt'))?.plain.toString()).toBe('12345')
    expect((await files.get('/two.txt'))?.plain.toString()).toBe('12345')
    expect((await files.get('/one.txt'))?.plain.toString()).toBe('54321')
    writeFileSync(join(place, 'three.txt'), 'written after the start')
    expect(await files.get('/three.txt')).toBeUndefined()
    expect(await files.get('/../one.txt')).toBeUndefined()
    rmSync(place, { recursive: true })
    expect(await files.get('/two.txt')).toBeUndefined()
  })

  it('stay in caches for ever when their name holds a hash, for a week otherwise', async () => {
    const asset = await get('/assets/main-a1b2c3.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await asset.text()).toBe(script)
    expect((await get('/logo.svg')).headers.get('cache-control')).toBe('public, max-age=604800')
  })

  it.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', null, script],
  ])('come compressed for "%s"', async (accepted, encoding, text) => {
    const answer = await get('/assets/main-a1b2c3.js', { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(await answer.text()).toBe(text)
  })

  it('are not sent again to browsers that have them', async () => {
    const etag = (await get('/logo.svg')).headers.get('etag') ?? ''
    const again = await get('/logo.svg', { 'if-none-match': `W/"other", ${etag}` })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('answer HEAD without their content', async () => {
    const head = await get('/logo.svg', {}, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', ''])
  })

  it.each([
    '/assets/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.vite/manifest.json',
    '/assets/main-a1b2c3.js.map',
  ])('are the only ones: %s gives nothing away', async (path) => {
    const answer = await get(path)
    expect(await answer.text()).toMatch(/<html>|Invalid URL/)
  })
})

describe('the page', () => {
  it.each(['/', '/index.html', '/channel', '/channel/', '/chat/3', '/user/edit/7?a=1'])('answers %s', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(await answer.text()).toContain('<body>')
  })

  it.each(['/.env', '/no/such/page', '/wp-login.php', '/channel/edit', '/chat/3/4', '/chat//', '/log%2f'])(
    'is no answer to %s, which is not found: a browser gets the error page',
    async (path) => {
      const answer = await get(path, { accept: '*/*' })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { message: `Invalid URL (GET ${path})` } })
      const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('<body>')
    },
  )

  it('holds the status as data that no script in it can leave', async () => {
    const html = await (await get('/')).text()
    const [, json = ''] = /id="status">([\s\S]*?)<\/script>/.exec(html) ?? []
    expect(JSON.parse(json)).toEqual({ system_name: 'Tollgate', footer_html: '</script><script>alert(1)</script>$&' })
    expect(html.match(/<script/g)).toHaveLength(2)
  })

  it('allows only our own scripts and no framing', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='(;|$)/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("object-src 'none'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })

  it('bears the name and picture of the site from its first paint, whatever signs they hold', async () => {
    const html = await (await get('/', {}, { status: () => ({ system_name: 'A & <b>B</b>', logo: '/x".png' }) })).text()
    expect(html).toContain('<title>A &amp; &lt;b&gt;B&lt;/b&gt;</title>')
    expect(html).toContain('<link rel="icon" href="/x&quot;.png" />')
    expect(html).toContain('<span class="frame-name">A &amp; &lt;b&gt;B&lt;/b&gt;</span>')
    expect(html).toContain('<img class="frame-mark" src="/x&quot;.png"')
  })

  it('names the files that its screen starts with, and no other screen’s', async () => {
    const log = await (await get('/log/')).text()
    expect(log).toContain('<link rel="modulepreload" crossorigin href="/assets/log-d4e5.js" />')
    expect(log).toContain('<link rel="preload" as="style" crossorigin href="/assets/log-f6a7.css" />')
    expect(await (await get('/token')).text()).not.toContain('preload')
  })

  it('asks for what its screen reads first, behind the status and before any file, as its policy allows', async () => {
    const answer = await get('/log')
    const html = await answer.text()
    const early = '<script>askForLogs($&)</script>'
    expect(html).toContain(`</script>${early}`)
    expect(html.indexOf('id="status"')).toBeLessThan(html.indexOf(early))
    expect(html.indexOf(early)).toBeLessThan(html.indexOf('modulepreload'))
    const hash = createHash('sha256').update('askForLogs($&)').digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    expect((await get('/token')).headers.get('content-security-policy')).not.toContain(hash)
  })

  it.each([
    ['en-GB,en;q=0.9', '', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', '', 'zh'],
    ['zh-Hant-HK', '', 'zh-TW'],
    ['zh-Hans-TW', '', 'zh'],
    ['fr-CA,fr', '', 'fr'],
    ['de', '', 'zh'],
    ['en', 'a=b; console_language=ru', 'ru'],
    ['en', 'console_language="><script>', 'en'],
    ['', '', 'zh'],
  ])('says its language before any script: "%s" with the cookie "%s" is %s', async (accepted, cookie, language) => {
    const html = await (await get('/', { 'accept-language': accepted, cookie })).text()
    expect(html).toMatch(new RegExp(`^<html lang="${language}"`))
  })

  it('travels compressed where the browser takes it', async () => {
    const plain = await get('/log')
    const packed = await get('/log', { 'accept-encoding': 'gzip, deflate, br' })
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
      'br',
      'Accept-Encoding, Accept-Language, Cookie',
    ])
    const unpacked = brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()
    expect(unpacked).toBe(await plain.text())
  })

  it('frames nothing, and afterwards exactly the origins that the options name', async () => {
    let outsideOrigins = noOrigins
    const { fetch } = await site({ outsideOrigins: () => outsideOrigins })
    const ask = (headers: Record<string, string> = {}) =>
      fetch(new Request('http://console.test/', { headers }), { address: '1.1.1.1' })
    const first = await ask()
    expect(first.headers.get('content-security-policy')).toContain("frame-src 'none'")
    expect(first.headers.get('content-security-policy')?.split('; ')).toContain("form-action 'self'")
    outsideOrigins = joinOrigins([
      { frames: originsOf('https://chat.example/#/?settings={"key":"{key}"}') },
      { frames: originsOf('ama://set-api-key?key={key}') },
      { frames: originsOf('https://chat.example/other'), scripts: ['https://challenges.example'] },
      { forms: ['https:'] },
    ])
    const again = await ask({ 'if-none-match': first.headers.get('etag') ?? '' })
    expect(again.status).toBe(200)
    const policy = again.headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain('frame-src https://chat.example')
    expect(policy).toContain("form-action 'self' https:")
    expect(policy?.find((line) => line.startsWith('script-src'))).toMatch(/ https:\/\/challenges\.example$/)
  })

  it('changes its entity tag when the status changes', async () => {
    let name = 'a'
    const { fetch } = await site({ status: async () => ({ name }) })
    const ask = (headers: Record<string, string> = {}) =>
      fetch(new Request('http://console.test/', { headers }), { address: '1.1.1.1' })
    const etag = (await ask()).headers.get('etag') ?? ''
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    name = 'b'
    expect((await ask({ 'if-none-match': etag })).status).toBe(200)
  })

  it.each(['/v1/nothing', '/api/nothing', '/assets/nothing.js', '/apix'])(
    'is not shown to programs at %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { message: `Invalid URL (GET ${path})` } })
    },
  )

  it('is not an answer to anything but reading', async () => {
    expect((await get('/login', {}, {}, 'POST')).status).toBe(404)
  })

  it('counts pages but never files against the limit', async () => {
    const { fetch } = await site()
    const statuses = async (path: string) => {
      const answer = await fetch(new Request(`http://console.test${path}`), { address: '1.1.1.1' })
      return answer.status
    }
    for (let file = 0; file < 20; file += 1) expect(await statuses('/assets/main-a1b2c3.js')).toBe(200)
    expect([await statuses('/'), await statuses('/token'), await statuses('/log')]).toEqual([200, 200, 200])
    expect(await statuses('/')).toBe(429)
    expect(await statuses('/logo.svg')).toBe(200)
  })

  it('is elsewhere on a slave node', async () => {
    const answer = await get('/token?p=1', {}, { redirectTo: 'https://console.example.com' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://console.example.com/token?p=1'])
  })

  it('says in a sentence when nothing has been built', async () => {
    const answer = await get('/', {}, { directory: join(directory, 'missing') })
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('has not been built yet')])
  })
})
