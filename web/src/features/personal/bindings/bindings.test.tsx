import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Binding } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { applyStatus, statusStore } from '../../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { Bindings } from './bindings.tsx'

const me = { id: 2, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' }
const linked: Binding[] = [
  { provider: 'email', name: 'ada@example.com', created_time: 1_763_000_000, removable: true },
  { provider: 'github', name: 'octocat', created_time: 1_763_000_000, removable: true },
]
let sent: Sent[]

const show = async (bindings: Binding[], answers: Readonly<Record<string, FakeAnswer>> = {}) => {
  sent = fakeFetch({ 'GET /api/oauth/bindings': () => bindings, ...answers })
  await renderConsole(<Bindings />)
  await screen.findByText('微信')
}
const rowOf = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement)

beforeEach(() => {
  storeUser(me)
  applyStatus({
    ...statusStore.get(),
    github_oauth: true,
    linuxdo_oauth: true,
    wechat_login: true,
    telegram_oauth: true,
    oidc_enabled: false,
  })
})

it('lists the accounts that can be bound in the usual order, and names those that are off', async () => {
  await show(linked)
  expect(screen.getAllByRole('listitem').map((row) => row.querySelector('strong')?.textContent)).toEqual([
    '邮箱',
    '微信',
    'GitHub',
    'Telegram',
    'LinuxDO',
  ])
  expect(rowOf('GitHub').getByText('octocat')).toBeTruthy()
  expect(rowOf('LinuxDO').getByText('未绑定')).toBeTruthy()
  expect(screen.getByText('本站未启用：Discord, OIDC')).toBeTruthy()
})

it.each([
  ['LinuxDO', 'linuxdo', '绑定 LinuxDO'],
  ['GitHub', 'github', '修改绑定 GitHub'],
  ['Telegram', 'telegram', '绑定 Telegram'],
])('goes to %s to bind', async (name, provider, label) => {
  const assign = vi.fn()
  await show(linked, {
    [`POST /api/oauth/${provider}/bind`]: () => ({ url: `https://${provider}.example`, state: 's' }),
  })
  vi.stubGlobal('location', { ...window.location, assign })
  await userEvent.click(rowOf(name).getByRole('button', { name: label }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`https://${provider}.example`))
  expect(JSON.parse(sessionStorage.getItem('third-party') ?? '')).toEqual({ purpose: 'bind' })
})

it('unbinds only after asking, naming the account', async () => {
  await show(linked, { 'DELETE /api/oauth/github': () => null })
  await userEvent.click(screen.getByRole('button', { name: '解除绑定 GitHub' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('解除绑定 GitHub「octocat」？')
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(dialog).getByRole('button', { name: '解除绑定' }))
  expect(await screen.findByText('已解除绑定')).toBeTruthy()
  expect(sent.filter(({ path }) => path === '/api/oauth/bindings')).toHaveLength(2)
})

it('unbinds the address through its own call', async () => {
  await show(linked, { 'DELETE /api/oauth/email/bind': () => null })
  await userEvent.click(screen.getByRole('button', { name: '解除绑定 邮箱' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '解除绑定' }))
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/oauth/email/bind')).toBe(true))
})

it('does not offer to remove the only way in', async () => {
  await show([{ provider: 'github', name: 'octocat', created_time: 1, removable: false }])
  const button = screen.getByRole('button', { name: '解除绑定 GitHub' }) as HTMLButtonElement
  expect(button.disabled).toBe(true)
})

it('binds an address with the code that was sent there', async () => {
  await show([], {
    'GET /api/verification': () => null,
    'GET /api/oauth/email/bind': ({ query }) => (query.code === 'a1b2c3' ? null : refused('验证码错误或已过期')),
  })
  await userEvent.click(screen.getByRole('button', { name: '绑定邮箱' }))
  const dialog = within(await screen.findByRole('dialog', { name: '绑定邮箱地址' }))
  await userEvent.click(dialog.getByRole('button', { name: '绑定' }))
  expect(await dialog.findByText('请输入邮箱！')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('邮箱'), ' ada@example.com ')
  await userEvent.click(dialog.getByRole('button', { name: '获取验证码' }))
  expect(await dialog.findByText('验证码发送成功，请检查你的邮箱！')).toBeTruthy()
  expect(dialog.getByRole('button', { name: /^重新发送 \(\d+\)$/ })).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: '绑定' }))
  expect(await dialog.findByText('请输入邮箱验证码！')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('验证码'), 'wrong{Enter}')
  expect(await dialog.findByText('验证码错误或已过期')).toBeTruthy()
  await userEvent.clear(dialog.getByLabelText('验证码'))
  await userEvent.type(dialog.getByLabelText('验证码'), 'a1b2c3{Enter}')
  expect(await screen.findByText('邮箱账户绑定成功！')).toBeTruthy()
  const bound = sent.filter(({ path }) => path === '/api/oauth/email/bind').at(-1)
  expect(bound?.query).toEqual({ email: 'ada@example.com', code: 'a1b2c3' })
})

it('binds WeChat with a code', async () => {
  await show([], {
    'GET /api/oauth/wechat/bind': ({ query }) => (query.code === '1' ? null : refused('验证码错误或已过期')),
  })
  await userEvent.click(screen.getByRole('button', { name: '绑定 微信' }))
  const dialog = within(await screen.findByRole('dialog', { name: '绑定微信账户' }))
  await userEvent.type(dialog.getByLabelText('验证码'), '2{Enter}')
  expect(await dialog.findByText('验证码错误或已过期')).toBeTruthy()
  await userEvent.clear(dialog.getByLabelText('验证码'))
  await userEvent.type(dialog.getByLabelText('验证码'), '1{Enter}')
  expect(await screen.findByText('微信账户绑定成功！')).toBeTruthy()
})
