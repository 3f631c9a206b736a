import { generateKeyPairSync } from 'node:crypto'
import { GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openFakeProvider } from '../../../tests/video-provider.ts'
import { openVideoRun, type VideoRun } from '../../../tests/video-run.ts'
import { unitsPerSecond } from '../../../tests/video-scene.ts'
import { vertex } from './vertex.ts'

const model = 'veo-3.1-generate-001'
const place = 'projects/p1/locations/us-central1/publishers/google/models'
const operation = `${place}/${model}/operations/op-1`
const movie = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 256))
const picture = Buffer.from('pixels')

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyFor = (tokenUri: string): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: 'svc@p1.iam.gserviceaccount.com',
    token_uri: tokenUri,
  })

describe('Veo at Vertex AI', () => {
  const bodyOf = (ask: ReturnType<typeof vertex.create>): unknown => JSON.parse(ask.body?.bytes.toString() ?? '')

  it('is asked for as the official SDK asks', async () => {
    const provider = await openFakeProvider()
    try {
      const name = `publishers/google/models/${model}/operations/op-1`
      provider.routes.set(`POST /v1/publishers/google/models/${model}:predictLongRunning`, { json: { name } })
      provider.routes.set(`POST /v1/publishers/google/models/${model}:fetchPredictOperation`, {
        json: { name, done: true, response: { videos: [{ gcsUri: 'gs://b/o.mp4', mimeType: 'video/mp4' }] } },
      })
      const client = new GoogleGenAI({
        vertexai: true,
        apiKey: 'key',
        httpOptions: { baseUrl: provider.url, apiVersion: 'v1' },
      })
      const begun = await client.models.generateVideos({
        model,
        source: { prompt: 'a cat', image: { imageBytes: picture.toString('base64'), mimeType: 'image/png' } },
        config: {
          durationSeconds: 6,
          aspectRatio: '9:16',
          resolution: '1080p',
          negativePrompt: 'dogs',
          seed: 7,
          generateAudio: false,
        },
      })
      await client.operations.getVideosOperation({ operation: begun })
      const [create, look] = provider.received
      const image = { bytes: picture, type: 'image/png', name: 'cat.png' }
      const request = { prompt: 'a cat', seconds: 6, size: '1080x1920', negativePrompt: 'dogs', seed: 7, sound: false }
      const own = vertex.create({ ...request, image }, model)
      expect(bodyOf(own)).toEqual(create?.json)
      const account = { key: 'key', channel: { baseUrl: '', organization: '', other: 'global' } }
      expect(`${vertex.root?.(account, own.path)}${own.path}`).toBe(`https://aiplatform.googleapis.com${create?.path}`)
      expect(bodyOf(vertex.look(name))).toEqual(look?.json)
      expect(vertex.look(name).path).toBe(look?.path)
    } finally {
      await provider.close()
    }
  })

  it('has no field that Veo 2 does not know', () => {
    expect(bodyOf(vertex.create({ prompt: 'a cat', sound: false }, 'veo-2.0-generate-001'))).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { durationSeconds: 8, aspectRatio: '16:9' },
    })
    expect(vertex.spec({ prompt: 'a cat', sound: false }, 'veo-2.0-generate-001').variants).toEqual(['720p'])
  })

  it('may have a price of its own without sound', () => {
    expect(vertex.spec({ prompt: 'x', sound: false, resolution: '4k' }, model).variants).toEqual([
      ...['4k-silent', '4k', 'silent'],
    ])
    expect(vertex.spec({ prompt: 'x' }, model).variants).toEqual(['720p'])
  })

  it('goes on in the region and project of its operation', () => {
    const account = { key: keyFor(''), channel: { baseUrl: '', organization: '', other: 'europe-west4' } }
    const { path } = vertex.look(operation)
    expect(`${vertex.root?.(account, path)}${path}`).toBe(
      `https://us-central1-aiplatform.googleapis.com/v1/${place}/${model}:fetchPredictOperation`,
    )
    const regions = { ...account.channel, other: `{"default":"us-east5","mine":"asia-east1"}` }
    const create = vertex.create({ prompt: 'x' }, model).path
    expect(vertex.root?.({ ...account, channel: regions, origin: 'mine' }, create)).toBe(
      'https://asia-east1-aiplatform.googleapis.com/v1/projects/p1/locations/asia-east1',
    )
    expect(() => vertex.root?.({ ...account, channel: { ...regions, other: 'a/b' } }, create)).toThrow('region')
  })

  it('is read from Cloud Storage where it was put there', () => {
    const videos = [{ gcsUri: 'gs://bucket/a dir/0.mp4', mimeType: 'video/mp4' }]
    const look = vertex.readLook({ name: operation, done: true, response: { videos } })
    expect(look).toEqual({ state: 'completed', place: { file: 'gs://bucket/a dir/0.mp4' } })
    const finished = { upstreamId: operation, place: { file: 'gs://bucket/a dir/0.mp4' } }
    expect(vertex.content(finished, 'video')).toEqual({
      ask: {
        method: 'GET',
        root: 'https://storage.googleapis.com',
        path: '/storage/v1/b/bucket/o/a%20dir%2F0.mp4?alt=media',
      },
    })
    expect(vertex.content(finished, 'thumbnail')).toBeUndefined()
  })
})

describeEachEngine('a video of Vertex AI', (open) => {
  let run: VideoRun
  const begin = async (database: Database) => {
    run = await openVideoRun(database, { model, changes: { type: 41, other: 'us-central1' } })
    const [channel] = run.node.channels.list
    if (channel === undefined) throw new Error('no channel')
    run.node.channels.list[0] = { ...channel, keys: [keyFor(`${run.provider.url}/token`)] }
    run.provider.routes.set('POST /token', { json: { access_token: 'ya29.t', expires_in: 3600 } })
    run.provider.routes.set(`POST /v1/${place}/${model}:predictLongRunning`, { json: { name: operation } })
  }
  const answer = (json: object): void =>
    void run.provider.routes.set(`POST /v1/${place}/${model}:fetchPredictOperation`, { json })
  afterEach(() => run.close())

  it('is made with a token, read without its bytes, and streamed out of the answer', async () => {
    await begin(await open())
    answer({ name: operation })
    const id = await run.begin()
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    const videos = [{ bytesBase64Encoded: movie.toString('base64'), mimeType: 'video/mp4' }]
    answer({ name: operation, done: true, response: { raiMediaFilteredCount: 0, videos } })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'completed', seconds: '5', size: '1280x720' })
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond])
    const content = await run.content(id)
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(content.bytes.equals(movie)).toBe(true)
    expect(run.provider.received.slice(1).every(({ headers }) => headers.authorization === 'Bearer ya29.t')).toBe(true)
    expect((await run.scene.rows()).map(({ result }) => result)).toEqual(['{"inline":true}'])
    answer({ name: operation, done: true, error: { code: 5, message: 'gone' } })
    expect((await run.content(id)).status).toBe(502)
  })

  it('is free where its content is refused, and where it fails', async () => {
    await begin(await open())
    const refused = await run.begin()
    answer({
      name: operation,
      done: true,
      response: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Support code 15236754'] },
    })
    await run.look()
    expect(await run.state(refused)).toMatchObject({
      status: 'failed',
      error: { code: 'content_filtered', message: 'Support code 15236754' },
    })
    const failed = await run.begin()
    answer({ name: operation, done: true, error: { code: 13, message: 'internal' } })
    await run.look()
    expect(await run.state(failed)).toMatchObject({ status: 'failed', error: { code: '13', message: 'internal' } })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })

  it('is not begun, and free, where the key gets no token', async () => {
    await begin(await open())
    const [channel] = run.node.channels.list
    if (channel === undefined) throw new Error('no channel')
    run.node.channels.list[0] = { ...channel, keys: [keyFor(`${run.provider.url}/refused`)] }
    run.provider.routes.set('POST /refused', { status: 400, json: { error: 'invalid_grant' } })
    const { status, json } = await run.create()
    expect(status).toBe(502)
    expect(JSON.stringify(json)).not.toContain('PRIVATE')
    expect(await run.scene.rows()).toEqual([])
    expect(run.provider.asked()).toEqual(['POST /refused'])
    expect(run.node.pending()).toBe(0)
  })
})
