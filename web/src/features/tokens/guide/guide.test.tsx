import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { preferencesStore } from '../../../lib/preferences/preferences.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { GuidePlace } from './guide-place.tsx'

let nextId = 500
const signIn = (role = 1): void => {
  nextId += 1
  storeUser({ id: nextId, username: `u${nextId}`, display_name: '', role, status: 1, group: '' })
}

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})
afterEach(() => void vi.useRealTimers())

const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 1 })
const key = (more: object = {}) => ({
  id: 1,
  key: 'abc***xyz',
  name: 'laptop',
  created_time: 1000,
  accessed_time: 1000,
  model_limits_enabled: false,
  model_limits: '',
  ...more,
})

const site = (overrides: { keys?: unknown[]; self?: object; failed?: unknown[]; channels?: unknown[] } = {}) => {
  const state = { keys: [] as unknown[], self: {}, failed: [] as unknown[], channels: [] as unknown[], ...overrides }
  const sent = fakeFetch({
    'GET /api/token/browse': () => page(state.keys),
    'GET /api/user/self': () => ({ quota: 0, used_quota: 0, request_count: 0, ...state.self }),
    'GET /api/log/self': () => page(state.failed),
    'GET /api/user/models': () => ['gpt-4o'],
    'GET /api/channel/browse': () => page(state.channels),
    'POST /api/token/1/key': () => ({ key: 'abcdefxyz' }),
  })
  return { state, sent }
}
const steps = async () => within(await screen.findByRole('region', { name: '开始使用' })).getAllByRole('listitem')
const done = async () =>
  (await steps()).filter(({ textContent }) => textContent?.includes('（已完成）')).map(({ textContent }) => textContent)

describe('the first steps', () => {
  it('begin with a key for a new user', async () => {
    signIn()
    site()
    const { router } = await renderConsole(<GuidePlace />, '/token')
    const texts = (await steps()).map(({ textContent }) => textContent)
    expect(texts).toHaveLength(4)
    for (const [place, title] of ['创建令牌', '复制接口地址', '发出第一次调用', '拥有余额'].entries())
      expect(texts[place]).toContain(title)
    expect(await done()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '创建令牌' }))
    expect(router.state.location.search).toMatchObject({ add: '1' })
  })

  it('begin with a channel and its test for operators', async () => {
    signIn(100)
    site({ channels: [{ id: 1, response_time: 0 }], self: { quota: 5 } })
    await renderConsole(<GuidePlace />, '/token')
    expect(await steps()).toHaveLength(6)
    expect((await done()).map((text) => text?.slice(0, 4))).toEqual(['添加渠道', '拥有余额'])
  })

  it('know a copied address, here and on the server', async () => {
    const user = userEvent.setup()
    signIn()
    site({ keys: [key()] })
    await renderConsole(<GuidePlace />, '/token')
    await user.click(await screen.findByRole('button', { name: /复制 *接口地址/ }))
    expect((await done()).map((text) => text?.slice(0, 4))).toEqual(['创建令牌', '复制接口'])
    expect(preferencesStore.get().unsent.marks).toEqual({ 'address-copied': true })
  })

  it('show a call to paste, and fill the key in when that is asked for', async () => {
    signIn()
    site({ keys: [key()] })
    await renderConsole(<GuidePlace />, '/token')
    const code = (await screen.findByText(/curl/)).closest('pre')
    expect(code?.textContent).toContain(`${window.location.origin}/v1/chat/completions`)
    expect(code?.textContent).toContain('Bearer sk-abc***xyz')
    await userEvent.click(screen.getByRole('button', { name: '填入密钥' }))
    await vi.waitFor(() => expect(code?.textContent).toContain('Bearer sk-abcdefxyz'))
  })

  it('notice the first call by themselves, and say why one failed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    signIn()
    const { state, sent } = site({ keys: [key()], failed: [{ id: 1, content: '余额不足' }], self: { quota: 5 } })
    await renderConsole(<GuidePlace />, '/token')
    expect(await screen.findByText('最近一次调用失败：余额不足')).toBeTruthy()
    state.self = { quota: 5, request_count: 1 }
    state.keys = [key({ accessed_time: 2000 })]
    await vi.advanceTimersByTimeAsync(5_500)
    expect(await screen.findByText('全部完成，可以开始使用了')).toBeTruthy()
    const selfRequests = () => sent.filter(({ path }) => path === '/api/user/self').length
    const before = selfRequests()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(selfRequests()).toBe(before)
  })

  it('are put away for good, and come back when they are called', async () => {
    signIn()
    site()
    const { unmount } = await renderConsole(<GuidePlace />, '/token')
    await userEvent.click(await screen.findByRole('button', { name: '不再显示' }))
    expect(screen.queryByRole('region')).toBeNull()
    expect(preferencesStore.get().unsent.marks).toEqual({ 'guide-over': true })
    unmount()
    await renderConsole(<GuidePlace />, '/token?guide=1')
    expect(await steps()).toHaveLength(4)
  })

  it('are not shown to a user who has done them all, and not requested again', async () => {
    signIn()
    const { sent } = site({ keys: [key({ accessed_time: 2000 })], self: { request_count: 9, used_quota: 4 } })
    const { unmount } = await renderConsole(<GuidePlace />, '/token')
    await vi.waitFor(() => expect(preferencesStore.get().all.marks).toEqual({ 'guide-over': true }))
    expect(screen.queryByRole('region')).toBeNull()
    unmount()
    sent.length = 0
    await renderConsole(<GuidePlace />, '/token')
    expect(sent).toEqual([])
  })
})
