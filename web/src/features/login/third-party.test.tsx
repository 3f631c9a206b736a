import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { forgetUser, storedUser } from '../../lib/api/session.ts'
import { applyStatus, statusStore } from '../../lib/status.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { type FakeAnswer, fakeFetch, refused } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const everything = {
  github_oauth: true,
  oidc_enabled: true,
  linuxdo_oauth: true,
  wechat_login: true,
  wechat_qrcode: 'https://site.example/qr.png',
  telegram_oauth: true,
}
const entered = { id: 7, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' }

const open = (path: string, status: object, answers: Readonly<Record<string, FakeAnswer>> = {}) => {
  applyStatus({ ...statusStore.get(), ...status })
  const sent = fakeFetch({
    'GET /api/session': () => storedUser() ?? null,
    'GET /api/home_page_content': () => '',
    ...answers,
  })
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  return { router, sent }
}

beforeEach(() => {
  forgetUser()
  sessionStorage.clear()
  const off = Object.fromEntries(Object.keys(everything).map((key) => [key, false]))
  applyStatus({ ...statusStore.get(), ...off })
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
})

const names = () =>
  screen
    .getAllByRole('button', { name: /^使用.+登录$/ })
    .map((button) => button.textContent?.replace(/使用|登录/g, '').trim())

it('offers what the site has switched on, in the usual order', async () => {
  open('/login', everything)
  await screen.findByRole('button', { name: '使用 Telegram 登录' })
  expect(names()).toEqual(['GitHub', 'OIDC', 'LinuxDO', '微信', 'Telegram'])
})

it('offers nothing when nothing is on', async () => {
  open('/login', {})
  await screen.findByLabelText('用户名或邮箱')
  expect(screen.queryByText('或')).toBeNull()
})

it.each([
  ['GitHub', 'github'],
  ['OIDC', 'oidc'],
  ['LinuxDO', 'linuxdo'],
  ['Telegram', 'telegram'],
])('goes where the server says for %s, with the invite code, and remembers the page', async (name, provider) => {
  const assign = vi.fn()
  vi.stubGlobal('location', { ...window.location, assign })
  const { sent } = open('/login?aff=AbCd&next=%2Fabout', everything, {
    [`POST /api/oauth/${provider}/login`]: () => ({ url: `https://${provider}.example/authorize`, state: 's' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: `使用 ${name} 登录` }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`https://${provider}.example/authorize`))
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ aff: 'AbCd' })
  expect(JSON.parse(sessionStorage.getItem('third-party') ?? '')).toEqual({ purpose: 'login', next: '/about' })
})

it.each(['sso_required', 'sso_or_credentials_wrong'])(
  'goes to the provider that a refusal names (%s)',
  async (code) => {
    const assign = vi.fn()
    vi.stubGlobal('location', { ...window.location, assign })
    open(
      '/login?next=%2Fabout',
      {},
      {
        'POST /api/user/login': () =>
          refused('@acme.test 的成员请通过 ACME 登录', code, 200, { slug: 'acme', name: 'ACME' }),
        'POST /api/sso/acme/login': () => ({ url: 'https://idp.example/authorize', state: 's' }),
      },
    )
    await userEvent.type(await screen.findByLabelText('用户名或邮箱'), 'ada')
    await userEvent.type(screen.getByLabelText('密码'), 'a password')
    await userEvent.click(screen.getByRole('button', { name: '登录' }))
    expect(await screen.findByText('@acme.test 的成员请通过 ACME 登录')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: '使用 ACME 登录' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://idp.example/authorize'))
  },
)

it('names the bot that Telegram will ask for', async () => {
  open('/login', { ...everything, telegram_bot_name: 'gate_bot' })
  expect((await screen.findByRole('button', { name: '使用 Telegram 登录' })).title).toBe('@gate_bot')
  expect(screen.getByRole('button', { name: '使用 GitHub 登录' }).title).toBe('')
})

it('shows why a provider cannot be reached and lets people try again', async () => {
  open('/login', everything, {
    'POST /api/oauth/oidc/login': () => refused('无法连接至 OIDC 服务器，请稍后重试！'),
  })
  const button = await screen.findByRole('button', { name: '使用 OIDC 登录' })
  await userEvent.click(button)
  expect(await screen.findByText('无法连接至 OIDC 服务器，请稍后重试！')).toBeTruthy()
  expect((button as HTMLButtonElement).disabled).toBe(false)
})

const openWeChat = async () => {
  await userEvent.click(await screen.findByRole('button', { name: '使用微信登录' }))
  const dialog = await screen.findByRole('dialog', { name: '微信扫码登录' })
  return { dialog, button: dialog.querySelector('button[type=submit]') as HTMLButtonElement }
}

it('signs in with a WeChat code under the picture, without touching the password form', async () => {
  const { router, sent } = open('/login', everything, {
    'GET /api/oauth/wechat': ({ query }) =>
      query.code === '123456' ? { ...entered, default_password: false } : refused('验证码错误或已过期'),
  })
  const { dialog, button } = await openWeChat()
  expect(dialog.querySelector('img')?.getAttribute('src')).toBe('https://site.example/qr.png')
  expect(dialog.textContent).toContain('三分钟内有效')
  await userEvent.click(button)
  expect(await screen.findByText('请输入验证码！')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('验证码'), '999{Enter}')
  expect(await screen.findByText('验证码错误或已过期')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('验证码'))
  await userEvent.type(screen.getByLabelText('验证码'), '123456{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(storedUser()?.username).toBe('ada')
  expect(sent.some(({ path }) => path === '/api/user/login')).toBe(false)
})

it('asks for the second step after WeChat where there is one', async () => {
  open('/login', everything, { 'GET /api/oauth/wechat': () => ({ require_2fa: true }) })
  const { button } = await openWeChat()
  await userEvent.type(screen.getByLabelText('验证码'), '1')
  await userEvent.click(button)
  expect(await screen.findByRole('heading', { name: '两步验证' })).toBeTruthy()
})

it('offers the provider that a link names, which has no button otherwise', async () => {
  const assign = vi.fn()
  vi.stubGlobal('location', { ...window.location, assign })
  open(
    '/login?sso=northwind&next=%2Forganisation%2F5',
    {},
    {
      'POST /api/sso/northwind/login': () => ({ url: 'https://idp.example/authorize', state: 's' }),
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: '使用 northwind 登录' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://idp.example/authorize'))
  expect(JSON.parse(sessionStorage.getItem('third-party') ?? '')).toEqual({ purpose: 'login', next: '/organisation/5' })
})

it('offers nothing for a link that names no provider', async () => {
  open('/login?sso=%3Cb%3E', {})
  await screen.findByLabelText('用户名或邮箱')
  expect(screen.queryByText('或')).toBeNull()
})
