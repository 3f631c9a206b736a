import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../tests/video-run.ts'
import { unitsPerSecond, type VideoNode } from '../tests/video-scene.ts'

const price = 5 * unitsPerSecond

describeEachEngine('a provider that calls when a video changes', (open) => {
  let database: Database
  let run: VideoRun

  const start = async (parts: Partial<Parameters<typeof openVideoRun>[1]> = {}): Promise<void> => {
    const { changes, ...more } = parts
    run = await openVideoRun(database, {
      model: 'vidu3.5',
      serverAddress: 'https://gate.example.com',
      ...more,
      changes: { type: 52, keys: ['vda-key'], ...changes },
    })
    run.provider.routes.set('POST /ent/v2/text2video', { json: { task_id: 'task-1', state: 'created' } })
    state('processing')
  }
  const state = (name: string, more: object = {}): void =>
    void run.provider.routes.set('GET /ent/v2/tasks/task-1/creations', { json: { state: name, ...more } })
  const succeeds = (): void => state('success', { creations: [{ url: `${run.provider.url}/video.mp4` }] })
  const looks = (): number => run.provider.asked().filter((call) => call.startsWith('GET')).length
  /** The address that the provider was given. */
  const given = (): string => {
    const sent = run.provider.received.find(({ method }) => method === 'POST')?.json
    return String((sent as Record<string, unknown>).callback_url)
  }
  const called = async (body: unknown = { state: 'success' }, node: VideoNode = run.node) => {
    const answer = await node.hook(given(), body)
    await node.settled()
    return answer
  }

  beforeEach(async () => {
    database = await open()
    await start()
  })
  afterEach(() => run.close())

  it('is asked at once, so that a finished video is charged long before its next look', async () => {
    const id = await run.begin()
    expect(given()).toMatch(/^https:\/\/gate\.example\.com\/hooks\/jobs\/video\/video_[0-9a-f]{32}\.[0-9a-f]{64}$/)
    succeeds()
    expect(await called()).toEqual({ status: 200, json: {} })
    expect(await run.state(id)).toMatchObject({ status: 'completed' })
    expect(await run.amounts()).toEqual([-price])
    expect(await called()).toEqual({ status: 200, json: {} })
    expect([looks(), await run.amounts()]).toEqual([1, [-price]])
    expect(await run.scene.differences()).toEqual([])
  })

  it('is not believed: a video that failed is free, and one that is under way goes on', async () => {
    const id = await run.begin()
    await called({ state: 'success', creations: [{ url: 'https://elsewhere.example/video.mp4' }] })
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    state('failed', { err_code: 'CreationPolicyViolation' })
    run.scene.later(10_000)
    await called({ state: 'success', creations: [{ url: 'https://elsewhere.example/video.mp4' }] })
    expect(await run.state(id)).toMatchObject({ status: 'failed', error: { code: 'CreationPolicyViolation' } })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })

  it('costs one look in five seconds, however often it calls, and none of its calls is forgotten', async () => {
    const id = await run.begin()
    for (let call = 0; call < 20; call++) expect((await called()).status).toBe(200)
    expect(looks()).toBe(1)
    succeeds()
    expect((await called()).status).toBe(200)
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    run.scene.later(5_000)
    await run.node.following.work()
    await run.node.settled()
    expect([looks(), await run.amounts()]).toEqual([2, [-price]])
  })

  it('is asked again where it calls while it is asked', async () => {
    await run.begin()
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    run.provider.routes.set('GET /ent/v2/tasks/task-1/creations', async () => {
      asked.resolve()
      await answer.promise
      return { json: { state: 'processing' } }
    })
    run.scene.later(15_000)
    const first = run.node.following.work()
    await asked.promise
    expect((await run.node.hook(given())).status).toBe(200)
    succeeds()
    answer.resolve()
    await first
    await run.node.settled()
    expect([looks(), await run.amounts()]).toEqual([2, [-price]])
  })

  it('is asked less often once it has called, and as often as others before', async () => {
    const next = async (): Promise<number> => (await run.scene.rows())[0]?.next_time ?? 0
    await run.begin()
    run.scene.later(15_000)
    await run.node.following.work()
    await run.node.settled()
    const before = await next()
    run.scene.later(1_000)
    await called()
    expect((await next()) - before).toBe(1 + 30 - 5)
  })

  it('may call any node, and each of them looks', async () => {
    const second = await run.scene.node('two')
    await run.begin()
    succeeds()
    await Promise.all([called({}, second), called({}, run.node)])
    await Promise.all([second.settled(), run.node.settled()])
    expect(await run.amounts()).toEqual([-price])
    await run.node.holding.tick()
    expect([run.node.pending(), second.pending()]).toEqual([0, 0])
  })

  it('needs the token of the job: everything else is not found, and limited by address', async () => {
    await run.begin()
    const url = given()
    const other = url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const wrong = [
      other,
      url.replace('/video/', '/batch/'),
      url.replace(/video_[0-9a-f]{32}/, `video_${'0'.repeat(32)}`),
      `${url}/more`,
    ]
    for (const one of wrong) expect((await run.node.hook(one)).status, one).toBe(404)
    expect((await run.node.hook(url, {}, 'GET')).status).toBe(404)
    expect((await run.node.hook(other)).status).toBe(429)
    expect(looks()).toBe(0)
  })

  it('changes nothing by a call while its submission is under way', async () => {
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    run.provider.routes.set('POST /ent/v2/text2video', async () => {
      asked.resolve()
      await answer.promise
      return { json: { task_id: 'task-1', state: 'created' } }
    })
    const begun = run.create()
    await asked.promise
    expect((await run.node.hook(given())).status).toBe(200)
    await run.node.following.idle()
    expect(await run.scene.rows()).toMatchObject([{ state: 'submitting', nudged_time: 0 }])
    answer.resolve()
    expect((await begun).status).toBe(200)
    expect(await run.scene.rows()).toMatchObject([{ state: 'queued' }])
  })

  it('gets no address where the site has no public one, or its channel sets another', async () => {
    for (const serverAddress of [
      '',
      'http://gate.example.com',
      'https://localhost',
      'https://10.0.0.1',
      'https://gate',
    ]) {
      await run.close()
      await start({ serverAddress })
      await run.begin()
      expect(run.provider.received[0]?.json, serverAddress).not.toHaveProperty('callback_url')
    }
    await run.close()
    await start({ changes: { paramOverride: { callback_url: '' } } })
    await run.begin()
    expect(run.provider.received[0]?.json).not.toHaveProperty('callback_url')
    await run.close()
    await start({ changes: { paramOverride: { callback_url: 'https://own.example/hook' } } })
    await run.begin()
    expect(given()).toBe('https://own.example/hook')
  })

  it('gets back the challenge with which it tries the address, while it accepts the video', async () => {
    await run.close()
    await start({ model: 'MiniMax-Hailuo-2.3', changes: { type: 35 } })
    let tried: unknown
    run.provider.routes.set('POST /v1/video_generation', async () => {
      tried = await run.node.hook(given(), { challenge: '1a3cs1j-601a' })
      return { json: { task_id: '115334141465231360', base_resp: { status_code: 0 } } }
    })
    await run.begin()
    expect(tried).toEqual({ status: 200, json: { challenge: '1a3cs1j-601a' } })
    expect(looks()).toBe(0)
  })

  it('makes a video without an address that it cannot reach', async () => {
    await run.close()
    await start({ model: 'MiniMax-Hailuo-2.3', changes: { type: 35 } })
    run.provider.routes.set('POST /v1/video_generation', ({ json }) =>
      'callback_url' in (json as object)
        ? { json: { task_id: '', base_resp: { status_code: 2013, status_msg: 'invalid params, callback_url' } } }
        : { json: { task_id: '115334141465231360', base_resp: { status_code: 0 } } },
    )
    const id = await run.begin()
    expect(run.provider.asked()).toEqual(['POST /v1/video_generation', 'POST /v1/video_generation'])
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    const { next_time: next, created_time: created } = await database.query
      .selectFrom('video_jobs')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(next - created).toBeLessThan(10)
  })

  it.each([
    ['kling', 50, 'kling-v2-6', 'POST /v1/videos/text2video', { code: 0, data: { task_id: 'up' } }],
    ['luma', 1003, 'ray-2', 'POST /dream-machine/v1/generations', { id: 'up', state: 'queued' }],
    ['minimax-h3', 35, 'MiniMax-H3', 'POST /v2/video_generation', { task_id: 'up' }],
    ['volcengine', 45, 'doubao-seedance-1-5-pro', 'POST /api/v3/contents/generations/tasks', { id: 'up' }],
  ])('is given an address by %s’s member', async (_, type, model, route, json) => {
    await run.close()
    await start({ model, changes: { type, keys: type === 50 ? ['access|secret'] : ['key'] } })
    run.provider.routes.set(route, { json })
    await run.begin()
    expect(given()).toContain('https://gate.example.com/hooks/jobs/video/video_')
  })

  it('is read up to a bound', async () => {
    const id = await run.begin()
    succeeds()
    expect(await called({ challenge: 'x', more: 'y'.repeat(20_000) })).toEqual({ status: 200, json: {} })
    expect(await run.state(id)).toMatchObject({ status: 'completed' })
  })
})
