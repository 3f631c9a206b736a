import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SidebarPlace } from '../components/page.ts'
import { sessionStore, storeUser } from '../lib/api/session.ts'
import { setLanguage } from '../lib/i18n.ts'
import { setThemeMode } from '../lib/preferences/theme-mode.ts'
import { applyStatus, type SiteStatus, statusProblem, statusStore } from '../lib/status.ts'
import { createConsoleRouter } from '../routes.tsx'
import { fakeFetch } from '../test/fake-fetch.ts'
import { isChatGroup, openPages } from './navigation.ts'
import { celebrated, isNewYear, isToCelebrate, isWriting } from './new-year/new-year.ts'
import { organisationsPage } from './pages.ts'
import '../test/forget-notifications.ts'

const person = { id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' }
const answers = {
  'GET /api/notice': () => '',
  'GET /api/about': () => '**us** details',
  'GET /api/home_page_content': () => '# Welcome',
  'GET /api/offer': () => ({ calls: [], models: 0 }),
  'GET /api/token/': () => [],
}

const openConsole = async (path: string, status: Partial<SiteStatus> = {}) => {
  applyStatus({ ...statusStore.get(), ...status })
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  await screen.findByRole('main')
  return router
}
const sidebar = () => screen.getByRole('navigation', { name: '侧边栏' })
const pristine = statusStore.get()

beforeEach(() => {
  setLanguage('zh')
  fakeFetch(answers)
})
afterEach(() => {
  statusStore.set(pristine)
  statusProblem.set(undefined)
  sessionStore.set(undefined)
})

describe('the sidebar', () => {
  it.each([true, false])('shows a page with a flag only while the flag is on: %s', async (enable_data_export) => {
    storeUser(person)
    const router = await openConsole('/about', { enable_data_export, chats: [] })
    const names = within(sidebar())
      .getAllByRole('link')
      .map((link) => link.textContent)
    expect(names).toContain('API 令牌')
    const open = openPages(router.routesByPath, statusStore.get(), sessionStore.get()).map(({ path }) => path)
    expect(open.includes('/detail')).toBe(enable_data_export)
  })

  it('has one entry for pages that belong together, which are tabs above each of them', async () => {
    storeUser({ ...person, role: 10 })
    const router = await openConsole('/about')
    expect(screen.queryByRole('navigation', { name: '相关页面' })).toBeNull()
    await router.navigate({ to: '/organisation' })
    const tabs = within(await screen.findByRole('navigation', { name: '相关页面' }))
    expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual(['用户管理', '组织'])
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('组织')
    expect(within(sidebar()).getByRole('link', { current: 'page' }).textContent).toBe('用户与团队')
  })

  it('leaves out a tab while its list is empty, but for the one that is open', async () => {
    storeUser({ ...person, role: 10 })
    const sidebarPlace: SidebarPlace = organisationsPage.sidebar
    const setRows = (hasRows: SidebarPlace['hasRows']) => Object.assign(sidebarPlace, { hasRows })
    try {
      setRows(async () => false)
      const router = await openConsole('/organisation')
      expect(await screen.findByRole('navigation', { name: '相关页面' })).toBeTruthy()
      await router.navigate({ to: '/user' })
      await waitFor(() => expect(screen.queryByRole('navigation', { name: '相关页面' })).toBeNull())
      setRows(async () => true)
      const again = await openConsole('/user')
      expect(await screen.findAllByRole('navigation', { name: '相关页面' })).toHaveLength(1)
      expect(again.state.location.pathname).toBe('/user')
    } finally {
      setRows(undefined)
    }
  })

  it('shows the places of administrators to administrators alone', async () => {
    storeUser(person)
    await openConsole('/about')
    expect(within(sidebar()).queryByRole('link', { name: '渠道' })).toBeNull()
    storeUser({ ...person, role: 10 })
    expect(await within(sidebar()).findByRole('link', { name: '渠道' })).toBeTruthy()
  })

  it('marks the group of chat links on a chat page that no link leads to', () => {
    expect([isChatGroup('/chat/1', 2), isChatGroup('/chat/2', 2), isChatGroup('/chat', 2)]).toEqual([false, true, true])
  })

  it('says once that the saved chats cannot be read', async () => {
    storeUser(person)
    setLanguage('en')
    await openConsole('/about', { chats: 'broken' as never })
    expect(await screen.findAllByText('Failed to parse chat data')).toHaveLength(1)
  })

  it('is narrow when it was left narrow, whatever the site’s default', async () => {
    storeUser(person)
    await openConsole('/about', { default_collapse_sidebar: false })
    await userEvent.click(screen.getByRole('button', { name: '收起侧边栏' }))
    expect(localStorage.getItem('default_collapse_sidebar')).toBe('true')
    applyStatus({ ...statusStore.get(), default_collapse_sidebar: false })
    expect(localStorage.getItem('default_collapse_sidebar')).toBe('true')
    expect(document.querySelector('[data-sidebar]')?.getAttribute('data-sidebar')).toBe('narrow')
  })
})

describe('the top bar', () => {
  it('bears the site’s name, its mode, and a docs link when there is one', async () => {
    await openConsole('/about', { system_name: 'Acme', self_use_mode_enabled: true, docs_link: 'https://docs.example' })
    expect(screen.getByRole('link', { name: 'Acme' })).toBeTruthy()
    expect(screen.getByText('自用模式')).toBeTruthy()
    const docs = within(screen.getByRole('banner')).getByRole('link', { name: '文档' })
    expect([docs.getAttribute('href'), docs.getAttribute('rel')]).toEqual([
      'https://docs.example',
      'noopener noreferrer',
    ])
    await waitFor(() => expect(document.title).toBe('关于 – Acme'))
  })

  it('offers no registration in self-use mode', async () => {
    await openConsole('/about', { self_use_mode_enabled: true })
    expect(screen.queryByRole('link', { name: '注册' })).toBeNull()
  })

  it.each([
    ['unreachable', 'Unable to connect to server'],
    ['statusFailed', 'Failed to load status'],
  ] as const)('says that the status is missing: %s', async (problem, words) => {
    setLanguage('en')
    statusProblem.set(problem)
    await openConsole('/about')
    expect(screen.getByText(words)).toBeTruthy()
  })
})

describe('texts of the operator', () => {
  it('fills the footer with cleaned HTML, and names product and version without one', async () => {
    await openConsole('/about', { footer_html: '<b>ACME GmbH</b><script>1</script>' })
    expect((await screen.findByText('ACME GmbH')).tagName).toBe('B')
    expect(document.querySelector('footer script')).toBeNull()
    statusStore.set({ ...statusStore.get(), footer_html: '', version: 'v9.9.9' })
    expect(await screen.findByText('由 Tollgate v9.9.9 提供服务')).toBeTruthy()
  })

  it('shows a notice until it is closed, and again when it is another', async () => {
    fakeFetch({ ...answers, 'GET /api/notice': () => 'Down on **Sunday**' })
    await openConsole('/about')
    expect(await screen.findByText('Sunday')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '关闭公告' }))
    expect(screen.queryByText('Sunday')).toBeNull()
    expect(localStorage.getItem('notice')).toBe('Down on **Sunday**')
  })

  it('frames a URL and sends it theme and language, to its own origin only', async () => {
    fakeFetch({ ...answers, 'GET /api/about': () => 'https://pages.example/about?x=1' })
    await openConsole('/about')
    const frame = await screen.findByTitle<HTMLIFrameElement>('pages.example')
    expect(frame.getAttribute('sandbox')).not.toMatch(/allow-top-navigation(?!-by-user)/)
    const posted = vi.fn()
    Object.defineProperty(frame, 'contentWindow', { value: { postMessage: posted } })
    setThemeMode('dark')
    await waitFor(() => expect(posted).toHaveBeenCalledWith({ themeMode: 'dark' }, 'https://pages.example'))
    setLanguage('en')
    await waitFor(() => expect(posted).toHaveBeenCalledWith({ lang: 'en' }, 'https://pages.example'))
    expect(document.documentElement.getAttribute('theme-mode')).toBe('dark')
    setThemeMode('light')
    expect(document.documentElement.hasAttribute('theme-mode')).toBe(false)
  })
})

it('has nothing at an unknown address but says so', async () => {
  await openConsole('/nowhere')
  expect(await screen.findByText('页面不存在')).toBeTruthy()
})

it('says so, too, where an address cannot even be decoded', async () => {
  render(<RouterProvider router={createConsoleRouter(createMemoryHistory({ initialEntries: ['/%F0%9F'] }))} />)
  expect(await screen.findByText('页面不存在')).toBeTruthy()
  expect(screen.getByRole('link', { name: '回到首页' }).getAttribute('href')).toBe('/')
})

describe('the new year', () => {
  const first = new Date(2027, 0, 1, 12)
  it('begins on 1 January and is celebrated once', () => {
    expect(isNewYear(first)).toBe(true)
    expect(isNewYear(new Date(2027, 0, 2))).toBe(false)
    expect(isToCelebrate(first)).toBe(true)
    celebrated(first)
    expect(isToCelebrate(first)).toBe(false)
    expect(isToCelebrate(new Date(2028, 0, 1))).toBe(true)
  })

  it('waits while the user is typing in a field', () => {
    const field = document.createElement('textarea')
    document.body.append(field)
    expect(isWriting(document)).toBe(false)
    field.focus()
    expect(isWriting(document)).toBe(true)
    field.remove()
  })
})

describe('logging out', () => {
  it('removes the user, and sends no further requests', async () => {
    storeUser(person)
    const sent = fakeFetch({
      ...answers,
      'GET /api/token/browse': () => ({ items: [], total: 0, page: 1, page_size: 10 }),
      'GET /api/user/logout': () => null,
    })
    const router = await openConsole('/token')
    await waitFor(() => expect(sent.some(({ path }) => path === '/api/token/browse')).toBe(true))
    await userEvent.click(screen.getByRole('button', { name: /alice/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '退出登录' }))
    await waitFor(() => expect(router.state.location.href).toBe('/login?done=loggedOut'))
    await screen.findByRole('status')
    expect(sessionStore.get()).toBeUndefined()
    expect(localStorage.getItem('user')).toBeNull()
    const ended = sent.findIndex(({ path }) => path === '/api/user/logout')
    expect(sent.slice(ended + 1).filter(({ path }) => /^\/api\/(token|user)\//.test(path))).toEqual([])
  })
})
