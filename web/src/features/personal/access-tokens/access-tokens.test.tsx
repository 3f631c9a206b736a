import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '../../../lib/api/session.ts'
import { fakeFetch, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { AccessTokens } from './access-tokens.tsx'

const support = {
  id: 2,
  username: 'ada',
  display_name: 'Ada',
  role: 10,
  status: 1,
  group: 'default',
  permissions: { set: 'custom' as const, areas: { users: 'write' as const, logs: 'read' as const } },
}
const stored = {
  id: 5,
  name: 'nightly',
  hint: 'wXyZ',
  scopes: ['own_logs:read', 'users:write'],
  created_time: 1_790_000_000,
  expires_time: 0,
  last_used_time: 1_790_000_600,
  last_used_ip: '203.0.113.7',
}
let sent: Sent[]

beforeEach(() => {
  storeUser(support)
  sent = fakeFetch({
    'GET /api/user/self/access_tokens': () => [stored],
    'POST /api/user/self/access_tokens': () => ({ ...stored, id: 6, name: 'ci', token: 'tgat_secret' }),
    'DELETE /api/user/self/access_tokens/5': () => null,
  })
})

it('lists what each token may and where it was used, and revokes it after asking', async () => {
  await renderConsole(<AccessTokens />, '/personal/access-tokens')
  const row = (await screen.findByText('nightly')).closest('li') as HTMLElement
  expect(row.textContent).toContain('tgat_…wXyZ')
  expect(row.textContent).toContain('日志、任务和统计: 查看')
  expect(row.textContent).toContain('用户: 查看和修改')
  expect(row.textContent).toContain('203.0.113.7')
  await userEvent.click(within(row).getByRole('button', { name: '撤销 nightly' }))
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: '撤销' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
})

it('makes a token with the scopes that its owner has, and shows it once', async () => {
  await renderConsole(<AccessTokens />, '/personal/access-tokens')
  await userEvent.click(await screen.findByRole('button', { name: '新建访问令牌' }))
  const form = await screen.findByRole('dialog')
  const field = (name: string) => within(form).getByLabelText<HTMLSelectElement>(name)
  expect(within(form).queryByLabelText('渠道')).toBeNull()
  expect([...field('日志和统计').options].map(({ value }) => value)).toEqual(['', 'read'])
  await userEvent.type(within(form).getByLabelText(/名称/), 'ci')
  await userEvent.click(within(form).getByRole('button', { name: '创建' }))
  await within(form).findByText('请至少选择一个范围')
  await userEvent.selectOptions(field('用户'), 'write')
  await userEvent.selectOptions(field('有效期'), 'never')
  await userEvent.click(within(form).getByRole('button', { name: '创建' }))
  await screen.findByText('tgat_secret')
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'ci',
    scopes: ['users:write'],
    expires_time: 0,
  })
})
