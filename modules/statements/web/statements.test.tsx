import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { role, type Statement } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderAmongPages, renderConsole } from '#web/test/render-console.tsx'
import { StatementsScreen } from './screen.tsx'

beforeEach(() => {
  forgetUser()
  setLanguage('en')
})

const sums = (count: number, quota: number) => ({ count, quota, prompt_tokens: 3, completion_tokens: 4 })

const statement = (fields: Partial<Statement> = {}): Statement => ({
  user: { id: 7, username: 'ann', display_name: 'Ann', deleted: false },
  month: '2026-10',
  zone: 'UTC',
  from: 1_790_812_800,
  to: 1_793_491_200,
  complete: true,
  opening: 1_000_000,
  closing: 1_249_999,
  movements: [{ reason: 'topup', count: 1, amount: 500_000 }],
  charges: sums(2, 250_001),
  models: [
    { model: 'gpt-4o', ...sums(1, 250_000) },
    { model: '', ...sums(1, 1) },
  ],
  keys: [{ token_id: 0, name: '', ...sums(2, 250_001) }],
  days: [{ at: 1_790_900_000, reason: 'topup', count: 1, amount: 500_000 }],
  earnings: { opening: 0, closing: 0, movements: [] },
  quota_per_unit: 500_000,
  ...fields,
})

const rowsOf = async (name: string): Promise<string[]> =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => row.textContent ?? '')

it('shows sums to the last unit, from the opening balance to the closing one', async () => {
  const sent = fakeFetch({ 'GET /api/statement/self': () => statement() })
  await renderConsole(<StatementsScreen />, '/statement?month=2026-10')
  expect(await screen.findByRole('heading', { name: 'Statement for October 2026' })).toBeTruthy()
  expect(await rowsOf('Summary')).toEqual([
    'ItemCountAmount',
    'Opening balance$2.000000',
    'Top-ups1$1.000000',
    'Call charges2−$0.500002',
    'Closing balance$2.499998',
  ])
  expect(await rowsOf('By model')).toContain('Early charges (model not recorded)134−$0.000002')
  expect(await rowsOf('By API key')).toContain('Playground234−$0.500002')
  expect(sent[0]?.query).toMatchObject({ month: '2026-10' })
})

it('says when the month is not over, and when nothing was charged', async () => {
  const empty = { complete: false, models: [], keys: [], days: [], movements: [], charges: sums(0, 0) }
  fakeFetch({ 'GET /api/statement/self': () => statement(empty) })
  await renderConsole(<StatementsScreen />, '/statement')
  expect(await screen.findByText(/The month isn’t over/)).toBeTruthy()
  expect(screen.getByText('No charges this month')).toBeTruthy()
  expect((await rowsOf('Summary')).at(-1)).toContain('Balance so far')
})

it('goes from month to month, across the year', async () => {
  const sent = fakeFetch({ 'GET /api/statement/self': () => statement({ month: '2026-01' }) })
  const { router } = await renderConsole(<StatementsScreen />, '/statement?month=2026-01')
  await userEvent.click(await screen.findByRole('button', { name: 'Previous month' }))
  await expect.poll(() => sent.at(-1)?.query.month).toBe('2025-12')
  expect(router.state.location.search).toMatchObject({ month: '2025-12' })
})

it('prints what is on the page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  fakeFetch({ 'GET /api/statement/self': () => statement() })
  await renderConsole(<StatementsScreen />, '/statement')
  await screen.findByRole('table', { name: 'Summary' })
  await userEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

it('shows administrators the site, and a user by name', async () => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  const user = { id: 7, username: 'ann' }
  const sent = fakeFetch({
    'GET /api/statement/self': () => statement(),
    'GET /api/statement/site': () => statement({ user: null, keys: [], days: [] }),
    'GET /api/user/search': () => ({ items: [{ id: 8, username: 'anna' }, user], total: 2, page: 1, page_size: 100 }),
    'GET /api/statement/user/7': () => statement(),
  })
  await renderConsole(<StatementsScreen />, '/statement?month=2026-10')
  await userEvent.click(await screen.findByRole('radio', { name: 'Whole site' }))
  expect(await screen.findByText('All users')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'A user' }))
  expect(await screen.findByText('Choose a user')).toBeTruthy()
  await userEvent.type(screen.getByRole('textbox', { name: 'Username or ID' }), 'ann{Enter}')
  await expect.poll(() => sent.at(-1)?.path).toBe('/api/statement/user/7')
})

it('leads root to pages that name it', async () => {
  const title = { zh: '价格更正', en: 'Price corrections' }
  const others = [{ path: '/prices', staticData: { title, leadsFrom: { pages: ['/statement'] } } }] as const
  fakeFetch({ 'GET /api/statement/self': () => statement() })
  storeUser({ id: 1, username: 'root', display_name: '', role: role.root, status: 1, group: 'default' })
  const { router } = await renderAmongPages(<StatementsScreen />, '/statement', others)
  await userEvent.click(await screen.findByRole('button', { name: 'Price corrections' }))
  await expect.poll(() => router.state.location.pathname).toBe('/prices')
})

it('leads users nowhere', async () => {
  const title = { zh: '价格更正', en: 'Price corrections' }
  const others = [{ path: '/prices', staticData: { title, leadsFrom: { pages: ['/statement'] } } }] as const
  fakeFetch({ 'GET /api/statement/self': () => statement() })
  storeUser({ id: 1, username: 'ann', display_name: '', role: role.user, status: 1, group: 'default' })
  await renderAmongPages(<StatementsScreen />, '/statement', others)
  expect(await screen.findByRole('button', { name: /print/i })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Price corrections' })).toBeNull()
})
