import type { ListedVideo, OrganisationVideo } from '@tollgate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { testOrganisationTasks } from '#server-test/support/organisations/organisation-tasks.ts'
import { openVideoScene, unitsPerSecond, type VideoNode, type VideoScene } from '../../tests/video-scene.ts'
import { videoConsole } from './routes.ts'
import { createVideoReads } from './video-reads.ts'

const movie = Buffer.from('a movie of eight seconds')

describeEachEngine('videos in the console', (open) => {
  let database: Database
  let scene: VideoScene
  let node: VideoNode
  let owner: SignedIn
  let stranger: SignedIn
  let operator: SignedIn

  beforeEach(async () => {
    database = await open()
    scene = await openVideoScene(database)
    node = await scene.node()
    scene.provider.routes.set('POST /v1/videos', { json: { id: 'video_up', status: 'queued', seconds: '8' } })
    scene.provider.routes.set('GET /v1/videos/video_up/content', { bytes: movie })
    const { store, contents, jobs } = node.engine
    const by = (person: { readonly id: number; readonly role?: number }): SignedIn =>
      signedIn(
        (on) =>
          videoConsole(on, {
            reads: createVideoReads({ database, names: namesOf(database) }),
            store,
            contents,
            jobs,
            audit: openAudit(database, Date.now),
            organisationTasks: testOrganisationTasks,
          }),
        person,
      )
    owner = by({ id: scene.userId })
    stranger = by({ id: scene.userId + 1 })
    operator = by({ id: scene.userId + 1000, role: 10 })
  })
  afterEach(() => scene.close())

  const list = async <T = ListedVideo>(by: SignedIn, path: string): Promise<T[]> => {
    const { json } = await by('GET', path)
    expect(json).toMatchObject({ success: true })
    return (json.data as { items: T[] }).items
  }
  const own = () => list(owner, '/api/video/self/browse')
  const begin = async (as = 'good'): Promise<string> => {
    const body = { model: 'sora-2', prompt: 'a cat', seconds: '8', size: '1280x720' }
    const { status, json } = await node.call('POST', '/v1/videos', { body, as })
    expect(status).toBe(200)
    return String(json.id)
  }
  const finish = async (answer: object): Promise<void> => {
    scene.provider.routes.set('GET /v1/videos/video_up', { json: { id: 'video_up', ...answer } })
    scene.later(60_000)
    await node.following.work()
    await node.settled()
  }
  const done = () => finish({ status: 'completed', seconds: '8', progress: 100 })
  const failed = () => finish({ status: 'failed', error: { code: 'moderation_blocked', message: 'no cats' } })
  const first = async (): Promise<ListedVideo> => (await own())[0] ?? expect.fail('no video')

  it('have what is held while they are under way, and at their end what they cost', async () => {
    const id = await begin()
    expect(await own()).toMatchObject([{ video_id: id, state: 'queued', quota: 0, held: 8 * unitsPerSecond }])
    await finish({ status: 'in_progress', progress: 33 })
    expect(await own()).toMatchObject([{ state: 'in_progress', progress: 33, quota: 0 }])
    await done()
    expect(await own()).toMatchObject([{ state: 'completed', progress: 100, quota: 8 * unitsPerSecond, seconds: 8 }])
  })

  it('say why they failed, and cost nothing then', async () => {
    await begin()
    await failed()
    expect(await own()).toMatchObject([
      { state: 'failed', quota: 0, error_code: 'moderation_blocked', error_message: 'no cats' },
    ])
  })

  it('are their maker’s, without the channel; operators see all, with channel and maker', async () => {
    await begin()
    await begin('ben')
    expect((await own()).map(({ user_id, channel_id }) => [user_id, channel_id])).toEqual([[scene.userId, 0]])
    const users = (await list(operator, '/api/video/browse')).map(({ user_id, channel_id }) => [user_id, channel_id])
    expect(users).toHaveLength(2)
    expect(users).toContainEqual([scene.userId, 7])
    expect(await list(operator, '/api/video/self/browse')).toEqual([])
    expect(await list(operator, `/api/video/browse?user_id=${scene.userId}`)).toHaveLength(1)
    expect(await list(operator, `/api/video/browse?user_id=${scene.userId}&not=user_id`)).toHaveLength(1)
    const named = await list(operator, `/api/video/browse?user_id=${scene.userId}`)
    expect(named).toMatchObject([{ username: expect.stringMatching(/./) }])
    // Another person in a filter, or its opposite, changes nothing of one's own list.
    expect(await list(owner, `/api/video/self/browse?user_id=${scene.userId}&not=user_id`)).toHaveLength(1)
    for (const path of ['/api/video/browse', '/api/video/facets?facet=user_id', '/api/video/1/content'])
      expect((await owner('GET', path)).json).toMatchObject({ code: 'permission_denied' })
  })

  it('are found by state and id, and counted by channel and maker', async () => {
    const id = await begin()
    await done()
    await begin()
    expect(await list(owner, '/api/video/self/browse?status=completed')).toMatchObject([{ video_id: id }])
    expect(await list(owner, '/api/video/self/browse?status=completed&not=status')).toMatchObject([{ state: 'queued' }])
    expect(await list(owner, `/api/video/self/browse?video_id=${id}`)).toHaveLength(1)
    expect(await list(owner, '/api/video/self/browse?end_timestamp=1')).toEqual([])
    expect((await operator('GET', '/api/video/facets?facet=channel_id&channel_id=3')).json.data).toMatchObject({
      values: [{ value: '7', count: 2 }],
    })
  })

  it('are played by their maker and by operators once they are finished, by others never', async () => {
    await begin()
    const { id } = await first()
    const path = `/api/video/self/${id}/content`
    expect((await owner('GET', path)).json).toMatchObject({ code: 'video_not_finished' })
    await done()
    expect((await owner('GET', path)).text).toBe(movie.toString())
    expect((await operator('GET', `/api/video/${id}/content`)).text).toBe(movie.toString())
    expect((await stranger('GET', path)).json).toMatchObject({ code: 'not_found' })
    expect((await operator('GET', path)).json).toMatchObject({ code: 'not_found' })
  })

  it('have no content where they failed, and say that their provider has it no more', async () => {
    await begin()
    await failed()
    const { id } = await first()
    expect((await owner('GET', `/api/video/self/${id}/content`)).json).toMatchObject({ code: 'video_without_content' })
    await begin()
    await done()
    scene.provider.routes.set('GET /v1/videos/video_up/content', { status: 404, json: { error: { message: 'gone' } } })
    const gone = await first()
    expect((await owner('GET', `/api/video/self/${gone.id}/content`)).json).toMatchObject({ success: false })
  })

  it('are deleted by their maker alone, with a trace, once they have ended', async () => {
    const videoId = await begin()
    const { id } = await first()
    const path = `/api/video/self/${id}`
    expect((await owner('DELETE', path)).json).toMatchObject({ code: 'video_not_finished' })
    await done()
    scene.provider.routes.set('DELETE /v1/videos/video_up', { json: { id: 'video_up', deleted: true } })
    for (const other of [stranger, operator])
      expect((await other('DELETE', path)).json).toMatchObject({ code: 'not_found' })
    expect((await owner('DELETE', path)).json).toMatchObject({ success: true })
    expect(await own()).toEqual([])
    expect(scene.provider.asked()).toContain('DELETE /v1/videos/video_up')
    const traces = await database.query.selectFrom('audit').select(['action', 'object_id']).execute()
    expect(traces).toContainEqual({ action: 'video.delete', object_id: videoId })
    // The charge stays.
    expect(await scene.charges()).toMatchObject([{ movement: videoId, amount: -8 * unitsPerSecond }])
  })

  it('of an organisation are those of its wallet, or of the keys that one reads, with project and member', async () => {
    const of = { user_id: 40, is_open: 0, state: 'completed' } as const
    for (const [row, tokenId] of [41, 42, 0].entries()) {
      await begin()
      const { id } = await first()
      const public_id = `video_${row}`
      await database.query
        .updateTable('video_jobs')
        .set({ ...of, public_id, token_id: tokenId })
        .where('id', '=', id)
        .execute()
    }
    const found = async (id: number) =>
      (await list<OrganisationVideo>(owner, `/api/organisation/${id}/videos`)).map(
        ({ video_id, project_id, member_id }) => [video_id, project_id, member_id],
      )
    expect(await found(5)).toEqual([
      ['video_2', 0, 0],
      ['video_1', 0, 0],
      ['video_0', 7, 3],
    ])
    expect(await found(6)).toEqual([['video_0', 7, 3]])
    expect(await found(7)).toEqual([])
  })
})
