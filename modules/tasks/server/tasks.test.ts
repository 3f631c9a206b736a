import type { ListedTask, OrganisationTask, Task } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { testOrganisationTasks } from '#server-test/support/organisations/organisation-tasks.ts'
import { taskRoutes } from './routes.ts'
import { createTasks } from './tasks.ts'

const now = 1_763_600_000

const row = {
  token_id: 0,
  created_at: now,
  updated_at: now,
  task_id: 't',
  platform: 'suno',
  user_id: 7,
  channel_id: 3,
  quota: 50,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: now,
  start_time: now,
  finish_time: now + 90,
  progress: '100%',
  properties: '{"input":"gates"}',
  data: '[{"title":"Gates"}]',
}

describeEachEngine('async tasks', (open) => {
  let database: Database
  let admin: SignedIn
  let user: SignedIn

  beforeAll(async () => {
    database = await open()
    const tasks = createTasks(database, {
      channelNames: async () => new Map([[3, 'Suno songs']]),
      userNames: async () => new Map([[7, 'alice']]),
    })
    admin = signedIn((on) => taskRoutes(on, tasks, testOrganisationTasks), { id: 1, role: 10 })
    user = signedIn((on) => taskRoutes(on, tasks, testOrganisationTasks), { id: 7 })
  })
  beforeEach(async () => {
    await database.query.deleteFrom('tasks').execute()
  })

  const write = (...rows: Partial<typeof row>[]) =>
    database.query
      .insertInto('tasks')
      .values(rows.map((more) => ({ ...row, ...more })))
      .execute()
  const get = async <T>(caller: SignedIn, path: string): Promise<T> => {
    const { json } = await caller('GET', path)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as T
  }
  it('of an organisation are those of its wallet, or of the keys that one reads, with project and member', async () => {
    await write(
      { task_id: 'ann', user_id: 40, token_id: 41 },
      { task_id: 'ben', user_id: 40, token_id: 42 },
      { task_id: 'old', user_id: 40 },
      { task_id: 'foreign', user_id: 8, token_id: 43 },
    )
    const found = async (id: number, more = '') =>
      (await get<{ items: OrganisationTask[] }>(user, `/api/organisation/${id}/tasks${more}`)).items.map(
        ({ task_id, project_id, member_id }) => [task_id, project_id, member_id],
      )
    expect(await found(5)).toEqual([
      ['old', 0, 0],
      ['ben', 0, 0],
      ['ann', 7, 3],
    ])
    expect(await found(6, '?user_id=8&not=user_id,status&channel_id=3')).toEqual([['ann', 7, 3]])
    expect(await found(7)).toEqual([])
  })

  const ids = async (caller: SignedIn, path: string) => (await get<Task[]>(caller, path)).map(({ task_id }) => task_id)

  it('are those that are not, too, and counted for each value; whose they are cannot be turned round', async () => {
    await write({ task_id: 'a' }, { task_id: 'b', status: 'FAILURE' }, { task_id: 'c', user_id: 8, action: 'LYRICS' })
    const found = async (caller: SignedIn, path: string) =>
      (await get<{ items: Task[] }>(caller, path)).items.map(({ task_id }) => task_id)
    expect(await found(admin, '/api/task/browse?status=SUCCESS&not=status')).toEqual(['b'])
    expect(await found(admin, '/api/task/browse?user_id=7&not=user_id')).toEqual(['c'])
    expect(await found(user, '/api/task/self/browse?user_id=7&not=user_id')).toEqual(['b', 'a'])
    expect(await get(admin, '/api/task/facets?facet=status&status=FAILURE')).toEqual({
      values: [
        { value: 'SUCCESS', count: 2 },
        { value: 'FAILURE', count: 1 },
      ],
      capped: false,
    })
    expect(await get(user, '/api/task/self/facets?facet=action')).toEqual({
      values: [{ value: 'MUSIC', count: 2 }],
      capped: false,
    })
  })

  it('say why they failed by the code of the error where the text is ours', async () => {
    await write(
      { task_id: 'late', status: 'FAILURE', fail_reason: '上游任务超时（超过1小时）' },
      { task_id: 'refused', status: 'FAILURE', fail_reason: 'no credit' },
      { task_id: 'done' },
    )
    const { items } = await get<{ items: ListedTask[] }>(user, '/api/task/self/browse')
    expect(items.map(({ task_id, fail_reason, fail_cause }) => [task_id, fail_reason, fail_cause])).toEqual([
      ['done', '', undefined],
      ['refused', 'no credit', { text: 'no credit' }],
      ['late', '上游任务超时（超过1小时）', { text: '上游任务超时（超过1小时）', code: 'task_timed_out', params: {} }],
    ])
  })

  it('come as a bare list with their record as JSON, ten at a time from page 0, newest first', async () => {
    await write(...Array.from({ length: 12 }, (_, index) => ({ task_id: `t${index}` })), {
      task_id: 'odd',
      data: 'no JSON',
      properties: '',
    })
    expect(await ids(admin, '/api/task/')).toHaveLength(10)
    expect(await ids(admin, '/api/task/?p=1')).toEqual(['t2', 't1', 't0'])
    const [odd, plain] = await get<Task[]>(admin, '/api/task/')
    expect(odd).toMatchObject({ data: 'no JSON', properties: null })
    expect(plain).toMatchObject({ data: [{ title: 'Gates' }], properties: { input: 'gates' } })
    expect(await get(admin, '/api/task/browse?page_size=10')).toMatchObject({ total: 13, page: 1 })
  })

  it('are found by channel, id, platform, state, kind and time in seconds', async () => {
    await write(
      { task_id: 'a', channel_id: 5, submit_time: now - 50 },
      { task_id: 'b', status: 'FAILURE', action: 'LYRICS' },
      { task_id: 'c', platform: 'other', status: '' },
    )
    expect(await ids(admin, '/api/task/?channel_id=5')).toEqual(['a'])
    expect(await ids(admin, '/api/task/?task_id=b')).toEqual(['b'])
    expect(await ids(admin, '/api/task/?platform=other')).toEqual(['c'])
    expect(await ids(admin, '/api/task/?status=FAILURE')).toEqual(['b'])
    expect(await ids(admin, '/api/task/?action=LYRICS')).toEqual(['b'])
    expect(await ids(admin, `/api/task/?start_timestamp=${now}`)).toEqual(['c', 'b'])
    expect(await ids(admin, `/api/task/?end_timestamp=${now - 1}`)).toEqual(['a'])
    // The reference's console sends this when no end was chosen.
    expect(await ids(admin, '/api/task/?end_timestamp=NaN')).toHaveLength(3)
  })

  it('name their channel and user to operators, whose filters count them by name', async () => {
    await write({ task_id: 'a' }, { task_id: 'b', channel_id: 5, user_id: 8 })
    const { items } = await get<{ items: object[] }>(admin, '/api/task/browse')
    expect(items).toMatchObject([
      { task_id: 'b', channel_name: '', username: '' },
      { task_id: 'a', channel_name: 'Suno songs', username: 'alice' },
    ])
    expect(await get(admin, '/api/task/facets?facet=channel_id&channel_id=5')).toMatchObject({
      values: [
        { value: '3', count: 1, name: 'Suno songs' },
        { value: '5', count: 1 },
      ],
    })
    const own = await get<{ items: object[] }>(user, '/api/task/self/browse')
    expect(own.items).toEqual([expect.not.objectContaining({ channel_name: expect.anything() })])
    expect((await user('GET', '/api/task/self/facets?facet=user_id')).json.success).toBe(false)
  })

  it('are shown to users only where they are their own, without the channel', async () => {
    await write({ task_id: 'mine' }, { task_id: 'other', user_id: 8 })
    expect(await get(user, '/api/task/self?channel_id=99')).toMatchObject([{ task_id: 'mine', channel_id: 0 }])
    expect(await get(user, '/api/task/self/browse?user_id=8')).toMatchObject({ total: 1 })
    for (const path of ['/api/task/', '/api/task/browse']) {
      expect((await user('GET', path)).json).toMatchObject({ code: 'permission_denied' })
    }
  })

  it('are cut in the list where texts of an earlier version are millions of characters long', async () => {
    const long = 'm'.repeat(2_000_000)
    await write({ fail_reason: long, properties: long, data: long })
    const page = await get<{ items: ListedTask[] }>(admin, '/api/task/browse')
    expect(page.items).toHaveLength(1)
    expect(JSON.stringify(page).length).toBeLessThan(60_000)
  })
})
