import { describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { taskRecord } from '../../../test/support/features/task-bench.ts'
import { useTasks } from '../../../test/support/features/task-scene.ts'
import { newJournalDirectory, openTestLedger } from '../../../test/support/ledger/ledger.ts'
import { openTaskBooks } from './books.ts'
import { openOpenTasks } from './open-tasks.ts'
import { pollJobs } from './poll.ts'

describeEachEngine('tasks', (open) => {
  const scene = useTasks(open)
  const { start, draw, sing, idOf, setState, poll, drawing, song, books, charged, whole } = scene

  describe('begin', () => {
    it('with their charge, in one step, whatever is repeated', async () => {
      const record = await draw()
      await start(record)
      expect(await books()).toEqual(charged)
      expect(await drawing(record)).toMatchObject({
        mj_id: idOf(record),
        user_id: scene.owner.userId,
        channel_id: scene.channel,
        quota: 5000,
        progress: '0%',
        status: 'SUBMITTED',
        key_hash: 'hash of key-a',
      })
      expect(await scene.database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
    })

    it('without one where the upstream refused, as a finished row', async () => {
      const record = await draw(
        { taskId: '', code: 24, status: 'FAILURE', progress: '100%', failReason: 'no' },
        { kind: 'error', quota: 0, receipt: undefined },
      )
      await start(record)
      expect(await drawing(record)).toMatchObject({ code: 24, quota: 0, status: 'FAILURE', fail_reason: 'no' })
      expect(await scene.database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
      expect(await books()).toEqual(whole)
    })

    it('as songs do', async () => {
      const record = await sing()
      expect(await song(record)).toMatchObject({
        platform: 'suno',
        action: 'MUSIC',
        task_id: idOf(record),
        quota: 5000,
        submit_time: Math.floor((record.task?.submittedAt ?? 0) / 1000),
        properties: '{"input":"a toll booth"}',
      })
    })
  })

  it('survive a crash between the upstream’s yes and the database, and are charged once', async () => {
    const { directory, remove } = await newJournalDirectory()
    const before = await openTestLedger(scene.database, directory, { delayMs: 60_000 })
    const record = taskRecord(scene.owner, {}, { channelId: scene.channel, quota: 5000 })
    await before.ledger.recorder.charge(record)
    await before.crash()
    expect(await scene.database.query.selectFrom('midjourneys').select('id').execute()).toEqual([])
    for (let starts = 0; starts < 3; starts += 1) await (await openTestLedger(scene.database, directory)).crash()
    expect(await drawing(record)).toMatchObject({ mj_id: idOf(record), quota: 5000 })
    expect(await scene.database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
    expect(await books()).toEqual(charged)
    await remove()
  })

  it('are found by their owner at once after the answer', async () => {
    const record = taskRecord(scene.owner, {}, { channelId: scene.channel, quota: 5000 })
    const arrival = scene.node.ledger.arrived(record.id, 5000)
    await scene.node.ledger.recorder.charge(record)
    await arrival
    expect(await openTaskBooks(scene.database).drawing(scene.owner, idOf(record))).toMatchObject({ quota: 5000 })
  })

  describe('move on', () => {
    it('as their upstream says, and are asked after with the key that began them', async () => {
      const record = await draw({ keyHash: 'hash of key-b' })
      const listed = scene.bench.channels.list.find(({ id }) => id === scene.channel)
      scene.bench.channels.list.splice(scene.bench.channels.list.indexOf(listed as never), 1, {
        ...(listed as NonNullable<typeof listed>),
        keys: ['key-a', 'key-b'],
      })
      setState(record, {
        status: 'IN_PROGRESS',
        progress: '45%',
        startTime: 1_763_600_001_000,
        imageUrl: 'https://x.example/p.png',
      })
      await poll()
      expect(scene.bench.service.queries.at(-1)).toEqual({
        path: '/mj/task/list-by-condition',
        key: 'key-b',
        ids: [idOf(record)],
      })
      expect(await drawing(record)).toMatchObject({
        status: 'IN_PROGRESS',
        progress: '45%',
        start_time: 1_763_600_001_000,
        image_url: 'https://x.example/p.png',
        finish_time: 0,
      })
      setState(record, {
        status: 'SUCCESS',
        progress: '100%',
        finishTime: 1_763_600_009_000,
        promptEn: 'booth\0',
        buttons: [{ customId: 'a' }],
        properties: { finalPrompt: 'booth' },
      })
      await poll()
      expect(await drawing(record)).toMatchObject({
        status: 'SUCCESS',
        progress: '100%',
        finish_time: 1_763_600_009_000,
        prompt_en: 'booth',
        buttons: '[{"customId":"a"}]',
        properties: '{"finalPrompt":"booth"}',
        code: 1,
      })
      expect(await books()).toEqual(charged)
    })

    it('as songs do', async () => {
      const record = await sing()
      setState(record, { status: 'IN_PROGRESS', progress: '100%', start_time: 1_763_600_001, data: [{ id: 'clip' }] })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%', data: '[{"id":"clip"}]' })
      setState(record, { status: 'SUCCESS', finish_time: 1_763_600_100 })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'SUCCESS', progress: '100%', finish_time: 1_763_600_100 })
      const [mine] = await openTaskBooks(scene.database).songs(scene.owner, [idOf(record)])
      expect(mine).toMatchObject({ data: [{ id: 'clip' }], properties: { input: 'a toll booth' } })
    })

    it('never again once they have ended: a failure after a success pays nothing back', async () => {
      const record = await draw()
      const [before] = await openOpenTasks(scene.database).page('midjourney', 0, 10)
      setState(record, { status: 'SUCCESS', progress: '100%' })
      await poll()
      if (before === undefined) throw new Error('no task')
      await scene.other.settling.settle(before, { kind: 'failed', columns: { status: 'FAILURE', progress: '100%' } })
      expect(await drawing(record)).toMatchObject({ status: 'SUCCESS' })
      expect(await books()).toEqual(charged)
    })

    it('not at all while the service does not answer, nor by answers about other tasks', async () => {
      const record = await draw()
      setState(record, { status: 'FAILURE', failReason: 'x' })
      scene.bench.service.broken = 500
      expect(
        await scene.node.refresh.refresh('midjourney', await openOpenTasks(scene.database).page('midjourney', 0, 9)),
      ).toBe(false)
      expect(await drawing(record)).toMatchObject({ status: 'SUBMITTED', progress: '0%' })
      expect(await books()).toEqual(charged)
    })
  })

  it('of a drawing and its modal share an id; the newer one is answered, both are followed', async () => {
    const first = await draw({ taskId: 'shared', action: 'INPAINT' }, { quota: 0 })
    const second = await draw({ taskId: 'shared', action: 'MODAL' })
    scene.bench.service.move('shared', { id: 'shared', status: 'FAILURE', failReason: 'x' })
    expect(await openTaskBooks(scene.database).drawing(scene.owner, 'shared')).toMatchObject({ action: 'MODAL' })
    expect(
      await openTaskBooks(scene.database).drawing({ ...scene.owner, userId: scene.owner.userId + 1 }, 'shared'),
    ).toBeUndefined()
    await poll()
    expect([(await drawing(first)).status, (await drawing(second)).status]).toEqual(['FAILURE', 'FAILURE'])
    expect(await books()).toEqual(whole)
  })

  it('are polled by one node per period', async () => {
    await scene.database.query.deleteFrom('cluster_jobs').execute()
    const record = await draw()
    const turns = async (): Promise<number> => {
      const before = scene.bench.service.queries.length
      await Promise.all([
        scene.node.poll.work(),
        scene.other.poll.work(),
        scene.node.poll.work(),
        scene.other.poll.work(),
      ])
      return scene.bench.service.queries.length - before
    }
    expect(await turns()).toBe(0)
    scene.bench.now += 15_000
    expect(await turns()).toBe(1)
    expect(await turns()).toBe(0)
    scene.bench.now += 15_000
    setState(record, { status: 'SUCCESS', progress: '100%' })
    expect(await turns()).toBe(1)
    scene.bench.now += 15_000
    expect(await turns()).toBe(0)
    const names = await scene.database.query.selectFrom('cluster_jobs').select('name').orderBy('name').execute()
    expect(names.map(({ name }) => name)).toEqual(pollJobs.map(({ id }) => id).sort())
  })

  it('are all polled, in pages', async () => {
    const many = Array.from({ length: 230 }, () => taskRecord(scene.owner, {}, { channelId: scene.channel, quota: 1 }))
    for (const record of many) setState(record, { status: 'SUCCESS', progress: '100%' })
    await Promise.all(many.map((record) => scene.node.ledger.recorder.charge(record)))
    await scene.node.ledger.flush()
    const before = scene.bench.service.queries.length
    await poll()
    expect(scene.bench.service.queries.slice(before).map(({ ids }) => ids.length)).toEqual([100, 100, 30])
    expect(await openOpenTasks(scene.database).page('midjourney', 0, 10)).toEqual([])
  })
})
