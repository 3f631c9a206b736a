import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { fakeFetch, type Sent } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { PersonalScreen } from './screen.tsx'

const self = {
  id: 2,
  username: 'admin',
  display_name: 'Ada',
  role: 10,
  status: 1,
  group: 'vip',
  email: '',
  quota: 250_000,
  used_quota: 61,
  request_count: 9204,
  created_time: 1_763_000_000,
  aff_quota: 1_250_000,
  aff_history_quota: 2_000_000,
  aff_count: 4,
  setting: '',
}
const models = Array.from({ length: 13 }, (_, index) => `model-${index}`)
let sent: Sent[]
let hasPassword: boolean

beforeEach(async () => {
  storeUser(self)
  hasPassword = true
  sent = fakeFetch({
    'GET /api/user/self': () => self,
    'GET /api/user/models': () => models,
    'PUT /api/user/self': () => null,
    'POST /api/user/token': () => 'secret-token',
    'GET /api/user/aff': () => 'aB3x',
    'GET /api/user/self/confirm': () => ({ methods: [], confirmed_until: 0, has_password: hasPassword }),
  })
})

const open = (tab: string) => renderConsole(<PersonalScreen />, `/personal/${tab}`)

it('shows the real role', async () => {
  await open('profile')
  await screen.findByText('$0.50')
  expect(screen.getByText('管理员')).toBeTruthy()
})

it('folds the model list after ten names and remembers when it was opened', async () => {
  await open('profile')
  await screen.findByText('model-0')
  expect(screen.queryByText('model-10')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '更多 3 个模型' }))
  expect(screen.getByText('model-12')).toBeTruthy()
  expect(localStorage.getItem('modelsExpanded')).toBe('true')
})

it('changes the password only with the current one and two equal new ones', async () => {
  await open('security')
  const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text)
  await type('新密码', 'long enough')
  await type('确认新密码', 'different')
  await userEvent.click(screen.getByRole('button', { name: '修改密码' }))
  expect(screen.getByText('请输入当前密码')).toBeTruthy()
  expect(screen.getByText('两次输入的密码不一致！')).toBeTruthy()
  expect(sent.some((call) => call.method === 'PUT')).toBe(false)
  await type('当前密码', 'old one')
  await userEvent.clear(screen.getByLabelText('确认新密码'))
  await type('确认新密码', 'long enough')
  await userEvent.click(screen.getByRole('button', { name: '修改密码' }))
  await screen.findByText('密码修改成功！')
  expect(sent.find((call) => call.method === 'PUT')?.body).toEqual({
    original_password: 'old one',
    password: 'long enough',
  })
})

it('asks users from a login provider for no current password', async () => {
  hasPassword = false
  await open('security')
  const button = await screen.findByRole('button', { name: '设置密码' })
  expect(screen.queryByLabelText('当前密码')).toBeNull()
  await userEvent.type(screen.getByLabelText('新密码'), 'long enough')
  await userEvent.type(screen.getByLabelText('确认新密码'), 'long enough')
  await userEvent.click(button)
  await screen.findByText('密码修改成功！')
  expect(sent.find((call) => call.method === 'PUT')?.body).toEqual({ password: 'long enough' })
})

it('makes a system access token only after asking, and shows it', async () => {
  await open('access-tokens')
  await userEvent.click(screen.getByRole('button', { name: '生成系统访问令牌' }))
  expect(sent.some((call) => call.path === '/api/user/token')).toBe(false)
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(dialog.querySelector('button[type=submit]') as HTMLButtonElement)
  await waitFor(() => expect(screen.getByText('secret-token')).toBeTruthy())
})

it('shows one tab, whose address may be that of a panel of the former single page', async () => {
  const opened = await renderConsole(<PersonalScreen />, '/personal#bindings')
  const tabs = within(screen.getByRole('navigation', { name: '个人设置分页' }))
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    '个人信息',
    '安全',
    '访问令牌',
    '账户绑定',
    '通知',
    '邀请',
    '危险操作',
  ])
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('账户绑定')
  expect(screen.queryByLabelText('新密码')).toBeNull()
  await userEvent.click(tabs.getByRole('link', { name: '危险操作' }))
  expect(opened.router.state.location.pathname).toBe('/personal/danger')
  expect(await screen.findByRole('button', { name: '删除个人账户' })).toBeTruthy()
})

it('puts the focus into the form that changes the password when a link leads there', async () => {
  await open('security#password')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('当前密码')))
})
