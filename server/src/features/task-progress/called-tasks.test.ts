import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import type { TestNode } from '../../../test/support/features/task-bench.ts'
import { useTasks } from '../../../test/support/features/task-scene.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { openAskedLooks } from './asked-looks.ts'
import { type CalledTask, openCalledTasks } from './called-tasks.ts'
import { openOpenTasks } from './open-tasks.ts'

describeEachEngine('a service that calls about a task', (open) => {
  const scene = useTasks(open)
  const { draw, sing, setState, drawing, song, books, charged, whole, refundLogs } = scene
  const clock = (): number => scene.bench.now
  const later = (seconds: number): void => {
    scene.bench.now += seconds * 1000
  }
  const called = () => openCalledTasks(scene.database, clock)
  const looksOf = ({ refresh }: TestNode): JobRunner<CalledTask> =>
    openAskedLooks({
      called: called(),
      tasks: openOpenTasks(scene.database),
      refresh,
      clock,
      failed(error) {
        throw error
      },
    })
  const nudge = ({ id }: Pick<RequestRecord, 'id'>, platform: 'midjourney' | 'suno' = 'midjourney') =>
    called().nudge(platform, id)
  const looks = (): number => scene.bench.service.queries.length - before
  const rows = () => scene.database.query.selectFrom('task_calls').selectAll().execute()
  let before = 0

  beforeEach(async () => {
    await scene.database.query.deleteFrom('task_calls').execute()
    before = scene.bench.service.queries.length
  })

  it('is asked at once, by any node, and a failure is paid back once', async () => {
    const record = await draw()
    setState(record, { status: 'FAILURE', progress: '100%', failReason: 'banned' })
    expect(await books()).toEqual(charged)
    expect(await nudge(record)).toBe(true)
    const [here, there] = [looksOf(scene.node), looksOf(scene.other)]
    await Promise.all([here.work(), there.work()])
    expect(await drawing(record)).toMatchObject({ status: 'FAILURE', fail_reason: 'banned' })
    expect(await books()).toEqual(whole)
    expect(await refundLogs()).toHaveLength(1)
    expect(looks()).toBe(1)
  })

  it('is asked about a song, too, and not believed', async () => {
    const record = await sing()
    setState(record, { status: 'IN_PROGRESS' })
    await nudge(record, 'suno')
    await looksOf(scene.node).work()
    expect(await song(record)).toMatchObject({ status: 'IN_PROGRESS' })
    expect(looks()).toBe(1)
  })

  it('is asked five seconds apart, however often it calls, and after the last of its calls', async () => {
    const record = await draw()
    setState(record, { status: 'IN_PROGRESS', progress: '10%' })
    const runner = looksOf(scene.node)
    await nudge(record)
    await runner.work()
    expect([await nudge(record), await nudge(record), await nudge(record)]).toEqual([false, false, false])
    await runner.work()
    expect(looks()).toBe(1)
    setState(record, { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/1.png' })
    later(5)
    await runner.work()
    expect(looks()).toBe(2)
    expect(await drawing(record)).toMatchObject({ status: 'SUCCESS' })
  })

  it('is asked again where it calls while it is asked', async () => {
    const record = await draw()
    setState(record, { status: 'IN_PROGRESS', progress: '10%' })
    await nudge(record)
    const [row] = await rows()
    later(6)
    expect(await nudge(record)).toBe(true)
    if (row !== undefined) await called().later({ ...row, id: row.request_id }, 300)
    await looksOf(scene.node).work()
    expect(looks()).toBe(1)
  })

  it('may call before the task is written', async () => {
    await nudge({ id: 'a-request-to-come' })
    const runner = looksOf(scene.node)
    await runner.work()
    expect(await rows()).toHaveLength(1)
    const record = await draw({}, { id: 'a-request-to-come' })
    setState(record, { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/1.png' })
    later(5)
    await runner.work()
    expect(await drawing(record)).toMatchObject({ status: 'SUCCESS' })
  })

  it('leaves nothing behind for tasks that have ended, or never came', async () => {
    const record = await draw()
    setState(record, { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/1.png' })
    await nudge(record)
    await nudge({ id: 'refused-by-its-service' })
    const runner = looksOf(scene.node)
    await runner.work()
    expect(await rows()).toHaveLength(2)
    later(300)
    await runner.work()
    expect(await rows()).toEqual([])
    expect(looks()).toBe(1)
  })
})
