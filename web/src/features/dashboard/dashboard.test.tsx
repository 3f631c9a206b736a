import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UsageReport } from '../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { statusStore } from '../../lib/status.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { useDashboardMessages } from './messages.ts'
import { logSearchOf, nameOf } from './names.ts'
import { DashboardScreen } from './screen.tsx'
import { readView } from './view.ts'

const { say } = useDashboardMessages

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
  statusStore.set({ ...statusStore.get(), enable_data_export: true, data_export_default_time: 'day' })
})

const day = 86_400
const start = 1_763_596_800
const figures = { quota: 500_000, count: 4, tokens: 90, failures: 1 }

const report = (more: Partial<UsageReport> = {}): UsageReport => ({
  from: start,
  to: start + 2 * day,
  granularity: 'day',
  utc_days: false,
  buckets: [start, start + day],
  series: [
    { key: 'gpt-4o', name: 'gpt-4o', rest: false, quota: [100_000, 400_000], count: [1, 3], tokens: [30, 60] },
    { key: 'rest', name: '', rest: true, quota: [0, 250_000], count: [0, 2], tokens: [0, 10] },
  ],
  top: [
    { key: 'gpt-4o', name: 'gpt-4o', rest: false, ...figures },
    { key: 'rest', name: '', rest: true, quota: 250_000, count: 2, tokens: 10, failures: 0 },
  ],
  totals: { quota: 750_000, count: 6, prompt_tokens: 60, completion_tokens: 40, failures: 1 },
  before: { quota: 500_000, count: 6, prompt_tokens: 0, completion_tokens: 0, failures: 0 },
  refresh_minutes: 5,
  ...more,
})

const self = () => ({ id: 7, username: 'alice', quota: 1_000_000, used_quota: 250_000, request_count: 12 })

describe('the view', () => {
  it('begins with what the operator chose', () => {
    expect(readView({}, 'hour', true)).toMatchObject({ range: '24h', granularity: 'hour', by: 'model', mine: false })
    expect(readView({}, 'day', true)).toMatchObject({ range: '7d', granularity: 'day' })
    expect(readView({}, 'week', true)).toMatchObject({ range: '30d', granularity: 'week' })
  })

  it('never asks for what only administrators may see', () => {
    const search = { by: 'channel', user: '3', channel: '4', model: 'm', mine: '0' }
    expect(readView(search, 'day', false)).toMatchObject({ by: 'model', mine: true, only: { model: 'm' } })
    expect(readView(search, 'day', true)).toMatchObject({ by: 'channel', mine: false })
  })
})

describe('cost and margin', () => {
  const costed = (margin: number): UsageReport =>
    report({
      series: [
        {
          key: 'gpt-4o',
          name: 'gpt-4o',
          rest: false,
          quota: [100, 400],
          count: [1, 3],
          tokens: [3, 6],
          cost: [100_000, 200_000],
          margin: [margin, 50_000],
        },
      ],
      top: [
        {
          key: 'gpt-4o',
          name: 'gpt-4o',
          rest: false,
          ...figures,
          cost: 300_000,
          margin,
          uncosted: 1,
          uncosted_quota: 9,
        },
        { key: 'new', name: 'new', rest: false, ...figures, cost: 0, margin: 0, uncosted: 4, uncosted_quota: 500_000 },
      ],
      totals: {
        quota: 750_000,
        count: 6,
        prompt_tokens: 60,
        completion_tokens: 40,
        failures: 1,
        cost: 300_000,
        margin,
        uncosted: 5,
        uncosted_quota: 350_000,
      },
    })

  it('stand beside the charge for administrators, and unknown is not profit', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/dashboard': () => costed(100_000), 'GET /api/user/self': self })
    await renderConsole(<DashboardScreen />, '/?metric=margin')
    const table = await screen.findByRole('table', { name: '模型排行' })
    const [first, second] = within(table).getAllByRole('row').slice(1)
    expect(first?.textContent).toContain('$0.60')
    expect(first?.textContent).toContain('1 次成本未知')
    expect(second?.textContent).toContain('未知未知')
    expect(screen.getByText(/5 次调用的成本未知/)).toBeTruthy()
    expect(screen.getByText('成本未知的收入')).toBeTruthy()
  })

  it('are a table where there are losses', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/dashboard': () => costed(-100_000), 'GET /api/user/self': self })
    await renderConsole(<DashboardScreen />, '/?metric=margin')
    expect(await screen.findByRole('table', { name: '毛利趋势' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '以图表显示' })).toBeNull()
  })

  it('are nothing that users can ask for', () => {
    expect(readView({ metric: 'margin' }, 'day', false).metric).toBe('quota')
    expect(readView({ metric: 'margin', mine: '1' }, 'day', true).metric).toBe('quota')
    expect(readView({ metric: 'margin' }, 'day', true).metric).toBe('margin')
  })
})

describe('names', () => {
  it('label rows without a name', () => {
    const row = { key: '0', name: '', rest: false }
    expect(nameOf('token', row, say)).toBe('操练场')
    expect(nameOf('channel', row, say)).toBe('未分配渠道')
    expect(nameOf('user', { key: '12', name: '', rest: false }, say)).toBe('#12')
    expect(nameOf('model', { key: 'rest', name: '', rest: true }, say)).toBe('其他')
  })

  it('lead to exactly the logs that they stand for', () => {
    const span = { from: 100, to: 200 }
    expect(logSearchOf('model', { key: 'gpt-4o', name: 'gpt-4o', rest: false }, span)).toEqual({
      range: '100..199',
      model_name: '"gpt-4o"',
    })
    expect(logSearchOf('channel', { key: '4', name: '', rest: false }, span)).toEqual({
      range: '100..199',
      channel: '4',
    })
    expect(logSearchOf('user', { key: '4', name: 'bob', rest: false }, span)).toMatchObject({ username: 'bob' })
    const key = { key: '4', name: 'prod', owner: 'bob', rest: false }
    expect(logSearchOf('token', key, span)).toMatchObject({ token_name: 'prod', username: 'bob' })
    expect(logSearchOf('model', { key: 'rest', name: '', rest: true }, span)).toBeUndefined()
  })
})

describe('the screen', () => {
  it('shows account, range, chart and ranking, and leads to the logs', async () => {
    signIn(10)
    const sent = fakeFetch({ 'GET /api/dashboard': () => report(), 'GET /api/user/self': self })
    await renderConsole(<DashboardScreen />, '/detail?range=7d')
    const ranking = await screen.findByRole('table', { name: '模型排行' })
    expect(within(ranking).getByText('$1.00')).toBeTruthy()
    expect(within(ranking).getByRole('link', { name: '查看 gpt-4o 的日志' }).getAttribute('href')).toContain('/log?')
    expect(within(ranking).queryByRole('link', { name: /其他/ })).toBeNull()
    expect(screen.getByText('$2.00')).toBeTruthy()
    expect(screen.getByText('较上一周期 +50.0%')).toBeTruthy()
    expect(screen.getByRole('slider').getAttribute('aria-label')).toContain('总计 $1.50')
    const request = sent.find(({ path }) => path === '/api/dashboard')
    expect(request?.query).toMatchObject({ granularity: 'day', by: 'model', metric: 'quota' })
    expect(request?.query.zone).toBeTruthy()
  })

  it('draws lines at round dollars, and at whole calls', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/dashboard': () => report(), 'GET /api/user/self': self })
    const { unmount } = await renderConsole(<DashboardScreen />, '/detail')
    for (const tick of ['$0', '$0.50', '$1']) expect((await screen.findAllByText(tick)).length).toBeGreaterThan(0)
    unmount()
    await renderConsole(<DashboardScreen />, '/detail?metric=count')
    const chart = (await screen.findByRole('slider')).closest('figure')
    const ticks = [...(chart?.firstElementChild?.children ?? [])].map(({ textContent }) => textContent)
    expect(ticks).toEqual(['6', '4', '2', '0'])
  })

  it('has the chart as a table too', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/dashboard': () => report(), 'GET /api/user/self': self })
    await renderConsole(<DashboardScreen />, '/detail')
    await userEvent.click(await screen.findByRole('button', { name: '以表格显示' }))
    const table = screen.getByRole('table', { name: '花费趋势' })
    const rows = within(table).getAllByRole('row')
    expect(rows).toHaveLength(3)
    // The newest point stands first.
    expect(rows[1]?.textContent).toContain('$1.30')
    expect(rows[1]?.textContent).toContain('$0.50')
  })

  it('narrows to what is pressed and back', async () => {
    signIn(10)
    const sent = fakeFetch({ 'GET /api/dashboard': () => report(), 'GET /api/user/self': self })
    const { router } = await renderConsole(<DashboardScreen />, '/detail')
    await userEvent.click(await screen.findByRole('button', { name: 'gpt-4o' }))
    expect(router.state.location.search).toMatchObject({ model: 'gpt-4o' })
    await screen.findByRole('button', { name: '移除筛选 gpt-4o' })
    expect(sent.some(({ query }) => query.model === 'gpt-4o')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: '移除筛选 gpt-4o' }))
    expect(router.state.location.search).not.toHaveProperty('model')
  })

  it('asks for an ordinary user only what is theirs, and offers neither users nor channels', async () => {
    signIn(1)
    const sent = fakeFetch({ 'GET /api/dashboard/self': () => report(), 'GET /api/user/self': self })
    await renderConsole(<DashboardScreen />, '/detail?by=user')
    await screen.findByRole('table', { name: '模型排行' })
    expect(sent.some(({ path }) => path === '/api/dashboard')).toBe(false)
    expect(screen.queryByRole('radio', { name: '渠道' })).toBeNull()
    expect(screen.queryByRole('radio', { name: '全站' })).toBeNull()
  })

  it('says why there is nothing, that it is off, and what went wrong', async () => {
    signIn(10)
    const nothing = { quota: 0, count: 0, prompt_tokens: 0, completion_tokens: 0, failures: 0 }
    fakeFetch({
      'GET /api/dashboard': () => report({ series: [], top: [], totals: nothing, before: nothing }),
      'GET /api/user/self': self,
    })
    const first = await renderConsole(<DashboardScreen />, '/detail')
    expect(await screen.findByText('这个时间段没有用量')).toBeTruthy()
    expect(first.container.textContent).not.toContain('NaN')
    first.unmount()

    fakeFetch({ 'GET /api/dashboard': () => refused('数据库不可用'), 'GET /api/user/self': self })
    const second = await renderConsole(<DashboardScreen />, '/detail')
    expect(await screen.findByText('数据库不可用')).toBeTruthy()
    second.unmount()

    statusStore.set({ ...statusStore.get(), enable_data_export: false })
    const sent = fakeFetch({})
    await renderConsole(<DashboardScreen />, '/detail')
    expect(await screen.findByText('管理员已关闭数据看板')).toBeTruthy()
    expect(sent.filter(({ path }) => path.startsWith('/api/dashboard'))).toEqual([])
  })

  it('says when it sums more coarsely than requested', async () => {
    signIn(10)
    fakeFetch({
      'GET /api/dashboard': () => report({ granularity: 'week', utc_days: true }),
      'GET /api/user/self': self,
    })
    await renderConsole(<DashboardScreen />, '/detail?range=year')
    expect(await screen.findByText(/已按周汇总 · 超过 35 天的范围按 UTC 日期汇总/)).toBeTruthy()
  })
})
