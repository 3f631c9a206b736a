import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { PaymentCallback, TopUpOrder } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { PaymentsScreen } from './screen.tsx'

beforeEach(() => {
  setLanguage('zh')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' })
})

const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

const order = (fields: Partial<TopUpOrder> = {}): TopUpOrder => ({
  id: 3,
  user_id: 7,
  username: 'alice',
  trade_no: 'USR7NOabcdef1',
  gateway_trade_no: '',
  amount: 10,
  quota: 5_000_000,
  money: '73.00',
  payment_method: 'zfb',
  create_time: 1_763_600_000,
  complete_time: 0,
  status: 'pending',
  ...fields,
})

const callback: PaymentCallback = {
  id: 9,
  received_time: 1_763_600_000,
  source: 'notify',
  ip: '192.0.2.1',
  trade_no: 'USR7NOabcdef1',
  order_id: 3,
  user_id: 7,
  username: 'alice',
  verified: false,
  outcome: 'bad_signature',
  parameters: { money: '0.01' },
}

it('lets the administrator ask the gateway about an order, and leads to its callbacks', async () => {
  const sent = fakeFetch({
    'GET /api/user/topup': () => page([order()]),
    'GET /api/user/topup/callbacks': () => page([callback]),
    'POST /api/user/topup/3/check': () => order({ status: 'success' }),
  })
  const { router } = await renderConsole(<PaymentsScreen />, '/payment')
  await userEvent.click(await screen.findByRole('button', { name: 'USR7NOabcdef1 的操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '向支付平台查询' }))
  expect(await screen.findByText('订单已支付并入账')).toBeTruthy()
  expect(sent.some(({ path }) => path === '/api/user/topup/3/check')).toBe(true)
  await userEvent.click(await screen.findByRole('button', { name: 'USR7NOabcdef1 的操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '查看回调记录' }))
  expect(await screen.findByText('签名错误')).toBeTruthy()
  expect(router.state.location.search).toEqual({ tab: 'callbacks', trade_no: 'USR7NOabcdef1' })
})

it('shows the notifications of the gateway, accepted or not', async () => {
  fakeFetch({ 'GET /api/user/topup/callbacks': () => page([callback]) })
  await renderConsole(<PaymentsScreen />, '/payment?tab=callbacks')
  expect(await screen.findByText('签名错误')).toBeTruthy()
  await userEvent.click(screen.getByText('USR7NOabcdef1'))
  expect(within(await screen.findByRole('dialog')).getByText('0.01')).toBeTruthy()
})

it('leaves no hole where a question of ours has no signature and no address', async () => {
  const checked = { ...callback, source: 'check' as const, ip: '', verified: true }
  fakeFetch({ 'GET /api/user/topup/callbacks': () => page([checked]) })
  await renderConsole(<PaymentsScreen />, '/payment?tab=callbacks')
  const row = (await screen.findByText('USR7NOabcdef1')).closest<HTMLElement>('[data-row]')
  expect(within(row ?? document.body).getAllByText('—')).toHaveLength(2)
})

it('lets the root user complete an order by hand, with a reason', async () => {
  const sent = fakeFetch({
    'GET /api/user/topup': () => page([order()]),
    'POST /api/user/topup/3/complete': () => order({ status: 'success' }),
  })
  await renderConsole(<PaymentsScreen />, '/payment')
  await userEvent.click(await screen.findByRole('button', { name: 'USR7NOabcdef1 的操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '手动完成' }))
  const dialog = within(await screen.findByRole('dialog'))
  const button = dialog.getByRole('button', { name: '手动完成' })
  expect(button).toHaveProperty('disabled', true)
  await userEvent.type(dialog.getByRole('textbox', { name: /原因/ }), '银行流水')
  await userEvent.click(button)
  expect(await screen.findByText('订单已完成并入账')).toBeTruthy()
  const made = sent.find(({ path }) => path === '/api/user/topup/3/complete')
  expect(made?.body).toEqual({ reason: '银行流水' })
})
