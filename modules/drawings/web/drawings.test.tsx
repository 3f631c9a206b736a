import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ListedDrawing } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { expectNothingAskedTwice, signInForReads } from '#web/test/first-reads.tsx'
import { renderConsole } from '#web/test/render-console.tsx'
import { DrawingsScreen } from './screen.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
  statusStore.set({ ...statusStore.get(), mj_notify_enabled: true })
})

const drawing = (more: Partial<ListedDrawing> = {}): ListedDrawing => ({
  id: 5,
  code: 1,
  user_id: 7,
  action: 'IMAGINE',
  mj_id: '1763001',
  prompt: 'a toll booth',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: 1_763_600_000_000,
  start_time: 0,
  finish_time: 1_763_600_040_500,
  image_url: 'https://site.test/mj/image/1763001',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 3,
  quota: 50_000,
  buttons: '[]',
  properties: '',
  ...more,
})

const page = (items: ListedDrawing[]) => ({ items, total: items.length, page: 1, page_size: 10 })

it('shows every state and result as text, and unknown ones as 未知', async () => {
  signIn(10)
  const states = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'MODAL', 'NEW']
  fakeFetch({
    'GET /api/mj/browse': () =>
      page(states.map((status, id) => drawing({ id, status, mj_id: `m${id}`, code: [1, 21, 22, 0, 7][id] ?? 1 }))),
  })
  await renderConsole(<DrawingsScreen />, '/midjourney')
  for (const word of ['成功', '未启动', '队列中', '执行中', '失败', '窗口等待', '等待中', '重复提交', '未提交']) {
    expect((await screen.findAllByText(word)).length).toBeGreaterThan(0)
  }
  expect(screen.getAllByText('未知').length).toBe(2)
  expect(screen.getAllByText('40.50 s').length).toBe(states.length)
})

it('calls a drawing slow that took more than a minute', async () => {
  signIn(1)
  const took = (ms: number, id: number) => drawing({ id, mj_id: `m${id}`, submit_time: 1e12, finish_time: 1e12 + ms })
  fakeFetch({ 'GET /api/mj/self/browse': () => page([took(60_000, 1), took(60_100, 2)]) })
  await renderConsole(<DrawingsScreen />, '/midjourney')
  expect(await screen.findByText('60.00 s')).toBeTruthy()
  expect(screen.getByText('60.10 s（偏慢）')).toBeTruthy()
})

it('says no duration while a drawing is under way, and where the clock of its upstream is wrong', async () => {
  signIn(1)
  const ended = (finish_time: number, id: number) => drawing({ id, mj_id: `m${id}`, submit_time: 1e12, finish_time })
  fakeFetch({ 'GET /api/mj/self/browse': () => page([ended(0, 1), ended(1e12 - 35e9, 2)]) })
  await renderConsole(<DrawingsScreen />, '/midjourney')
  expect(await screen.findByText('m2')).toBeTruthy()
  expect(screen.queryByText(/\d s$/)).toBeNull()
  expect(screen.getAllByText('N/A')).toHaveLength(2)
})

it('asks in milliseconds, for an ordinary user only for what is theirs', async () => {
  signIn(1)
  const sent = fakeFetch({ 'GET /api/mj/self/browse': () => page([drawing()]) })
  await renderConsole(<DrawingsScreen />, '/midjourney?status=FAILURE')
  expect(await screen.findByText('1763001')).toBeTruthy()
  const query = sent[0]?.query ?? {}
  expect(query.status).toBe('FAILURE')
  expect(Number(query.end_timestamp) - Number(query.start_timestamp)).toBe((30 * 86_400 + 3_600) * 1000)
  expect(Number(query.end_timestamp)).toBeGreaterThan(1e12)
  expect(screen.queryByText('渠道')).toBeNull()
  expect(screen.queryByText('提交结果')).toBeNull()
})

it('shows the picture through this server, and says when there is none to be had', async () => {
  signIn(1)
  fakeFetch({ 'GET /api/mj/self/browse': () => page([drawing(), drawing({ id: 6, mj_id: 'm6', image_url: '' })]) })
  await renderConsole(<DrawingsScreen />, '/midjourney')
  const buttons = await screen.findAllByRole('button', { name: '查看图片' })
  expect(buttons).toHaveLength(1)
  await userEvent.click(buttons[0] as HTMLElement)
  const picture = await screen.findByRole('img', { name: /1763001/ })
  expect(picture.getAttribute('src')).toBe('/api/mj/image/5')
  fireEvent.error(picture)
  expect(await screen.findByText('图片获取失败')).toBeTruthy()
})

it('shows only administrators that callbacks are off', async () => {
  statusStore.set({ ...statusStore.get(), mj_notify_enabled: false })
  const words = 'Midjourney 回调未开启，部分任务可能无法获得结果，可在运营设置中开启。'
  signIn(10)
  fakeFetch({ 'GET /api/mj/browse': () => page([]), 'GET /api/mj/self/browse': () => page([]) })
  const first = await renderConsole(<DrawingsScreen />, '/midjourney')
  expect(await screen.findByText(words)).toBeTruthy()
  first.unmount()
  signIn(1)
  await renderConsole(<DrawingsScreen />, '/midjourney')
  expect(await screen.findByText('这个时间段没有绘图任务')).toBeTruthy()
  expect(screen.queryByText(words)).toBeNull()
})

it('opens the whole task at an address of its own', async () => {
  signIn(10)
  fakeFetch({
    'GET /api/mj/browse': () =>
      page([drawing({ fail_reason: 'Banned prompt', fail_cause: { text: 'Banned prompt' }, status: 'FAILURE' })]),
  })
  await renderConsole(<DrawingsScreen />, '/midjourney?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('Banned prompt')).toBeTruthy()
  expect(within(sheet).getByText('a toll booth')).toBeTruthy()
})

it('offers no task id to copy where the upstream refused to begin', async () => {
  signIn(1)
  const refused = {
    mj_id: '',
    status: 'FAILURE',
    fail_reason: 'Banned prompt',
    fail_cause: { text: 'Banned prompt' },
    prompt_en: 'a toll booth',
  }
  fakeFetch({ 'GET /api/mj/self/browse': () => page([drawing(refused)]) })
  await renderConsole(<DrawingsScreen />, '/midjourney?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('无')).toBeTruthy()
  expect(within(sheet).queryByRole('button', { name: /任务 ID/ })).toBeNull()
  const row = document.querySelector<HTMLElement>('[data-row="0"]')
  expect(within(row ?? document.body).getByText('无')).toBeTruthy()
})

it('names channels and users to operators, and filters by name', async () => {
  signIn(10)
  const asked = fakeFetch({
    'GET /api/mj/browse': () =>
      page([
        drawing({ channel_name: 'Midjourney proxy', username: 'alice' }),
        drawing({ id: 6, mj_id: 'm6', channel_id: 9, user_id: 8, channel_name: '', username: '' }),
      ]),
    'GET /api/mj/facets': () => ({ values: [{ value: '3', count: 1, name: 'Midjourney proxy' }], capped: false }),
  })
  await renderConsole(<DrawingsScreen />, '/midjourney')
  expect((await screen.findByRole('link', { name: 'Midjourney proxy' })).getAttribute('href')).toBe('/channel/3')
  expect(screen.getByRole('link', { name: 'alice' }).getAttribute('href')).toBe('/user/7')
  expect(screen.getByText('#9')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '按渠道筛选' }))
  await userEvent.click(await screen.findByRole('radio', { name: /Midjourney proxy/ }))
  await screen.findByRole('button', { name: /渠道.*Midjourney proxy/ })
  expect(asked.filter(({ query }) => query.channel_id === '3').length).toBeGreaterThan(0)
})

it('asks nothing twice that is read ahead of the screen', async () => {
  signInForReads()
  await expectNothingAskedTwice({
    path: '/midjourney',
    load: () => import('./screen.tsx'),
    screen: 'DrawingsScreen',
    list: '/api/mj/browse',
  })
  localStorage.clear()
})
