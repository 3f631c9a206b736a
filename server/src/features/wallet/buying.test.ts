import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openWalletSite, perUnit, type TestUser, type WalletSite } from '../../../test/support/features/wallet.ts'
import type { Database } from '../../db/database.ts'
import { isSigned } from './epay.ts'

const key = 'merchant key'
const configured = {
  PayAddress: 'https://pay.example/epay',
  EpayId: '1001',
  EpayKey: key,
  ServerAddress: 'https://gate.example',
  CustomCallbackAddress: '',
  PayMethods: [
    { name: '支付宝', type: 'alipay', color: '#1677ff' },
    { name: '微信', type: 'wxpay', color: '#07c160' },
  ],
  Price: 7.3,
  MinTopUp: 1,
  TopupGroupRatio: { default: 1, vip: 0.5, free: 0 },
  DisplayInCurrencyEnabled: true,
}

describeEachEngine('buying', (open) => {
  let database: Database
  let site: WalletSite
  let user: TestUser

  beforeAll(async () => {
    database = await open()
    site = await openWalletSite(database)
    user = await site.user()
    return () => site.close()
  })
  beforeEach(() => site.set(configured))

  const quote = async (body: unknown, caller = user) => (await caller.call('POST', '/api/user/amount', body)).json
  const pay = async (body: unknown, caller = user) => (await caller.call('POST', '/api/user/pay', body)).json
  const orders = () => database.query.selectFrom('top_ups').selectAll().orderBy('id').execute()

  describe('asks what an amount costs', () => {
    it.each([
      ['default', 10, '73.00'],
      ['vip', 10, '36.50'],
      ['free', 10, '73.00'],
      ['unheard of', 3, '21.90'],
    ])('for a user of group %s: %i → %s', async (group, amount, money) => {
      const answer = await quote({ amount, top_up_code: '' }, await site.user(group))
      expect(answer).toEqual({ message: 'success', data: money })
    })

    it.each([
      [{ amount: 0 }, '充值数量不能小于 1'],
      [{ amount: -5 }, '充值数量不能小于 1'],
      [{ amount: 1.5 }, '参数错误'],
      [{ amount: '10' }, '参数错误'],
      [{}, '参数错误'],
      ['{', '参数错误'],
      [{ amount: 9_000_000_000_000 }, '参数错误'],
    ])('and is refused for %j: %s', async (body, text) => {
      expect(await quote(body)).toMatchObject({ message: 'error', data: text })
    })

    it('in quota units where the site shows no currency', async () => {
      site.set({ DisplayInCurrencyEnabled: false, MinTopUp: 2 })
      expect(await quote({ amount: 999_999 })).toMatchObject({ message: 'error', data: '充值数量不能小于 1000000' })
      expect(await quote({ amount: 1_250_000 })).toEqual({ message: 'success', data: '18.25' })
    })

    it('and refuses an amount too small to charge, with the message clients expect', async () => {
      site.set({ Price: 0.01 })
      expect(await quote({ amount: 1 })).toMatchObject({ message: 'error', data: '充值金额过低' })
      expect((await pay({ amount: 1, payment_method: 'wx' })).message).toBe('success')
      site.set({ Price: 0.009 })
      expect(await pay({ amount: 1, payment_method: 'wx' })).toMatchObject({ message: 'error', data: '充值金额过低' })
    })
  })

  describe('orders', () => {
    it('with a signed form for the gateway, and a pending order of the same money', async () => {
      const before = (await orders()).length
      const answer = await pay({ amount: 10, top_up_code: '', payment_method: 'zfb' })
      const form = answer.data as Record<string, string>
      expect(answer).toMatchObject({ message: 'success', url: 'https://pay.example/epay/submit.php' })
      expect(answer).not.toHaveProperty('success')
      expect(form).toMatchObject({
        pid: '1001',
        type: 'alipay',
        notify_url: 'https://gate.example/api/user/epay/notify',
        return_url: 'https://gate.example/topup',
        name: 'TUC10',
        money: '73.00',
        device: 'pc',
        sign_type: 'MD5',
      })
      expect(form.out_trade_no).toMatch(new RegExp(`^USR${user.id}NO[A-Za-z0-9]{6}${site.state.now / 1000}$`))
      expect(isSigned(form, key)).toBe(true)
      const [order, ...more] = (await orders()).slice(before)
      expect(more).toEqual([])
      expect(order).toMatchObject({
        user_id: user.id,
        amount: 10,
        quota: 10 * perUnit,
        money: '73.00',
        trade_no: form.out_trade_no,
        status: 'pending',
        payment_method: 'zfb',
        merchant_id: '1001',
        create_time: site.state.now / 1000,
      })
      expect(await site.balance(user.id)).toBe(0)
    })

    it('by WeChat Pay for a client that names no method, with the callback where the operator wants it', async () => {
      site.set({ CustomCallbackAddress: 'http://10.0.0.7:3000' })
      for (const payment_method of ['wx', 'wxpay', undefined]) {
        const form = (await pay({ amount: 1, payment_method })).data as Record<string, string>
        expect(form).toMatchObject({ type: 'wxpay', notify_url: 'http://10.0.0.7:3000/api/user/epay/notify' })
      }
    })

    it('by any method of the list, which the gateway gets under its own type', async () => {
      const methods = [
        { name: 'Alipay', type: 'alipay', color: '' },
        { name: 'PayPal', type: 'paypal', color: '#003087' },
        { name: 'USDT', type: 'usdt.trc20', color: '' },
      ]
      site.set({ PayMethods: methods })
      const forms = await Promise.all(
        ['paypal', 'usdt.trc20', 'zfb', 'alipay', ''].map((payment_method) => pay({ amount: 1, payment_method })),
      )
      const types = forms.map(({ data }) => (data as Record<string, string>).type)
      expect(types).toEqual(['paypal', 'usdt.trc20', 'alipay', 'alipay', 'alipay'])
      const kept = (await orders()).slice(-5).map(({ payment_method }) => payment_method)
      expect(kept.toSorted()).toEqual(['paypal', 'usdt.trc20', 'zfb', 'zfb', 'zfb'])
      const before = (await orders()).length
      for (const payment_method of ['wx', 'qqpay', 'PayPal'])
        expect(await pay({ amount: 1, payment_method })).toMatchObject({ message: 'error', data: '不支持的支付方式' })
      expect((await orders()).length).toBe(before)
      const { json } = await user.call('GET', '/api/user/topup/info')
      expect((json.data as { methods: unknown }).methods).toEqual([
        { name: 'Alipay', type: 'zfb', color: '' },
        { name: 'PayPal', type: 'paypal', color: '#003087' },
        { name: 'USDT', type: 'usdt.trc20', color: '' },
      ])
    })

    it('exactly the quota that is charged, fractions of a unit included', async () => {
      site.set({ DisplayInCurrencyEnabled: false })
      const form = (await pay({ amount: 1_250_000, payment_method: 'wx' })).data as Record<string, string>
      const order = (await orders()).at(-1)
      expect(form).toMatchObject({ money: '18.25', name: 'TUC1250000' })
      expect(order).toMatchObject({ amount: 2, quota: 1_250_000, money: '18.25' })
    })

    it.each(['PayAddress', 'EpayId', 'EpayKey', 'ServerAddress'] as const)('not without %s', async (missing) => {
      site.set({ [missing]: '' })
      const before = (await orders()).length
      expect(await pay({ amount: 10, payment_method: 'zfb' })).toMatchObject({
        message: 'error',
        data: '当前管理员未配置支付信息',
      })
      expect((await orders()).length).toBe(before)
      expect((await user.call('GET', '/api/user/topup/info')).json.data).toMatchObject({ online: false })
    })

    it('under numbers of their own, however many at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay({ amount: 1, payment_method: 'zfb' })))
      const numbers = answers.map(({ data }) => (data as Record<string, string>).out_trade_no)
      expect(new Set(numbers).size).toBe(20)
    })
  })

  it('knows what common amounts cost oneself', async () => {
    site.set({ MinTopUp: 20 })
    const { json } = await (await site.user('vip')).call('GET', '/api/user/topup/info')
    expect(json.data).toEqual({
      online: true,
      least: 20,
      presets: [
        { amount: 20, quota: 20 * perUnit, money: '73.00' },
        { amount: 50, quota: 50 * perUnit, money: '182.50' },
        { amount: 100, quota: 100 * perUnit, money: '365.00' },
        { amount: 500, quota: 500 * perUnit, money: '1825.00' },
        { amount: 1000, quota: 1000 * perUnit, money: '3650.00' },
      ],
      methods: [
        { name: '支付宝', type: 'zfb', color: '#1677ff' },
        { name: '微信', type: 'wx', color: '#07c160' },
      ],
    })
  })

  it('shows people their own orders only, and administrators all of them', async () => {
    const other = await site.user()
    await pay({ amount: 3, payment_method: 'wx' }, other)
    const page = async (caller: TestUser, path: string) =>
      (await caller.call('GET', path)).json.data as { items: Record<string, unknown>[]; total: number }
    const own = await page(other, '/api/user/topup/self')
    expect(own.items).toMatchObject([{ user_id: other.id, money: '21.90', payment_method: 'wx', status: 'pending' }])
    expect(own.items[0]).not.toHaveProperty('merchant_id')
    expect((await other.call('GET', '/api/user/topup')).json.code).toBe('permission_denied')
    const admin = await site.admin()
    const all = await page(admin, '/api/user/topup?page_size=100')
    expect(all.total).toBeGreaterThan(own.total)
    const { username, trade_no } = own.items[0] as { username: string; trade_no: string }
    expect((await page(admin, `/api/user/topup?username=${username}`)).total).toBe(1)
    expect((await page(admin, `/api/user/topup?trade_no=${trade_no}&payment_method=wx&status=pending`)).total).toBe(1)
    expect((await page(admin, `/api/user/topup?trade_no=${trade_no}&payment_method=zfb`)).total).toBe(0)
    site.state.now += 2 * 3_600_000 + 1000
    expect((await page(other, '/api/user/topup/self?status=pending')).total).toBe(0)
    expect((await page(other, '/api/user/topup/self?status=expired')).items).toMatchObject([{ status: 'expired' }])
  })
})
