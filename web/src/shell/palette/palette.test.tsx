import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
    await screen.findByRole('option', { name: '渠道 East #4' })
    expect(labels().slice(0, 4)).toEqual(['渠道 East #4', '用户 eastwood #9', '令牌 east key #3', '测试渠道 East #4'])
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/token/3'))
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
