import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type FakeProvider, openFakeProvider } from '../tests/video-provider.ts'
import { openVideoScene, type VideoNode, type VideoScene, videoPrices } from '../tests/video-scene.ts'

const movie = Buffer.from('a movie')

describeEachEngine('the content of a video', (open) => {
  let scene: VideoScene
  let node: VideoNode
  /** Another server than that of the channel, as storage is. */
  let storage: FakeProvider

  const begin = async (type: number, allow?: readonly string[]): Promise<void> => {
    scene = await openVideoScene(await open(), {
      changes: { type, models: new Set(['m']) },
      prices: videoPrices(['m']),
      ...(allow === undefined ? {} : { allow }),
    })
    node = await scene.node()
  }
  beforeEach(async () => {
    storage = await openFakeProvider()
    storage.routes.set('GET /movie.mp4', { bytes: movie })
  })
  afterEach(async () => {
    await scene.close()
    await storage.close()
  })

  const make = async (): Promise<string> => {
    const { status, json } = await node.call('POST', '/v1/videos', { body: { model: 'm', prompt: 'a cat' } })
    expect(status).toBe(200)
    scene.later(60_000)
    await node.following.work()
    await node.settled()
    return String(json.id)
  }
  const content = async (id: string) => node.call('GET', `/v1/videos/${id}/content`)

  it('comes from an address that the provider states without the key of the channel', async () => {
    await begin(48)
    const { routes } = scene.provider
    routes.set('POST /v1/videos/generations', { json: { request_id: 'r1' } })
    const video = { url: `${storage.url}/movie.mp4`, duration: 6 }
    routes.set('GET /v1/videos/r1', { json: { status: 'done', video } })
    const id = await make()
    const { status, bytes, headers } = await content(id)
    expect([status, bytes, headers.get('content-type')]).toEqual([200, movie, 'video/mp4'])
    expect(storage.received[0]?.headers.authorization).toBeUndefined()
    expect(JSON.stringify((await node.call('GET', `/v1/videos/${id}`)).json)).not.toContain(storage.url)
  })

  it('does not come from an address inside of the network', async () => {
    await begin(48, [])
    const { routes } = scene.provider
    routes.set('POST /v1/videos/generations', { json: { request_id: 'r1' } })
    const video = { url: `${storage.url}/movie.mp4`, duration: 6 }
    routes.set('GET /v1/videos/r1', { json: { status: 'done', video } })
    const id = await make()
    const { status, json } = await content(id)
    expect(status).toBe(502)
    expect(JSON.stringify(json)).not.toContain(storage.url)
    expect(storage.received).toEqual([])
  })

  it('is looked for again where its address has expired', async () => {
    await begin(48)
    const { routes } = scene.provider
    routes.set('POST /v1/videos/generations', { json: { request_id: 'r1' } })
    routes.set('GET /v1/videos/r1', { json: { status: 'done', video: { url: `${storage.url}/old.mp4` } } })
    const id = await make()
    expect((await content(id)).status).toBe(502)
    routes.set('GET /v1/videos/r1', { json: { status: 'done', video: { url: `${storage.url}/movie.mp4` } } })
    expect((await content(id)).bytes).toEqual(movie)
    expect(storage.asked()).toEqual(['GET /old.mp4', 'GET /old.mp4', 'GET /movie.mp4'])
  })

  it('of Veo is fetched with the key at the channel, and without it where that leads elsewhere', async () => {
    await begin(24)
    const { routes } = scene.provider
    const name = 'models/m/operations/op'
    routes.set('POST /v1beta/models/m:predictLongRunning', { json: { name } })
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/f:download?alt=media'
    const response = { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }
    const path = `GET /v1beta/${name}`
    routes.set(path, { json: { name, done: true, response } })
    routes.set('GET /v1beta/files/f:download', { status: 302, headers: { location: `${storage.url}/movie.mp4` } })
    const list = node.channels.list
    const [channel] = list
    if (channel === undefined) throw new Error('no channel')
    list[0] = { ...channel, provider: { ...channel.provider, baseUrl: 'https://generativelanguage.googleapis.com' } }
    const id = await make()
    expect((await content(id)).bytes).toEqual(movie)
    const asked = scene.provider.received.at(-1)
    expect([asked?.path, asked?.headers['x-goog-api-key']]).toEqual([
      '/v1beta/files/f:download?alt=media',
      'sk-account',
    ])
    expect(storage.received[0]?.headers['x-goog-api-key']).toBeUndefined()
  })

  it('of Hailuo has an address that is asked for first', async () => {
    await begin(35)
    const { routes } = scene.provider
    routes.set('POST /v1/video_generation', { json: { task_id: 't1', base_resp: { status_code: 0 } } })
    routes.set('GET /v1/query/video_generation', { json: { status: 'Success', file_id: 'f1' } })
    routes.set('GET /v1/files/retrieve', { json: { file: { download_url: `${storage.url}/movie.mp4` } } })
    expect((await content(await make())).bytes).toEqual(movie)
    expect(scene.provider.asked().at(-1)).toBe('GET /v1/files/retrieve?file_id=f1')
  })

  it('is refused like the provider refuses it, where that says so within a success', async () => {
    await begin(35)
    const refused = { task_id: '', base_resp: { status_code: 1026, status_msg: 'sensitive content' } }
    scene.provider.routes.set('POST /v1/video_generation', { json: refused })
    const { status, json } = await node.call('POST', '/v1/videos', { body: { model: 'm', prompt: 'a cat' } })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(json)).toContain('sensitive content')
    expect(await scene.rows()).toEqual([])
    expect(node.pending()).toBe(0)
  })
})
