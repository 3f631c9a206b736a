import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { createConsoleRouter } from '#web/routes.tsx'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { siteOf } from './permission.ts'
import '#web/test/forget-notifications.ts'

const person = { id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' }
const token = (id: number, status: number) => ({ id, name: `key ${id}`, key: 'abc***xyz', status })
const chats = [
  { Lobe: 'https://chat.example/?settings={"apiKey":"{key}","url":"{address}/v1"}' },
  { Plain: 'https://plain.example/' },
  { AMA: 'ama://set?server={address}&key={key}' },
]
const answers = {
  'GET /api/notice': () => '',
  'GET /api/token/': () => [token(1, 2), token(2, 1), token(3, 1)],
  'POST /api/token/2/key': () => ({ key: 'second' }),
  'POST /api/token/3/key': () => ({ key: 'third' }),
}
const pristine = statusStore.get()

const open = async (path: string, links: unknown = chats) => {
  statusStore.set({ ...pristine, chats: links as never, server_address: 'https://gate.example' })
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  await screen.findByRole('main')
  return router
}

beforeEach(() => {
  setLanguage('zh')
  storeUser(person)
})
afterEach(() => {
  statusStore.set(pristine)
  sessionStore.set(undefined)
})

it.each([
  ['zh', 'ChatGPT Next Web 官方示例'],
  ['en', 'ChatGPT Next Web (official demo)'],
] as const)(
  'names the links that came with the gateway for readers of %s, and others as the operator does',
  async (language, name) => {
    setLanguage(language)
    fakeFetch(answers)
    await open('/chat', [
      { 'ChatGPT Next Web 官方示例': 'https://chat.example/' },
      { 我的聊天: 'https://own.example/' },
    ])
    expect((await screen.findAllByText(name)).length).toBeGreaterThan(0)
    expect(screen.getAllByText('我的聊天').length).toBeGreaterThan(0)
  },
)

describe('a chat page', () => {
  it('receives address and key of the first enabled token after the person agreed, and is remembered', async () => {
    const sent = fakeFetch(answers)
    await open('/chat/0')
    expect(await screen.findByText(/chat\.example 不属于本站/)).toBeTruthy()
    expect(sent.find(({ path }) => path === '/api/token/')?.query).toEqual({ p: '0', size: '100' })
    expect(sent.some(({ path }) => path.endsWith('/key'))).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: '发送令牌并打开' }))
    const frame = await screen.findByTitle<HTMLIFrameElement>('Lobe')
    expect(frame.getAttribute('src')).toBe(
      'https://chat.example/?settings={"apiKey":"sk-second","url":"https%3A%2F%2Fgate.example/v1"}',
    )
    expect(frame.getAttribute('allow')).toContain('microphone')
    expect(screen.getByText('chat.example 正在使用令牌「key 2」')).toBeTruthy()
  })

  it('opens at once where the person has agreed before, and asks again on request', async () => {
    localStorage.setItem('chat-permissions', JSON.stringify({ '7 https://chat.example': 3 }))
    fakeFetch(answers)
    await open('/chat/0')
    expect((await screen.findByTitle('Lobe')).getAttribute('src')).toContain('sk-third')
    await userEvent.click(screen.getByRole('button', { name: '更换令牌' }))
    expect(await screen.findByRole('button', { name: '发送令牌并打开' })).toBeTruthy()
    expect(localStorage.getItem('chat-permissions')).toBe('{}')
  })

  it('needs no key and no account when its link asks for none', async () => {
    sessionStore.set(undefined)
    const sent = fakeFetch(answers)
    await open('/chat/1')
    expect((await screen.findByTitle('Plain')).getAttribute('src')).toBe('https://plain.example/')
    expect(sent.some(({ path }) => path.startsWith('/api/token'))).toBe(false)
  })

  it('asks visitors to log in before a key is needed', async () => {
    sessionStore.set(undefined)
    fakeFetch(answers)
    await open('/chat/0')
    expect(await screen.findByText('请先登录')).toBeTruthy()
    expect(screen.queryByTitle('Lobe')).toBeNull()
  })

  it('says that no token is enabled and goes to the tokens', async () => {
    fakeFetch({ ...answers, 'GET /api/token/': () => [token(1, 2)] })
    const clock = vi.spyOn(globalThis, 'setTimeout')
    const router = await open('/chat/0')
    expect(
      (await screen.findAllByText('当前没有可用的启用令牌，请确认是否有令牌处于启用状态！')).length,
    ).toBeGreaterThan(0)
    expect(clock).toHaveBeenCalledWith(expect.any(Function), 1500)
    await waitFor(() => expect(router.latestLocation.pathname).toBe('/token'))
  })

  it.each(['/chat', '/chat/12', '/chat/x'])('offers the list where there is no such page: %s', async (path) => {
    fakeFetch(answers)
    await open(path)
    expect(await screen.findByText('选择一个聊天客户端')).toBeTruthy()
  })

  it.each([
    ['broken', '聊天链接配置错误，请联系管理员'],
    [[], '请联系管理员配置聊天链接'],
  ])('says what is wrong with the links: %j', async (links, words) => {
    fakeFetch(answers)
    await open('/chat/0', links)
    expect(await screen.findByText(words)).toBeTruthy()
  })
})

it('knows which site a link belongs to, whatever its placeholders', () => {
  expect(siteOf('https://a.example/#/?s={"key":"{key}"}')).toEqual({
    site: 'https://a.example',
    host: 'a.example',
    isPage: true,
  })
  expect(siteOf('ama://x?k={key}')).toMatchObject({ site: 'ama', isPage: false })
  expect(siteOf('https://').isPage).toBe(false)
})

it('has one entry in the sidebar for each link, and the group for an unknown one', async () => {
  fakeFetch(answers)
  const router = await open('/chat/1', [{ Lobe: 'https://chat.example/?k=1' }, { AMA: 'ama://x' }])
  const sidebar = within(screen.getByRole('navigation', { name: '侧边栏' }))
  expect(sidebar.getByRole('link', { name: 'Lobe' }).getAttribute('href')).toBe('/chat/0')
  expect(sidebar.getByRole('link', { name: 'AMA' }).getAttribute('aria-current')).toBe('page')
  await router.navigate({ to: '/chat/$id', params: { id: '9' } })
  await waitFor(() => expect(sidebar.queryByRole('link', { current: 'page' })).toBeNull())
  expect(sidebar.getByRole('heading', { name: '应用' }).dataset.on).toBe('true')
})
