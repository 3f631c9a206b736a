import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { TopUpInfo, TopUpOrder } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { statusStore } from '../../lib/status.ts'
import { type FakeAnswer, fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { daysLeft } from './balance.tsx'
import { isSafari } from './post-form.ts'
import { WalletScreen } from './screen.tsx'

const signedInAs = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: '' })

beforeEach(() => {
  setLanguage('zh')
  statusStore.set({ ...statusStore.get(), display_in_currency: true })
  signedInAs(1)
})

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

const info: TopUpInfo = {
  online: true,
  least: 5,
  presets: [
    { amount: 5, quota: 2_500_000, money: '36.50' },
    { amount: 10, quota: 5_000_000, money: '73.00' },
  ],
  methods: [
    { type: 'zfb', name: '支付宝', color: '#1677ff' },
    { type: 'wx', name: '微信', color: '#07c160' },
    { type: 'usdt', name: 'USDT (TRC20)', color: '' },
  ],
}

const user = {
  id: 7,
  quota: 1_000_000,
  used_quota: 0,
  request_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  aff_count: 0,
}
const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })
const answers = (more: Readonly<Record<string, FakeAnswer>> = {}): Record<string, FakeAnswer> => ({
  'GET /api/user/self': () => user,
  'GET /api/user/aff': () => 'abcd',
  'GET /api/log/self/stat': () => ({ quota: 700_000, rpm: 0, tpm: 0 }),
  'GET /api/user/topup/info': () => info,
  'GET /api/user/topup/self': () => page([]),
  'POST /api/user/amount': ({ body }) =>
    Response.json({ message: 'success', data: ((body as { amount: number }).amount * 7.3).toFixed(2) }),
  ...more,
})

it('says from how much on earnings can be transferred in the unit that the site shows', async () => {
  fakeFetch(answers())
  const first = await renderConsole(<WalletScreen />, '/topup')
  expect(await screen.findByText('待使用收益达到 $1.00 后可以划转')).toBeTruthy()
  first.unmount()
  statusStore.set({ ...statusStore.get(), display_in_currency: false })
  await renderConsole(<WalletScreen />, '/topup')
  expect(await screen.findByText('待使用收益达到 500k 后可以划转')).toBeTruthy()
})

describe('the balance', () => {
  it.each([
    [1000, 700, 10],
    [1000, 0, undefined],
    [0, 10, 0],
    [-5, 10, 0],
  ])('of %i lasts, at %i a week, %s days', (balance, spent, days) => expect(daysLeft(balance, spent)).toBe(days))

  it('is shown with the pace at which it goes', async () => {
    fakeFetch(answers())
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('约 10 天')).toBeTruthy()
    expect(screen.getByText('$1.40')).toBeTruthy()
  })

  it('keeps the place of what is not known yet', async () => {
    fakeFetch(answers({ 'GET /api/log/self/stat': () => new Promise(() => {}) }))
    await renderConsole(<WalletScreen />, '/topup')
    const spent = (await screen.findByText('$2.00')).closest('dl')?.querySelectorAll('.mantine-Skeleton-root')
    expect(spent).toHaveLength(2)
  })

  it('counts what was spent also where calls are not logged', async () => {
    statusStore.set({ ...statusStore.get(), enable_data_export: true })
    fakeFetch(
      answers({
        'GET /api/log/self/stat': () => ({ quota: 0, rpm: 0, tpm: 0 }),
        'GET /api/data/self': () => [
          { id: 1, model_name: 'a', created_at: 3600, token_used: 1, count: 1, quota: 500_000 },
          { id: 2, model_name: 'b', created_at: 7200, token_used: 1, count: 1, quota: 200_000 },
        ],
      }),
    )
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('约 10 天')).toBeTruthy()
    expect(screen.getByText('$1.40')).toBeTruthy()
  })

  it('warns when it ends soon, and when it has ended', async () => {
    fakeFetch(answers({ 'GET /api/log/self/stat': () => ({ quota: 7_000_000, rpm: 0, tpm: 0 }) }))
    const { unmount } = await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('按当前速度，余额不足使用 7 天。')).toBeTruthy()
    unmount()
    fakeFetch(answers({ 'GET /api/user/self': () => ({ ...user, quota: 0 }) }))
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('余额为零，充值前调用会被拒绝。')).toBeTruthy()
  })
})

describe('buying', () => {
  it('requests the price of an amount once after typing', async () => {
    const sent = fakeFetch(answers())
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('实付金额：36.50 元')).toBeTruthy()
    const field = screen.getByLabelText(/^实付金额/)
    await userEvent.clear(field)
    await userEvent.type(field, '123')
    expect(await screen.findByText('实付金额：897.90 元')).toBeTruthy()
    const amounts = sent.filter(({ path }) => path === '/api/user/amount').map(({ body }) => body)
    expect(amounts.at(-1)).toEqual({ amount: 123, top_up_code: '' })
    expect(amounts.length).toBeLessThan(5)
  })

  it('takes a common amount by one click, and refuses less than the smallest', async () => {
    fakeFetch(answers())
    await renderConsole(<WalletScreen />, '/topup')
    await userEvent.click(await screen.findByRole('button', { name: '$10.00 73.00 元' }))
    expect(await screen.findByText('实付金额：73.00 元')).toBeTruthy()
    const field = screen.getByLabelText(/^实付金额/)
    await userEvent.clear(field)
    await userEvent.type(field, '4')
    expect(await screen.findByText('充值金额不能低于 5')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '支付宝' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows why there is no price', async () => {
    fakeFetch(answers({ 'POST /api/user/amount': () => Response.json({ message: 'error', data: '充值金额过低' }) }))
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('充值金额过低')).toBeTruthy()
  })

  it('says that it is switched off', async () => {
    fakeFetch(answers({ 'GET /api/user/topup/info': () => ({ ...info, online: false }) }))
    await renderConsole(<WalletScreen />, '/topup')
    expect(await screen.findByText('管理员未开启在线充值！')).toBeTruthy()
    expect(screen.getByText('请使用兑换码，或请管理员为你的账户增加余额。')).toBeTruthy()
    expect(screen.queryByLabelText(/^实付金额/)).toBeNull()
    for (const name of ['支付宝', '微信']) expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('asks once more, posts the form to the gateway in a tab of its own, and waits for the payment', async () => {
    const posted: Record<string, unknown>[] = []
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function submit(this: HTMLFormElement) {
      const { action, method, target, rel } = this
      posted.push({ action, method, target, rel, fields: Object.fromEntries(new FormData(this)) })
    })
    let paid = false
    const fields = { pid: '1001', out_trade_no: 'USR7NOabcdef1', sign: 'x' }
    const sent = fakeFetch(
      answers({
        'POST /api/user/pay': () =>
          Response.json({ message: 'success', data: fields, url: 'https://pay.example/submit.php' }),
        'GET /api/user/topup/self': () => page([order(paid ? { status: 'success' } : {})]),
      }),
    )
    const { router } = await renderConsole(<WalletScreen />, '/topup')
    await screen.findByText('实付金额：36.50 元')
    await userEvent.click(screen.getByRole('button', { name: '微信' }))
    const question = await screen.findByRole('dialog')
    for (const text of ['确认充值', '充值金额：$5', '实付金额：36.50 元'])
      expect(within(question).getByText(text)).toBeTruthy()
    await userEvent.click(within(question).getByRole('button', { name: '确定' }))
    await vi.waitFor(() => expect(posted).toHaveLength(1))
    expect(posted).toEqual([
      { action: 'https://pay.example/submit.php', method: 'post', target: '_blank', rel: 'noopener', fields },
    ])
    expect(sent.find(({ path }) => path === '/api/user/pay')?.body).toEqual({
      amount: 5,
      top_up_code: '',
      payment_method: 'wx',
    })
    expect(await screen.findByText('等待支付')).toBeTruthy()
    expect(router.state.location.search).toEqual({ order: 'USR7NOabcdef1' })
    await userEvent.click(await screen.findByRole('button', { name: '重新打开支付页面' }))
    expect(posted).toHaveLength(2)
    paid = true
    expect(await screen.findByText('已到账 $10.00')).toBeTruthy()
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    await userEvent.click(screen.getByRole('button', { name: '打印收据' }))
    expect(print).toHaveBeenCalledOnce()
    const receipt = screen.getByTestId('receipt').textContent
    for (const text of ['USR7NOabcdef1', 'alice #7', '73.00 元', '$10.00']) expect(receipt).toContain(text)
  })

  it.each([
    ['当前管理员未配置支付信息', () => Response.json({ message: 'error', data: '当前管理员未配置支付信息' })],
    [
      '请求失败',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ])('shows why an order could not be made: %s', async (reason, answer) => {
    fakeFetch(answers({ 'POST /api/user/pay': answer }))
    await renderConsole(<WalletScreen />, '/topup')
    await screen.findByText('实付金额：36.50 元')
    await userEvent.click(screen.getByRole('button', { name: '支付宝' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '确定' }))
    expect(await screen.findByText(reason)).toBeTruthy()
  })

  it('believes nothing that a gateway writes into the address but which order to show', async () => {
    fakeFetch(answers({ 'GET /api/user/topup/self': () => page([order()]) }))
    const { router } = await renderConsole(
      <WalletScreen />,
      '/topup?pid=1&trade_no=9&out_trade_no=USR7NOabcdef1&type=alipay&money=73.00&trade_status=TRADE_SUCCESS&sign=x&sign_type=MD5',
    )
    expect(await screen.findByText('等待支付')).toBeTruthy()
    expect(router.state.location.search).toEqual({ order: 'USR7NOabcdef1' })
  })

  it.each([
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', true],
    ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36', false],
    ['Mozilla/5.0 (Windows; rv:140.0) Gecko/20100101 Firefox/140.0', false],
  ])('knows Safari, which opens no tab after a call: %s', (agent, safari) => expect(isSafari(agent)).toBe(safari))
})

it('sends administrators from the former addresses of all orders and callbacks to the payments', async () => {
  fakeFetch(answers())
  signedInAs(10)
  const { router } = await renderConsole(<WalletScreen />, '/topup?tab=callbacks&trade_no=USR7NOabcdef1')
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/payment'))
  expect(router.state.location.search).toEqual({ tab: 'callbacks', trade_no: 'USR7NOabcdef1' })
})

it('shows users their own wallet at such an address', async () => {
  fakeFetch(answers())
  const { router } = await renderConsole(<WalletScreen />, '/topup?tab=allOrders')
  expect(await screen.findByText('在线充值')).toBeTruthy()
  expect(screen.queryByText('全部订单')).toBeNull()
  expect(router.state.location.pathname).toBe('/topup')
})
