import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogVolume } from '../../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { preferencesStore } from '../../../lib/preferences/preferences.ts'
import { fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { LogsScreen } from '../screen.tsx'

const noon = 1_763_640_000
const hour = 3_600
let nextId = 700

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
  preferencesStore.change({ time_zone: 'UTC' })
})

const signIn = (role: number): void => {
  nextId += 1
  storeUser({ id: nextId, username: `u${nextId}`, display_name: '', role, status: 1, group: 'default' })
  preferencesStore.change({ time_zone: 'UTC' })
}

const volume = (fields: Partial<LogVolume> = {}): LogVolume => ({
  starts: [noon, noon + hour, noon + 2 * hour],
  to: noon + 3 * hour,
  piece_seconds: hour,
  utc_days: false,
  done: [5, 0, 12_000],
  failed: [0, 2, 1],
  counted: 'sums',
  capped: false,
  first_p95: 1234,
  cache_share: 0.314,
  ...fields,
})

const empty = { items: [], total: 0, page: 1, page_size: 10 }
const open = async (path = '/log', answer: () => unknown = () => volume(), role = 1) => {
  signIn(role)
  const own = role < 10 ? '/self' : ''
  const sent = fakeFetch({
    'GET /api/user/models': () => [],
    'GET /api/user/self/groups': () => ({}),
    'GET /api/token/browse': () => empty,
    [`GET /api/log${own || '/'}`]: () => empty,
    [`GET /api/log${own}/stat`]: () => ({ quota: 1, rpm: 2, tpm: 3 }),
    [`GET /api/log${own}/volume`]: answer,
  })
  const { router } = await renderConsole(<LogsScreen />, path)
  const volumeRequests = () => sent.filter(({ path: at }) => at.endsWith('/volume'))
  return { sent, volumeRequests, router }
}

describe('the volume above the log', () => {
  it('is that of the filters of the list, in the zone of the reader', async () => {
    const { volumeRequests } = await open('/log?type=2&model_name=gpt', undefined, 10)
    const panel = within(await screen.findByRole('region', { name: '请求量' }))
    expect(await panel.findByText('成功 12k')).toBeTruthy()
    expect(panel.getByText('首字 p95').nextSibling?.textContent).toBe('1.23 s')
    expect(panel.getByText('缓存占比').nextSibling?.textContent).toBe('31%')
    expect(panel.getByText('失败 3')).toBeTruthy()
    expect(volumeRequests()[0]?.path).toBe('/api/log/volume')
    expect(volumeRequests()[0]?.query).toMatchObject({ type: '2', model_name: 'gpt', zone: 'UTC' })
    expect(Number(volumeRequests()[0]?.query.start_timestamp)).toBeGreaterThan(0)
  })

  it('becomes the range of the list where it is drawn over with the keyboard', async () => {
    const { router, volumeRequests } = await open()
    const chart = await screen.findByRole('slider')
    const press = (key: string, shiftKey = false) => fireEvent.keyDown(chart, { key, shiftKey })
    press('ArrowRight')
    expect(chart.getAttribute('aria-valuetext')).toBe('2025 年 11 月 20 日 12:00: 5')
    press('ArrowRight', true)
    expect(chart.getAttribute('aria-valuetext')).toBe('2025 年 11 月 20 日 12:00 – 11/20 14:00: 7')
    press('Enter')
    await vi.waitFor(() =>
      expect(router.state.location.search).toMatchObject({ range: `${noon}..${noon + 2 * hour - 1}` }),
    )
    await vi.waitFor(() => expect(volumeRequests().at(-1)?.query).toMatchObject({ start_timestamp: String(noon) }))
  })

  it('reaches to the end of its last piece', async () => {
    const { router } = await open()
    const chart = await screen.findByRole('slider')
    fireEvent.keyDown(chart, { key: 'ArrowLeft' })
    fireEvent.keyDown(chart, { key: 'Enter' })
    await vi.waitFor(() =>
      expect(router.state.location.search).toMatchObject({ range: `${noon + 2 * hour}..${noon + 3 * hour - 1}` }),
    )
  })

  it('counts the calls and how many of them succeeded', async () => {
    await open('/log', () => volume({ done: [7, 2, 0], failed: [0, 1, 0] }))
    const panel = within(await screen.findByRole('region', { name: '请求量' }))
    const figures = (await panel.findAllByRole('definition')).map(({ textContent }) => textContent)
    expect(figures.slice(0, 3)).toEqual(['10', '$0.000002', '90.00%'])
  })

  it.each([
    ['5', '$0.00'],
    ['3', '$0.00'],
    ['2', '$0.000002'],
  ])('sums the charges of the entries listed: type %s', async (type, spend) => {
    await open(`/log?type=${type}`)
    const label = await screen.findByText('花费')
    await vi.waitFor(() => expect(label.nextSibling?.textContent).toBe(spend))
  })

  it('says what it does not know', async () => {
    await open('/log?type=3', () => volume({ counted: 'rows', capped: true, failed: [0, 0, 0] }))
    const panel = within(await screen.findByRole('region', { name: '各时段的记录数' }))
    expect(await panel.findByText('仅统计最新的 2,000 条')).toBeTruthy()
    expect(panel.getByText('记录 12k')).toBeTruthy()
    expect(panel.queryByText(/失败/)).toBeNull()
  })

  it('leaves the list alone where it cannot be counted', async () => {
    await open('/log', () => refused('busy'))
    expect(await screen.findByText('暂时无法统计')).toBeTruthy()
    expect(screen.getByText('这个时间段没有日志')).toBeTruthy()
  })
})
