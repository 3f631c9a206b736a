import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { ListedTask } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { expectNothingAskedTwice, signInForReads } from '#web/test/first-reads.tsx'
import { renderConsole } from '#web/test/render-console.tsx'
import { TasksScreen } from './screen.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})

const task = (more: Partial<ListedTask> = {}): ListedTask => ({
  id: 5,
  created_at: 1_763_600_000,
  updated_at: 1_763_600_000,
  task_id: 'c0ffee',
  platform: 'suno',
  user_id: 7,
  channel_id: 3,
  quota: 50_000,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: 1_763_600_000,
  start_time: 0,
  finish_time: 1_763_600_090,
  progress: '100%',
  properties: { input: 'a song about gates' },
  data: [{ title: 'Gates' }],
  ...more,
})

const page = (items: ListedTask[]) => ({ items, total: items.length, page: 1, page_size: 10 })

it('shows every state as text: an empty one is being submitted, an unknown one is 未知', async () => {
  signIn(10)
  const states = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'QUEUED', 'UNKNOWN', '', 'NEW']
  fakeFetch({
    'GET /api/task/browse': () => page(states.map((status, id) => task({ id, status, task_id: `t${id}` }))),
  })
  await renderConsole(<TasksScreen />, '/task')
  for (const word of ['成功', '未启动', '队列中', '执行中', '失败', '排队中', '正在提交']) {
    expect((await screen.findAllByText(word)).length).toBeGreaterThan(0)
  }
  expect(screen.getAllByText('未知')).toHaveLength(2)
  expect(screen.getAllByText('90.00 s（偏慢）')).toHaveLength(states.length)
})

it('asks in seconds from midnight, for an ordinary user only for what is theirs', async () => {
  signIn(1)
  const sent = fakeFetch({ 'GET /api/task/self/browse': () => page([task()]) })
  await renderConsole(<TasksScreen />, '/task')
  expect(await screen.findByText('c0ffee')).toBeTruthy()
  const start = Number(sent[0]?.query.start_timestamp)
  expect(new Date(start * 1000).getHours() + new Date(start * 1000).getMinutes()).toBe(0)
  expect(sent[0]?.query).not.toHaveProperty('end_timestamp')
  expect(screen.queryByText('渠道')).toBeNull()
})

it('opens the whole record, and says why there is none', async () => {
  signIn(10)
  fakeFetch({ 'GET /api/task/browse': () => page([task()]) })
  const first = await renderConsole(<TasksScreen />, '/task?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText(/a song about gates/)).toBeTruthy()
  expect(within(sheet).getByText('生成音乐')).toBeTruthy()
  first.unmount()
  fakeFetch({ 'GET /api/task/browse': () => page([]) })
  await renderConsole(<TasksScreen />, '/task')
  expect(await screen.findByText('这个时间段没有任务')).toBeTruthy()
})

it('offers no task id to copy where the upstream refused to begin', async () => {
  signIn(1)
  fakeFetch({
    'GET /api/task/self/browse': () =>
      page([task({ task_id: '', fail_reason: 'no', fail_cause: { text: 'no' }, status: 'FAILURE' })]),
  })
  await renderConsole(<TasksScreen />, '/task?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('无')).toBeTruthy()
  expect(within(sheet).queryByRole('button', { name: /任务 ID/ })).toBeNull()
})

it('shows state, platform and action as unknown where they are names that every object inherits', async () => {
  signIn(10)
  const names = ['constructor', '__proto__', 'toString']
  const members = Object.fromEntries(names.map((name) => [name, name]))
  const tasks = names.map((name, id) =>
    task({ id, task_id: `task-${id}`, status: name, platform: name, action: name, properties: members, data: members }),
  )
  fakeFetch({ 'GET /api/task/browse': () => page(tasks) })
  await renderConsole(<TasksScreen />, '/task')
  for (const { task_id } of tasks) {
    const row = (await screen.findByText(task_id)).closest('tr') as HTMLElement
    expect(within(row).getAllByText('未知').length).toBeGreaterThan(1)
  }
})

it('asks nothing twice that is read ahead of the screen', async () => {
  signInForReads()
  await expectNothingAskedTwice({
    path: '/task',
    load: () => import('./screen.tsx'),
    screen: 'TasksScreen',
    list: '/api/task/browse',
  })
  localStorage.clear()
})
