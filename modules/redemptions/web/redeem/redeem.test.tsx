import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { Redeem } from './redeem.tsx'
import { WaysToCodes } from './ways-to-codes.tsx'

beforeEach(() => {
  setLanguage('zh')
  statusStore.set({ ...statusStore.get(), display_in_currency: true, top_up_link: '' })
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: '' })
})

describe('redeeming', () => {
  const redeem = () => screen.getByRole('button', { name: '兑换' })

  it('wants a code', async () => {
    const sent = fakeFetch({})
    await renderConsole(<Redeem />, '/topup')
    await screen.findByText('兑换余额')
    await userEvent.click(redeem())
    expect(await screen.findByText('请输入兑换码！')).toBeTruthy()
    expect(sent.some(({ path, method }) => method === 'POST' && path === '/api/user/topup')).toBe(false)
  })

  it('says what was added and forgets the code; a refusal keeps it', async () => {
    let right = false
    const sent = fakeFetch({ 'POST /api/user/topup': () => (right ? 500_000 : refused('兑换失败，无效的兑换码')) })
    await renderConsole(<Redeem />, '/topup')
    const field = await screen.findByLabelText<HTMLInputElement>('兑换码')
    await userEvent.type(field, ' 0123 ')
    await userEvent.click(redeem())
    expect(await screen.findByText('兑换失败，无效的兑换码')).toBeTruthy()
    expect(field.value).toBe(' 0123 ')
    right = true
    await userEvent.click(redeem())
    expect(await screen.findByText('成功兑换额度：$1.00')).toBeTruthy()
    expect(field.value).toBe('')
    expect(sent.findLast(({ path }) => path === '/api/user/topup')?.body).toEqual({ key: '0123' })
  })

  it('says that there was no answer, and keeps the code', async () => {
    fakeFetch({
      'POST /api/user/topup': () => {
        throw new TypeError('fetch failed')
      },
    })
    await renderConsole(<Redeem />, '/topup')
    const field = await screen.findByLabelText<HTMLInputElement>('兑换码')
    await userEvent.type(field, '0123')
    await userEvent.click(redeem())
    expect(await screen.findByText('请求失败')).toBeTruthy()
    expect(field.value).toBe('0123')
  })

  it('leads to the shop, and without one says so instead of offering a button', async () => {
    fakeFetch({})
    const { unmount } = await renderConsole(<Redeem />, '/topup')
    expect(await screen.findByText('超级管理员未设置充值链接！')).toBeTruthy()
    expect(screen.queryByText('获取兑换码')).toBeNull()
    unmount()
    statusStore.set({ ...statusStore.get(), top_up_link: 'https://shop.example' })
    await renderConsole(<Redeem />, '/topup')
    const shop = await screen.findByRole('link', { name: '获取兑换码' })
    expect(shop.getAttribute('href')).toBe('https://shop.example')
    statusStore.set({ ...statusStore.get(), top_up_link: '' })
  })
})

describe('the first steps of a user without a balance', () => {
  const info = (online: boolean) => ({
    'GET /api/user/topup/info': () => ({ online, least: 1, presets: [], methods: [] }),
  })

  it('lead to the wallet, and to the shop where there is one', async () => {
    fakeFetch(info(false))
    const { unmount } = await renderConsole(<WaysToCodes />, '/token')
    expect((await screen.findByRole('link', { name: '使用兑换码' })).getAttribute('href')).toBe('/topup')
    expect(screen.queryByRole('link', { name: '购买兑换码' })).toBeNull()
    unmount()
    statusStore.set({ ...statusStore.get(), top_up_link: 'https://shop.example' })
    await renderConsole(<WaysToCodes />, '/token')
    expect((await screen.findByRole('link', { name: '购买兑换码' })).getAttribute('href')).toBe('https://shop.example')
    statusStore.set({ ...statusStore.get(), top_up_link: '' })
  })
})
