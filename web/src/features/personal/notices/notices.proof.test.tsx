import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeUser } from '../../../lib/api/session.ts'
import { fakeFetch, refused, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { PersonalScreen } from '../screen.tsx'

const self = {
  id: 2,
  username: 'alice',
  display_name: '',
  role: 1,
  status: 1,
  group: 'default',
  email: 'alice@example.com',
  quota: 250_000,
  used_quota: 61,
  request_count: 9204,
  created_time: 1_763_000_000,
  aff_quota: 1_250_000,
  aff_history_quota: 2_000_000,
  aff_count: 4,
  setting: '',
}
let sent: Sent[]
let user: typeof self
let answers: Record<string, () => unknown>
let router: Awaited<ReturnType<typeof renderConsole>>['router']

const open = async (setting: object = {}): Promise<void> => {
  user = { ...self, setting: JSON.stringify(setting) }
  const opened = await renderConsole(<PersonalScreen />, '/personal/notifications')
  router = opened.router
  await screen.findByRole('button', { name: '保存设置' })
}

/** Opens another tab of the page. */
const show = async (tab: string): Promise<void> => {
  const opened = await renderConsole(<PersonalScreen />, `/personal/${tab}`)
  router = opened.router
}

beforeEach(() => {
  storeUser(self)
  user = self
  answers = {
    'GET /api/user/self': () => user,
    'GET /api/user/models': () => [],
    'GET /api/user/aff': () => 'aB3x',
    'PUT /api/user/setting': () => null,
    'PUT /api/user/self': () => null,
    'POST /api/user/aff_transfer': () => null,
    'DELETE /api/user/self': () => null,
    'POST /api/user/setting/test': () => ({ way: 'webhook', to: 'hooks.example', duration_ms: 120 }),
  }
  sent = fakeFetch(new Proxy(answers, { get: (all, name: string) => all[name] }))
})

const bodyOf = (method: string, path: string): unknown =>
  sent.find((call) => call.method === method && call.path === path)?.body
const priceSwitch = () => screen.getByRole('switch', { name: /允许调用未定价模型/ })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the notification settings', () => {
  it('save a webhook, with the presets of the specification', async () => {
    await open()
    await userEvent.click(screen.getByLabelText('Webhook 通知'))
    await press('保存设置')
    expect(screen.getByText('请输入 Webhook 地址')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Webhook 地址'), 'http://hooks.example/x')
    await press('保存设置')
    expect(screen.getByText('无效的 Webhook 地址')).toBeTruthy()
    expect(bodyOf('PUT', '/api/user/setting')).toBeUndefined()
    await userEvent.clear(screen.getByLabelText('Webhook 地址'))
    await userEvent.type(screen.getByLabelText('Webhook 地址'), 'https://hooks.example/x')
    await userEvent.type(screen.getByLabelText('接口凭证（可选）'), 'hush')
    for (const [label, shown] of [
      ['$0.20', '$0.2'],
      ['$1.00', '$1'],
      ['$2.00', '$2'],
      ['$10.00', '$10'],
    ] as const) {
      await press(label)
      expect((screen.getByLabelText('余额预警') as HTMLInputElement).value).toBe(shown)
    }
    await press('保存设置')
    await screen.findByText('通知设置已更新')
    expect(bodyOf('PUT', '/api/user/setting')).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 5_000_000,
      webhook_url: 'https://hooks.example/x',
      webhook_secret: 'hush',
    })
  })

  it('keep a stored secret unless it is replaced or removed', async () => {
    await open({
      notify_type: 'webhook',
      webhook_url: 'https://hooks.example/x',
      webhook_secret_set: true,
      quota_warning_threshold: 7,
    })
    expect((screen.getByLabelText('接口凭证（可选）') as HTMLInputElement).placeholder).toBe('已设置，留空则不修改')
    await press('$1.00')
    await press('保存设置')
    await waitFor(() => expect(bodyOf('PUT', '/api/user/setting')).toMatchObject({ webhook_secret: '' }))
    sent.length = 0
    await userEvent.click(screen.getByLabelText('删除已保存的凭证'))
    await press('保存设置')
    await waitFor(() => expect(bodyOf('PUT', '/api/user/setting')).toMatchObject({ webhook_secret: null }))
  })

  it('leave the webhook alone when mails are chosen', async () => {
    await open({ notify_type: 'webhook', webhook_url: 'https://hooks.example/x', quota_warning_threshold: 7 })
    await userEvent.click(screen.getByLabelText('邮件通知'))
    await userEvent.type(screen.getByLabelText('通知邮箱'), 'me@example.com')
    await press('保存设置')
    await waitFor(() =>
      expect(bodyOf('PUT', '/api/user/setting')).toEqual({
        notify_type: 'email',
        quota_warning_threshold: 7,
        notification_email: 'me@example.com',
      }),
    )
  })

  it('send a test notice with what the form holds and say how it went', async () => {
    await open({ notify_type: 'webhook', webhook_url: 'https://hooks.example/x', quota_warning_threshold: 7 })
    await press('发送测试通知')
    await screen.findByText('测试通知已送达 hooks.example（0.12 s）')
    expect(bodyOf('POST', '/api/user/setting/test')).toMatchObject({ webhook_url: 'https://hooks.example/x' })
    answers['POST /api/user/setting/test'] = () => refused('发送失败：对方返回 HTTP 404')
    await press('发送测试通知')
    await screen.findByText('发送失败：对方返回 HTTP 404')
  })

  it('show the body of a webhook with its placeholders', async () => {
    await open({ notify_type: 'webhook', webhook_url: 'https://hooks.example/x', quota_warning_threshold: 7 })
    expect(screen.getByText('Webhook 请求结构')).toBeTruthy()
    expect(document.body.textContent).toContain('"content": "您的额度即将用尽，当前剩余额度为 {{value}}"')
  })

  it('are not lost by leaving the page', async () => {
    await open({ quota_warning_threshold: 7 })
    await press('$1.00')
    void router.navigate({ to: '/token' as never })
    const dialog = await screen.findByRole('dialog', { name: '有未保存的修改，确定放弃？' })
    await userEvent.click(within(dialog).getByRole('button', { name: '继续编辑' }))
    expect(router.state.location.pathname).toBe('/personal/notifications')
    void router.navigate({ to: '/token' as never })
    await userEvent.click(await screen.findByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'))
  })
})

describe('models without a price', () => {
  it('are accepted only after a question, and refused at once', async () => {
    await open()
    await userEvent.click(priceSwitch())
    expect(bodyOf('PUT', '/api/user/setting')).toBeUndefined()
    await userEvent.click(await screen.findByRole('button', { name: '允许' }))
    await waitFor(() => expect(bodyOf('PUT', '/api/user/setting')).toEqual({ accept_unset_model_ratio_model: true }))
  })

  it('leave edits of the notification form alone', async () => {
    await open({ quota_warning_threshold: 7 })
    await press('$2.00')
    user = { ...user, setting: JSON.stringify({ quota_warning_threshold: 7, accept_unset_model_ratio_model: true }) }
    await userEvent.click(priceSwitch())
    await userEvent.click(await screen.findByRole('button', { name: '允许' }))
    await waitFor(() => expect((priceSwitch() as HTMLInputElement).checked).toBe(true))
    expect((screen.getByLabelText('余额预警') as HTMLInputElement).value).toBe('$2')
  })
})

describe('invitations', () => {
  it('show the link to send on', async () => {
    await show('invites')
    await waitFor(() =>
      expect((screen.getByLabelText('邀请链接') as HTMLInputElement).value).toBe(
        `${location.origin}/register?aff=aB3x`,
      ),
    )
  })

  it('transfer at least one unit of currency and no more than there is', async () => {
    await show('invites')
    await screen.findByRole('button', { name: '划转' })
    await press('划转')
    const dialog = await screen.findByRole('dialog', { name: '请输入要划转的数量' })
    const amount = within(dialog).getByLabelText(/划转额度/)
    const submit = () => userEvent.click(within(dialog).getByRole('button', { name: '划转' }))
    await userEvent.clear(amount)
    await userEvent.type(amount, '0.999998')
    await submit()
    expect(within(dialog).getByText('划转金额最低为 $1.00')).toBeTruthy()
    await userEvent.clear(amount)
    await userEvent.type(amount, '2.500002')
    await submit()
    expect(within(dialog).getByText('超过可用额度')).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: '全部划转' }))
    await submit()
    await screen.findByText('划转成功')
    expect(bodyOf('POST', '/api/user/aff_transfer')).toEqual({ quota: 1_250_000 })
  })
})

describe('deleting the account', () => {
  it('requires the user’s own name, then ends the session', async () => {
    await show('danger')
    await waitFor(() =>
      expect((screen.getByRole('button', { name: '删除个人账户' }) as HTMLButtonElement).disabled).toBe(false),
    )
    await press('删除个人账户')
    const dialog = await screen.findByRole('dialog')
    const confirm = within(dialog).getByRole('button', { name: '删除个人账户' }) as HTMLButtonElement
    await userEvent.type(within(dialog).getByLabelText('请输入你的账户名以确认删除！'), 'alicia')
    expect(confirm.disabled).toBe(true)
    await userEvent.clear(within(dialog).getByLabelText('请输入你的账户名以确认删除！'))
    await userEvent.type(within(dialog).getByLabelText('请输入你的账户名以确认删除！'), 'alice')
    await userEvent.click(confirm)
    await waitFor(() => expect(router.state.location.href).toBe('/login?done=deleted'))
    expect(localStorage.getItem('user')).toBeNull()
  })

  it('is not offered to the super admin', async () => {
    user = { ...self, role: 100 }
    await show('danger')
    await screen.findByText('超级管理员账户不能删除。')
    expect((screen.getByRole('button', { name: '删除个人账户' }) as HTMLButtonElement).disabled).toBe(true)
  })
})

it('an empty display name becomes the username', async () => {
  user = { ...self, display_name: 'Ada' }
  await show('profile')
  await userEvent.clear(await screen.findByLabelText('显示名称'))
  await press('保存')
  await waitFor(() => expect(bodyOf('PUT', '/api/user/self')).toEqual({ display_name: 'alice' }))
})

it('warns beside the password as long as it is the default one', async () => {
  storeUser({ ...self, default_password: true })
  await show('security')
  expect(screen.getByText('你正在使用默认密码，任何人都能用它登录，请立即修改。')).toBeTruthy()
})
