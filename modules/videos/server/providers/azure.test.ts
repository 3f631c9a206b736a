import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openFakeProvider } from '../../tests/video-provider.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { azure } from './azure.ts'

const model = 'sora-2'
const dataUrl = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`

describe('Sora at Azure OpenAI', () => {
  it('is asked for as the official SDK asks', async () => {
    const provider = await openFakeProvider()
    try {
      const client = new OpenAI({ apiKey: 'key', baseURL: `${provider.url}/openai/v1/`, maxRetries: 0 })
      provider.routes.set('POST /openai/v1/videos', { json: { id: 'v1', status: 'queued' } })
      const video = { model, prompt: 'a cat', seconds: '8', size: '1280x720' } as const
      await client.videos.create(video)
      const [sent] = provider.received
      const ask = azure.create({ prompt: 'a cat', seconds: 8, size: '1280x720' }, model)
      const account = { key: 'key', channel: { baseUrl: provider.url, organization: '', other: '' } }
      expect(`${azure.root?.(account, ask.path)}${ask.path}`).toBe(`${provider.url}${sent?.path}`)
      const form = await new Response(new Uint8Array(sent?.bytes ?? Buffer.alloc(0)), {
        headers: { 'content-type': sent?.headers['content-type'] ?? '' },
      }).formData()
      expect(JSON.parse(ask.body?.bytes.toString() ?? '')).toEqual(Object.fromEntries(form))
    } finally {
      await provider.close()
    }
  })

  it.each(['', '/', '/openai', '/openai/v1', '/openai/v1/'])('has its address behind a resource%s', (more) => {
    const channel = { baseUrl: `https://r.openai.azure.com${more}`, organization: '', other: '' }
    expect(azure.root?.({ key: 'key', channel }, '')).toBe('https://r.openai.azure.com/openai')
  })

  it('gets a picture as a file, and no address of one', () => {
    const ask = azure.create({ prompt: 'a cat', image: { url: dataUrl } }, model)
    expect(ask.body?.type).toMatch(/^multipart\/form-data/)
    expect(ask.body?.bytes.toString()).toContain('filename="picture.png"\r\nContent-Type: image/png\r\n\r\npixels\r\n')
    const image = { url: 'https://p.example/cat.png' }
    expect(() => azure.create({ prompt: 'a cat', image }, model)).toThrow(/input_reference/)
  })
})

describeEachEngine('a video of Azure OpenAI', (open) => {
  let run: VideoRun
  afterEach(() => run.close())

  it('is made, charged and fetched with the key of the resource', async () => {
    run = await openVideoRun(await open(), { model, changes: { type: 3, other: '2024-12-01-preview' } })
    const { routes } = run.provider
    const answer = (status: string) => ({ json: { id: 'v1', object: 'video', status, seconds: '4', progress: 0 } })
    routes.set('POST /openai/v1/videos', answer('queued'))
    routes.set('GET /openai/v1/videos/v1', answer('in_progress'))
    routes.set('GET /openai/v1/videos/v1/content', { bytes: Buffer.from('a movie') })
    const id = await run.begin({ seconds: '4' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    routes.set('GET /openai/v1/videos/v1', answer('completed'))
    await run.look()
    expect(await run.amounts()).toEqual([-4 * unitsPerSecond])
    expect((await run.content(id)).bytes.toString()).toBe('a movie')
    expect(run.provider.received.every(({ headers }) => headers['api-key'] === 'sk-account')).toBe(true)
    expect(run.provider.received.some(({ headers }) => 'authorization' in headers)).toBe(false)
  })

  it('is free where it fails', async () => {
    run = await openVideoRun(await open(), { model, changes: { type: 3 } })
    const { routes } = run.provider
    routes.set('POST /openai/v1/videos', { json: { id: 'v1', status: 'queued' } })
    const error = { code: 'moderation_blocked', message: 'blocked' }
    routes.set('GET /openai/v1/videos/v1', { json: { id: 'v1', status: 'failed', error } })
    const id = await run.begin()
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'failed', error })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
