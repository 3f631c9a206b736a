import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { startPathIn } from '../../components/page.ts'
import { forgetUser, storedUser, storeUser } from '../../lib/api/session.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { type FakeAnswer, fakeFetch, refused } from '../../test/fake-fetch.ts'
import { telegramAnswer } from './finish.ts'
import '../../test/forget-notifications.ts'

const ada = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' }
const entered = { ...ada, default_password: false }

let visits = 0
/** Opens the address that a provider sends people back to; every visit has a state of its own. */
const comeBack = (path: string, hash = '') => {
  visits += 1
  const address = `${path}${path.includes('?') ? '&' : '?'}state=state${visits}${hash}`
  window.history.replaceState(null, '', address)
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<RouterProvider router={router} />)
  return router
}

const console = (answers: Readonly<Record<string, FakeAnswer>>) =>
  fakeFetch({ 'GET /api/session': () => storedUser() ?? null, 'GET /api/about': () => '', ...answers })

beforeEach(() => {
  forgetUser()
  sessionStorage.clear()
})

it.each(['github', 'linuxdo', 'oidc'])('signs in with what %s says and goes to the start page', async (provider) => {
  let answer = (_: unknown): void => {}
  const sent = console({ [`GET /api/oauth/${provider}`]: () => new Promise((resolve) => (answer = resolve)) })
  const router = comeBack(`/oauth/${provider}?code=abc&iss=https%3A%2F%2Fid.example`)
  expect(await screen.findByText('处理中...')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
  await waitFor(() => expect(sent.some(({ path }) => path.startsWith('/api/oauth/'))).toBe(true))
  answer(entered)
  // Before anything else, as it goes away by itself.
  expect(await screen.findByText('登录成功！')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe(startPathIn(router.routesByPath)))
  expect(storedUser()).toMatchObject({ id: 7, username: 'ada' })
  const calls = sent.filter(({ path }) => path === `/api/oauth/${provider}`)
  expect(calls.map(({ query }) => query)).toEqual([{ code: 'abc', iss: 'https://id.example', state: `state${visits}` }])
})

it('opens the requested page', async () => {
  sessionStorage.setItem('third-party', JSON.stringify({ purpose: 'login', next: '/about' }))
  console({ 'GET /api/oauth/github': () => entered })
  const router = comeBack('/oauth/github?code=abc')
  await waitFor(() => expect(router.state.location.pathname).toBe('/about'))
})

it('never follows a page of another site', async () => {
  sessionStorage.setItem('third-party', JSON.stringify({ purpose: 'login', next: '//evil.example' }))
  console({ 'GET /api/oauth/github': () => entered })
  const router = comeBack('/oauth/github?code=abc')
  await waitFor(() => expect(router.state.location.pathname).toBe(startPathIn(router.routesByPath)))
})

it.each([
  [100, '/setting'],
  [1, '/personal'],
])('says that the account is linked and takes role %d to %s', async (role, path) => {
  storeUser({ ...ada, role })
  console({
    'GET /api/session': () => ({ ...entered, role }),
    'GET /api/oauth/github': () => Response.json({ success: true, message: 'bind' }),
  })
  const router = comeBack('/oauth/github?code=abc')
  expect(await screen.findByText('绑定成功！')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe(path))
})

it('asks for the second step on the login page', async () => {
  console({ 'GET /api/oauth/github': () => ({ require_2fa: true }) })
  const router = comeBack('/oauth/github?code=abc')
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toMatchObject({ step: '2fa' })
  expect(storedUser()).toBeUndefined()
})

it('shows why it failed, says that it goes to the login page, and goes', async () => {
  console({ 'GET /api/oauth/github': () => refused('state is empty or not same', 'oauth_state_wrong', 403) })
  const router = comeBack('/oauth/github?code=abc')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('state is empty or not same')
  expect(alert.textContent).toContain('操作失败，重定向至登录界面中...')
  await userEvent.click(screen.getByRole('button', { name: '立即前往' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

it('takes signed-in people back to the settings after a failure', async () => {
  storeUser({ ...ada, role: 100 })
  console({
    'GET /api/session': () => ({ ...entered, role: 100 }),
    'GET /api/oauth/github': () => refused('该 GitHub 账户已被绑定'),
  })
  const router = comeBack('/oauth/github?code=abc')
  await screen.findByText('该 GitHub 账户已被绑定')
  await userEvent.click(screen.getByRole('button', { name: '立即前往' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/setting'))
})

const signed = { id: 4242, first_name: '艾达', auth_date: 1_800_000_000, hash: 'ab' }
const fragment = (): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(signed))
  const base64 = btoa(String.fromCharCode(...bytes))
  return `#tgAuthResult=${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
const fields = { id: '4242', first_name: '艾达', auth_date: '1800000000', hash: 'ab' }

it('reads what Telegram signed out of the fragment', () => {
  expect(telegramAnswer(fragment())).toEqual(fields)
  expect([telegramAnswer(''), telegramAnswer('#tgAuthResult=%%%'), telegramAnswer('#tgAuthResult=YWJj')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('signs in with Telegram, with the state of this browser', async () => {
  const sent = console({ 'GET /api/oauth/telegram/login': () => entered })
  const router = comeBack('/oauth/telegram', fragment())
  await waitFor(() => expect(router.state.location.pathname).toBe(startPathIn(router.routesByPath)))
  expect(sent.find(({ path }) => path.endsWith('/telegram/login'))?.query).toEqual({
    ...fields,
    state: `state${visits}`,
  })
})

it('links Telegram when that is what was begun', async () => {
  storeUser(ada)
  sessionStorage.setItem('third-party', JSON.stringify({ purpose: 'bind' }))
  console({ 'GET /api/session': () => entered, 'GET /api/oauth/telegram/bind': () => null })
  const router = comeBack('/oauth/telegram', fragment())
  await waitFor(() => expect(router.state.location.pathname).toBe('/personal'))
})

it('sends nothing when this browser did not start the sign-in', async () => {
  const sent = console({})
  window.history.replaceState(null, '', `/oauth/telegram${fragment()}`)
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/oauth/telegram'] }))
  render(<RouterProvider router={router} />)
  expect(await screen.findByText('登录请求已失效，请重新登录')).toBeTruthy()
  expect(sent.filter(({ path }) => path.startsWith('/api/oauth'))).toEqual([])
})
