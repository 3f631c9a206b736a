import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as modulePages from '../../../../modules/lists/pages.ts'
import type { ConsolePage } from '../../components/page.ts'
import { channel } from '../../features/channels/testing-channels.ts'
import { sessionStore, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../test/fake-fetch.ts'
import { testWanted } from './palette-objects.ts'
import '../../test/forget-notifications.ts'

it('finds the test of a channel by its words, in both languages', () => {
  expect(['test', 'test channel', 'Test channel east', 'test east', '测试渠道', '测试东'].map(testWanted)).toEqual([
    '',
    '',
    'east',
    'east',
    '',
    '东',
  ])
  expect(['testing', 'latest', 'east', ''].map(testWanted)).toEqual([undefined, undefined, undefined, undefined])
})

describe('the palette', () => {
  const rows = [channel({ id: 4, name: 'East' }), channel({ id: 5, name: 'West' })]
  const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 5 })
  const answers: Record<string, FakeAnswer> = {
    'GET /api/notice': () => '',
    'GET /api/about': () => 'About',
    'GET /api/channel/browse': ({ query }) =>
      page(rows.filter(({ name }) => name.toLowerCase().includes((query.keyword ?? '').toLowerCase()))),
    'GET /api/user/search': ({ query }) =>
      page(
        [
          { id: 9, username: 'eastwood' },
          // The wallet of an organisation is no person.
          ...(query.kind === 'people' ? [] : [{ id: 10, username: 'org:east:3muUfn' }]),
        ].filter(({ username }) => username.includes(query.keyword ?? '')),
      ),
    'GET /api/token/browse': ({ query }) => page(query.keyword === 'east' ? [{ id: 3, name: 'east key' }] : []),
    'GET /api/token/3': () => ({ id: 3, name: 'east key' }),
  }

  beforeEach(() => setLanguage('zh'))
  afterEach(() => sessionStore.set(undefined))

  const open = async (role: number, moreAnswers: Record<string, FakeAnswer> = {}) => {
    const sent: Sent[] = fakeFetch({ ...answers, ...moreAnswers })
    storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
    const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/about'] }))
    render(<RouterProvider router={router} />)
    await screen.findByRole('main')
    await userEvent.keyboard('{Control>}k{/Control}')
    const input = await screen.findByRole('combobox')
    return { sent, router, input }
  }
  const labels = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

  it('finds channels, users and keys by name, and goes to them', async () => {
    const { input, router } = await open(100)
    await userEvent.type(input, 'east')
    const found = ['渠道 East #4', '用户 eastwood #9', '令牌 east key #3', '测试渠道 East #4']
    // Each comes with its own answer.
    await waitFor(() => expect(labels().slice(0, 4)).toEqual(found))
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/token/3'))
  })

  it('offers to search in the lists of the kernel, and in those of modules that say so', async () => {
    const { input } = await open(100)
    await userEvent.type(input, 'east')
    await screen.findByRole('option', { name: '渠道 East #4' })
    const offered = labels().filter((label) => label?.includes('中查找“east”'))
    const ofModules = Object.values<ConsolePage>(modulePages).filter(({ isSearched }) => isSearched)
    expect(offered).toHaveLength(3 + ofModules.length)
    for (const { title } of ofModules) expect(offered).toContain(`在“${title.zh}”中查找“east”`)
  })

  it('finds one’s own key by its id, and those of other users only with the right to', async () => {
    const { input, sent } = await open(1)
    await userEvent.type(input, '3')
    expect(await screen.findByRole('option', { name: '令牌 east key #3' })).toBeTruthy()
    expect(sent.some(({ path }) => /channel|user\/search/.test(path))).toBe(false)
    expect(screen.queryByRole('option', { name: /测试渠道/ })).toBeNull()
  })

  it('finds models and tabs of the personal page', async () => {
    const { input, router } = await open(1, { 'GET /api/user/models': () => ['gpt-4o', 'o3-mini', 'claude'] })
    await userEvent.type(input, 'gpt')
    await userEvent.click(await screen.findByRole('option', { name: '模型 gpt-4o' }))
    await waitFor(() => expect(router.state.location.href).toBe('/pricing/model/gpt-4o'))
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox'), '安全')
    await userEvent.click(await screen.findByRole('option', { name: /^个人设置: / }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/personal/security'))
  })

  it('finds settings by name or key for administrators, and goes to their section', async () => {
    const { input, router } = await open(100)
    await userEvent.type(input, 'smtpserver')
    await userEvent.click(await screen.findByRole('option', { name: /^设置：SMTP 服务器地址/ }))
    await waitFor(() => expect(router.state.location.href).toBe('/setting/mail?field=SMTPServer'))
  })

  it('takes every key from the one that opens it, and Enter that comes before the results', async () => {
    fakeFetch(answers)
    storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
    const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/about'] }))
    render(<RouterProvider router={router} />)
    await screen.findByRole('main')
    // Without a pause, as a quick hand types: none of these waits for what the palette loads.
    await userEvent.setup({ delay: null }).keyboard('{Control>}k{/Control}sso{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/identity-provider'))
  })

  it('finds pages that the sidebar has as tabs, and what they are called elsewhere', async () => {
    const { input } = await open(100)
    const finds = async (text: string, label: string) => {
      await userEvent.clear(input)
      await userEvent.type(input, text)
      expect((await screen.findAllByRole('option', { name: new RegExp(label) })).length).toBeGreaterThan(0)
      expect(labels()[0]).toMatch(new RegExp(label))
    }
    await finds('sso', '身份提供方')
    await finds('team', '组织')
    await finds('create key', '创建 API 令牌')
    await finds('add user', '添加用户')
  })

  it('offers users nothing of operators', async () => {
    const { input } = await open(1)
    await userEvent.type(input, 'sso')
    await screen.findByRole('option', { name: /在“API 令牌”中查找/ })
    expect(labels().some((label) => label.includes('身份提供方'))).toBe(false)
  })

  it('takes digits that begin like a date for a request', async () => {
    const { input, router } = await open(100)
    await userEvent.type(input, '2026112901563')
    await screen.findByRole('option', { name: '请求 2026112901563 的日志' })
    expect(labels().some((label) => label.startsWith('渠道') || label.startsWith('用户'))).toBe(false)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/log?request=2026112901563'))
  })

  it('tops up a user who is chosen by name', async () => {
    const { input, router } = await open(100)
    await userEvent.type(input, 'top up eastw')
    await userEvent.click(await screen.findByRole('option', { name: '给用户 eastwood #9 充值' }))
    await waitFor(() => expect(router.state.location.href).toBe('/user/9?adjust=1'))
  })

  it('turns words into a filtered list of calls', async () => {
    const { input, router } = await open(100)
    await userEvent.type(input, 'failed east yesterday')
    await userEvent.click(await screen.findByRole('option', { name: '调用：渠道 East #4 · 失败 · 昨天' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/log'))
    expect(router.state.location.search).toMatchObject({ type: '5', range: 'yesterday', channel: '4' })
  })

  it('finds one’s own key by the whole of it', async () => {
    const whole = 'sk-abcdefghijklmnop1234'
    const { input, sent } = await open(1)
    await userEvent.type(input, whole)
    await waitFor(() =>
      expect(sent.some(({ path, query }) => /token\/browse/.test(path) && query.token === whole)).toBe(true),
    )
    expect(sent.some(({ query }) => query.keyword === whole)).toBe(false)
  })

  it('tests a channel that is chosen and says how long it took', async () => {
    const { input, sent } = await open(10, {
      'GET /api/channel/test/5': () => Response.json({ success: true, message: '', time: 1.5 }),
    })
    await userEvent.type(input, '测试{Enter}')
    expect((input as HTMLInputElement).value).toBe('测试渠道 ')
    await screen.findByRole('option', { name: '测试渠道 East #4' })
    await userEvent.type(input, 'w')
    await waitFor(() => expect(labels()).toEqual(['测试渠道 West #5']))
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('渠道 West 测试成功，耗时 1.50 秒。')).toBeTruthy()
    expect(sent.filter(({ path }) => path.startsWith('/api/channel/test/'))).toHaveLength(1)
  })

  it('says why the channel failed', async () => {
    const { input } = await open(10, { 'GET /api/channel/test/4': () => refused('status code 503: down') })
    await userEvent.type(input, '测试渠道 ea')
    await userEvent.click(await screen.findByRole('option', { name: '测试渠道 East #4' }))
    expect(await screen.findByText('渠道 East 测试失败：status code 503: down')).toBeTruthy()
  })
})
