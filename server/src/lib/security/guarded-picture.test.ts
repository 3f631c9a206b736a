import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgressGuard } from './egress.ts'
import { createPictureFetcher, wholePictures } from './guarded-picture.ts'

/** A place on the web with pictures, pages and detours. */
const openWeb = async (): Promise<{ server: Server; url: string }> => {
  const server = createServer((request, response) => {
    const type = request.url?.endsWith('.png')
      ? 'image/png'
      : request.url?.endsWith('.svg')
        ? 'image/svg+xml'
        : 'text/html'
    if (request.url === '/moved.png') return response.writeHead(302, { location: '/real.png' }).end()
    if (request.url === '/inside.png') return response.writeHead(302, { location: 'http://10.0.0.1/secret.png' }).end()
    if (request.url === '/circle.png') return response.writeHead(302, { location: '/circle.png' }).end()
    if (request.url === '/gone.png') return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': `${type}; charset=binary` }).end('pixels')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('fetching pictures', () => {
  let web: { server: Server; url: string }
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web.server.close())

  const read = async (path: string, allow = ['127.0.0.1']): Promise<string> => {
    const { type, parts } = await createPictureFetcher(createEgressGuard({ allow }))(
      path.startsWith('http') ? path : web.url + path,
    )
    const chunks: Uint8Array[] = []
    for await (const part of parts) chunks.push(part)
    return `${type}: ${Buffer.concat(chunks)}`
  }

  it('passes pictures on, also after a detour', async () => {
    expect(await read('/real.png')).toBe('image/png: pixels')
    expect(await read('/moved.png')).toBe('image/png: pixels')
  })

  it.each([
    ['a page', '/page'],
    ['a drawing that may hold scripts', '/x.svg'],
    ['what is not there', '/gone.png'],
    ['a detour to a private network', '/inside.png'],
    ['a detour without end', '/circle.png'],
    ['another protocol', 'file:///etc/passwd'],
  ])('refuses %s', async (_, path) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'drawing_image_failed' })
  })

  it('holds pictures that an answer needs, up to a size and while a client waits', async () => {
    const whole = (allow: readonly string[], limit: number): Promise<Buffer> =>
      wholePictures(createPictureFetcher(createEgressGuard({ allow })), limit)(
        `${web.url}/real.png`,
        new AbortController().signal,
      )
    expect((await whole(['127.0.0.1'], 6)).toString()).toBe('pixels')
    await expect(whole(['127.0.0.1'], 5)).rejects.toMatchObject({ code: 'drawing_image_failed' })
    await expect(whole([], 6)).rejects.toMatchObject({ code: 'drawing_image_failed' })
    const fetched = wholePictures(createPictureFetcher(createEgressGuard({ allow: ['127.0.0.1'] })), 6)
    await expect(fetched(`${web.url}/real.png`, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('asks no private address that the operator has not allowed', async () => {
    await expect(read('/real.png', [])).rejects.toMatchObject({ code: 'drawing_image_failed' })
  })
})
