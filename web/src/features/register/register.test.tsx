import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPathIn } from '../../components/page.ts'
import { forgetUser } from '../../lib/api/session.ts'
import { statusStore } from '../../lib/status.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const initial = statusStore.get()
const open = (path: string, status: object = {}) => {
  statusStore.set({ ...initial, ...status })
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  return router
}
const type = async (label: string, text: string): Promise<void> =>
  userEvent.type(await screen.findByLabelText(label), text)
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }))
const fill = async (password = 'good password', again = password): Promise<void> => {
  await type('用户名', 'alice')
  await type('密码', password)
  await type('确认密码', again)
}

beforeEach(() => {
  forgetUser()
  localStorage.removeItem('aff')
})
afterEach(() => {
  statusStore.set(initial)
  Reflect.deleteProperty(window, 'turnstile')
})

const alice = { id: 2, username: 'alice', display_name: 'alice', role: 1, status: 1, group: 'default' }
const registration = (sent: ReturnType<typeof fakeFetch>) => sent.find(({ path }) => path === '/api/user/register')

it('signs in after registering with the invite code of the link', async () => {
  const sent = fakeFetch({ 'POST /api/user/register': () => undefined, 'POST /api/user/login': () => alice })
  const router = open('/register?aff=Ab3d')
  expect(await screen.findByText('邀请码：Ab3d')).toBeTruthy()
  await fill()
  await press('注册')
  await waitFor(() => expect(router.state.location.pathname).toBe(startPathIn(router.routesByPath)))
  expect(sent.find(({ path }) => path === '/api/user/login')?.body).toEqual({
    username: 'alice',
    password: 'good password',
  })
  expect(registration(sent)?.body).toEqual({
    username: 'alice',
    password: 'good password',
    password2: 'good password',
    email: '',
    verification_code: '',
    aff_code: 'Ab3d',
  })
  expect(localStorage.getItem('aff')).toBeNull()
})

it('leaves the rest to the login page where the password is not enough', async () => {
  fakeFetch({ 'POST /api/user/register': () => undefined, 'POST /api/user/login': () => refused('no') })
  const router = open('/register')
  await fill()
  await press('注册')
  expect(await screen.findByText('注册成功！')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/login')
})

it('remembers the invite code of a link that led to the login page', async () => {
  fakeFetch({})
  const router = open('/login?aff=Ab3d')
  await screen.findByRole('button', { name: '登录' })
  await userEvent.click(screen.getByRole('link', { name: '注册' }))
  expect(await screen.findByText('邀请码：Ab3d')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/register')
})

it.each([
  ['', '', '', '请输入用户名和密码！'],
  ['alice', '', '', '请输入用户名和密码！'],
  ['alice', '1234567', '1234567', '密码长度不得小于 8 位！'],
  ['alice', '123456789012345678901', '123456789012345678901', '密码长度不得大于 20 位！'],
  ['alice', 'good password', 'other password', '两次输入的密码不一致'],
])('says what is wrong with %j, %j, %j before it calls', async (username, password, again, message) => {
  const sent = fakeFetch({})
  open('/register')
  if (username) await type('用户名', username)
  if (password) await type('密码', password)
  if (again) await type('确认密码', again)
  await press('注册')
  expect(await screen.findByText(message)).toBeTruthy()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

it('shows the server’s refusal and keeps what was typed', async () => {
  fakeFetch({ 'POST /api/user/register': () => refused('用户名已存在，或已注销', 'username_taken') })
  open('/register')
  await fill()
  await press('注册')
  expect(await screen.findByText('用户名已存在，或已注销')).toBeTruthy()
  expect((screen.getByLabelText('用户名') as HTMLInputElement).value).toBe('alice')
})

it('sends a code once in half a minute and registers with it', async () => {
  const sent = fakeFetch({ 'GET /api/verification': () => undefined, 'POST /api/user/register': () => undefined })
  open('/register', { email_verification: true })
  await fill()
  await press('获取验证码')
  expect(await screen.findByText('请输入邮箱！')).toBeTruthy()
  await type('邮箱', ' alice@example.com')
  await press('获取验证码')
  expect(await screen.findByText('验证码发送成功，请检查你的邮箱！')).toBeTruthy()
  const again = await screen.findByRole('button', { name: /^重新发送 \((30|29)\)$/ })
  expect((again as HTMLButtonElement).disabled).toBe(true)
  await press('注册')
  expect(await screen.findByText('请输入邮箱验证码！')).toBeTruthy()
  await type('验证码', 'a1b2c3')
  await press('注册')
  expect(await screen.findByText('注册成功！')).toBeTruthy()
  expect(sent.find(({ path }) => path === '/api/verification')?.query).toEqual({ email: 'alice@example.com' })
  expect(registration(sent)?.body).toMatchObject({ email: 'alice@example.com', verification_code: 'a1b2c3' })
})

it.each([{ register_enabled: false }, { self_use_mode_enabled: true }])('is closed with %j', async (status) => {
  fakeFetch({})
  open('/register', status)
  expect(await screen.findByText('未开放注册')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '注册' })).toBeNull()
  expect(screen.getByRole('link', { name: '登录' })).toBeTruthy()
})

it('says when only third-party accounts can register', async () => {
  fakeFetch({})
  open('/register', { password_register_enabled: false })
  expect(await screen.findByText(/请使用第三方账户注册/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: '注册' })).toBeNull()
})

describe('with the human check', () => {
  const on = { turnstile_check: true, turnstile_site_key: 'site key', email_verification: true }
  type Widget = { action: string; callback: (token: string) => void }
  const turnstile = () => {
    const widgets: Widget[] = []
    const resets: string[] = []
    const render = (_: HTMLElement, widget: Widget): string => `widget ${widgets.push(widget)}`
    Object.assign(window, { turnstile: { render, reset: (id: string) => resets.push(id), remove: () => {} } })
    return { widgets, resets }
  }

  it('waits for its token, and uses each token for one call of its own kind', async () => {
    const { widgets, resets } = turnstile()
    const sent = fakeFetch({ 'GET /api/verification': () => undefined, 'POST /api/user/register': () => undefined })
    open('/register', on)
    await fill()
    await type('邮箱', 'alice@example.com')
    await press('获取验证码')
    expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境！')).toBeTruthy()
    await waitFor(() => expect(widgets.map(({ action }) => action).toSorted()).toEqual(['register', 'verification']))
    for (const { action, callback } of widgets) callback(`token for ${action}`)
    await press('获取验证码')
    await type('验证码', 'a1b2c3')
    await press('注册')
    expect(await screen.findByText('注册成功！')).toBeTruthy()
    const tokens = sent.filter(({ query }) => query.turnstile).map(({ path, query }) => [path, query.turnstile])
    expect(tokens).toEqual([
      ['/api/verification', 'token for verification'],
      ['/api/user/register', 'token for register'],
    ])
    expect(resets).toHaveLength(2)
  })

  it('holds the login back, too', async () => {
    const { widgets } = turnstile()
    const sent = fakeFetch({ 'POST /api/user/login': () => refused('用户名或密码错误，或用户已被封禁') })
    open('/login', on)
    await type('用户名或邮箱', 'alice')
    await type('密码', 'wrong password')
    await press('登录')
    expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境！')).toBeTruthy()
    await waitFor(() => expect(widgets.map(({ action }) => action)).toEqual(['login']))
    widgets[0]?.callback('first')
    await press('登录')
    expect(await screen.findByText('用户名或密码错误，或用户已被封禁')).toBeTruthy()
    await press('登录')
    expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境！')).toBeTruthy()
    expect(sent.filter(({ method }) => method === 'POST').map(({ query }) => query.turnstile)).toEqual(['first'])
  })

  it('says when its script cannot be loaded, and tries again on request', async () => {
    fakeFetch({})
    open('/login', on)
    await waitFor(() => expect(document.querySelector('script[src*="challenges.cloudflare.com"]')).toBeTruthy())
    document.querySelector('script[src*="challenges.cloudflare.com"]')?.dispatchEvent(new Event('error'))
    expect(await screen.findByText(/人机验证加载失败/)).toBeTruthy()
    const { widgets } = turnstile()
    await press('重试')
    await waitFor(() => expect(widgets).toHaveLength(1))
    expect(screen.queryByText(/人机验证加载失败/)).toBeNull()
  })
})
