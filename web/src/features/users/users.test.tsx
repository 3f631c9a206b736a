import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { User } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { changeOf, userRules, valuesOf } from './fields.ts'
import { refusalOf } from './manage.tsx'
import { useUserMessages } from './messages.ts'
import { UsersScreen } from './screen.tsx'

const { say } = useUserMessages

beforeEach(() => {
  setLanguage('zh')
})

const user = (fields: Partial<User> = {}): User => ({
  id: 2,
  username: 'alice',
  password: '',
  display_name: 'Alice',
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  access_token: '',
  group: 'default',
  permissions: null,
  quota: 5_000_000,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  DeletedAt: null,
  setting: '',
  verification_code: '',
  created_time: 0,
  last_login_time: 0,
  ...fields,
})

describe('the forms', () => {
  it('want a reason for an adjustment and never take more than there is', () => {
    const rules = userRules(say, 100)
    const values = valuesOf(user())
    expect(rules.delta(-101)).toBe('余额不足，无法扣减')
    expect(rules.delta(-100)).toBeNull()
    expect(rules.reason('', { ...values, delta: 5 })).toBe('请输入调整原因')
    expect(rules.reason('', values)).toBeNull()
  })

  it('send only what was changed, and balances as a difference', () => {
    const before = user()
    expect(changeOf(before, valuesOf(before), 'form')).toEqual({ id: 2 })
    expect(changeOf(before, { ...valuesOf(before), delta: -500_000, reason: ' refund ' }, 'form')).toEqual({
      id: 2,
      quota_delta: -500_000,
      reason: 'refund',
      adjustment: 'form_-500000',
    })
  })
})

const list = (...items: User[]) => ({
  'GET /api/group/': () => ['default', 'vip'],
  'GET /api/user/search': () => ({ items, total: items.length, page: 1, page_size: 10 }),
})

it('lists people with their last activity and spend; wallets of organisations are behind a filter', async () => {
  setLanguage('en')
  const sent = fakeFetch({
    ...list(user()),
    'GET /api/user/activity': () => [{ user_id: 2, last_active: 0, spend: 2_500_000 }],
  })
  await renderConsole(<UsersScreen />, '/user')
  expect((await screen.findByText('$5.00')).closest('td')?.dataset.column).toBe('spend_30d')
  expect(screen.getByText('never')).toBeTruthy()
  const searches = () => sent.filter(({ path }) => path === '/api/user/search').map(({ query }) => query.kind)
  expect(searches()).toEqual(['people'])
  expect(screen.queryByText('Clear filters')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Filter by Accounts' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Organisation wallets' }))
  await waitFor(() => expect(searches()).toEqual(['people', 'wallets']))
})

describe('what an admin may do', () => {
  const refusals = (viewer: number, fields: Partial<User>) =>
    (['promote', 'demote', 'disable', 'enable', 'cancel'] as const).filter(
      (act) => refusalOf(act, user(fields), viewer, say) !== undefined,
    )

  it.each([
    ['an admin to a user', 10, { role: 1 }, ['promote', 'demote']],
    ['an admin to an admin', 10, { role: 10 }, ['promote', 'demote', 'disable', 'enable', 'cancel']],
    ['an admin to root', 10, { role: 100 }, ['promote', 'demote', 'disable', 'enable', 'cancel']],
    ['root to a user', 100, { role: 1 }, ['demote']],
    ['root to an admin', 100, { role: 10 }, ['promote']],
    ['root to root', 100, { role: 100 }, ['promote', 'demote', 'disable', 'cancel']],
    ['root to a retired user', 100, { role: 1, status: 3 }, ['demote', 'enable']],
  ] as const)('follows the levels: %s', (_, viewer, fields, expected) => {
    expect(refusals(viewer, fields)).toEqual(expected)
  })
})

describe('the screen', () => {
  beforeEach(() => storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' }))

  it('marks a cancelled user and offers nothing to do with it', async () => {
    fakeFetch(list(user(), user({ id: 3, username: 'dave', DeletedAt: '2026-01-01T00:00:00Z' })))
    await renderConsole(<UsersScreen />, '/user')
    expect(await screen.findByText('已注销')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'dave 的操作' })).toBeNull()
    expect(screen.getByRole('button', { name: 'alice 的操作' })).toBeTruthy()
  })

  it('calls the wallet of an organisation what it is', async () => {
    fakeFetch(list(user(), user({ id: 3, username: 'org:Northwind:a', organisation_id: 4 })))
    await renderConsole(<UsersScreen />, '/user')
    const row = (await screen.findByText('org:Northwind:a')).closest('[data-row]')
    expect(row?.textContent).toContain('组织钱包')
    expect(screen.getAllByText('组织钱包')).toHaveLength(1)
  })

  it('cannot enable an account of status 3', async () => {
    fakeFetch(list(user({ status: 3 })))
    await renderConsole(<UsersScreen />, '/user')
    await userEvent.click(await screen.findByRole('button', { name: 'alice 的操作' }))
    const enable = await screen.findByRole('menuitem', { name: '启用' })
    expect(enable.hasAttribute('disabled') || enable.getAttribute('data-disabled') === 'true').toBe(true)
  })

  it('gives the row the status and role that came back, even where a filter would leave it out', async () => {
    fakeFetch({ ...list(user()), 'POST /api/user/manage': () => user({ status: 2, role: 1 }) })
    await renderConsole(<UsersScreen />, '/user?status=1')
    await userEvent.click(await screen.findByRole('button', { name: 'alice 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '禁用' }))
    await userEvent.click(await screen.findByRole('button', { name: '禁用用户' }))
    expect(await screen.findByText('已封禁')).toBeTruthy()
    expect(await screen.findByText('已禁用“alice”')).toBeTruthy()
    expect(screen.getByRole('button', { name: '撤销' })).toBeTruthy()
  })

  it('says which of the selected users were refused, and why', async () => {
    const answers = list(user(), user({ id: 3, username: 'dave' }))
    fakeFetch({
      ...answers,
      'POST /api/user/batch/run': () => ({
        done: 1,
        failed: [{ id: 3, name: 'dave', reason: '该用户已注销' }],
        before: [{ id: 2, value: 2 }],
        next: null,
      }),
    })
    await renderConsole(<UsersScreen />, '/user')
    for (const name of ['alice', 'dave']) await userEvent.click(await screen.findByLabelText(`选择 ${name}`))
    await userEvent.click(screen.getByRole('button', { name: '启用' }))
    const summary = await screen.findByRole('dialog', { name: '1 个成功，1 个失败' })
    expect(summary.textContent).toContain('dave 该用户已注销')
  })

  it('moves all that match to another group, and cancels them after their number was typed', async () => {
    const sent = fakeFetch({
      ...list(),
      'GET /api/user/search': () => ({ items: [user()], total: 12, page: 1, page_size: 10 }),
      'POST /api/user/batch/run': () => ({ done: 12, failed: [], before: [], next: null }),
    })
    await renderConsole(<UsersScreen />, '/user?status=2')
    const selectAll = async (): Promise<void> => {
      await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
      await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 12 条' }))
    }
    await selectAll()
    await userEvent.click(screen.getByRole('button', { name: '设置分组' }))
    await userEvent.click(await screen.findByRole('radio', { name: 'vip' }))
    await userEvent.click(screen.getByRole('button', { name: '应用' }))
    expect(await screen.findByText('已将 12 个用户的分组设为 vip')).toBeTruthy()
    await selectAll()
    await userEvent.click(screen.getByRole('button', { name: '注销' }))
    await userEvent.type(await screen.findByLabelText('输入 12 以确认'), '12{Enter}')
    const which = { filter: { status: '2', kind: 'people' } }
    await waitFor(() =>
      expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
        { which, act: { kind: 'group', group: 'vip' } },
        { which, act: { kind: 'delete' } },
      ]),
    )
  })

  it('cancels an account only after its name was typed', async () => {
    const sent = fakeFetch({ ...list(user()), 'POST /api/user/manage': () => user({ DeletedAt: '2026-01-01' }) })
    await renderConsole(<UsersScreen />, '/user')
    await userEvent.click(await screen.findByRole('button', { name: 'alice 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '注销' }))
    const dialog = await screen.findByRole('dialog')
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: '注销用户' })
    expect(confirm.disabled).toBe(true)
    await userEvent.type(within(dialog).getByRole('textbox'), 'alice')
    await userEvent.click(confirm)
    expect(await screen.findByText('已注销“alice”')).toBeTruthy()
    expect(sent.find((call) => call.path === '/api/user/manage')?.body).toEqual({ id: 2, action: 'delete' })
  })

  it.each(['/user/add', '/user/edit'])('opens the form that %s names', async (path) => {
    fakeFetch(list(user()))
    await renderConsole(<UsersScreen />, path)
    expect(await screen.findByRole('dialog', { name: '添加用户' })).toBeTruthy()
  })
})
