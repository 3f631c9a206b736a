import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { startTestGateway, type TestGateway } from '../../../test/support/features/payment-gateway.ts'
import { openWalletSite, perUnit, type TestUser, type WalletSite } from '../../../test/support/features/wallet.ts'
import type { Database } from '../../db/database.ts'
import { createConsoleListener } from '../../http/listener.ts'

const merchantId = '1001'
const key = 'merchant key'

/** Both nodes behind one address, in turn, as a load balancer would have it. */
const serve = async (site: WalletSite): Promise<{ server: Server; url: string }> => {
  const notFound = { fetch: async () => new Response('', { status: 404 }) }
  const listeners = site.nodes.map(({ api }) => createConsoleListener({ api, site: notFound }))
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    listeners[turn % 2]?.(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  return { server, url: `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}` }
}

describeEachEngine('payments', (open) => {
  let database: Database
  let site: WalletSite
  let gateway: TestGateway
  let server: Server
  let admin: TestUser

  beforeAll(async () => {
    database = await open()
    site = await openWalletSite(database)
    gateway = await startTestGateway({ merchantId, key })
    const served = await serve(site)
    server = served.server
    admin = await site.admin()
    site.set({ PayAddress: gateway.url, EpayId: merchantId, EpayKey: key, ServerAddress: served.url })
  })
  afterAll(async () => {
    server?.closeAllConnections()
    server?.close()
    await gateway?.close()
    await site?.close()
  })

  /** An order that a browser has brought to the gateway. */
  const order = async (caller: TestUser, amount = 10, payment_method = 'zfb'): Promise<string> => {
    const { json } = await caller.call('POST', '/api/user/pay', { amount, payment_method, top_up_code: '' })
    const form = json.data as Record<string, string>
    const brought = await fetch(String(json.url), {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    expect(brought.status).toBe(302)
    return form.out_trade_no ?? ''
  }
  const stored = (tradeNo: string) =>
    database.query.selectFrom('top_ups').selectAll().where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()
  const callbacks = async (tradeNo: string) => {
    const { json } = await admin.call('GET', `/api/user/topup/callbacks?trade_no=${tradeNo}&page_size=100`)
    return (json.data as { items: { outcome: string; verified: boolean; parameters: Record<string, string> }[] }).items
  }
  const check = async (tradeNo: string) =>
    (await admin.call('POST', `/api/user/topup/${(await stored(tradeNo)).id}/check`)).json

  it.each(['GET', 'POST'] as const)('credits the order on a callback by %s', async (method) => {
    const user = await site.user('default', 7)
    const tradeNo = await order(user)
    expect(await gateway.notify(tradeNo, { method })).toBe('success')
    const { id, status, complete_time, gateway_trade_no } = await stored(tradeNo)
    expect([status, complete_time, gateway_trade_no]).toEqual([
      'success',
      site.state.now / 1000,
      gateway.orders.get(tradeNo)?.tradeNo,
    ])
    expect(await site.balance(user.id)).toBe(7 + 10 * perUnit)
    expect(await site.entries(user.id)).toEqual([{ movement: `topup:${id}`, amount: 10 * perUnit, reason: 'topup' }])
    expect(site.events.at(-1)).toMatchObject({
      userId: user.id,
      type: 1,
      content: '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.000000',
    })
    const [callback] = await callbacks(tradeNo)
    expect(callback).toMatchObject({
      source: 'notify',
      verified: true,
      outcome: 'credited',
      user_id: user.id,
      order_id: id,
    })
    expect(callback?.parameters).toMatchObject({ out_trade_no: tradeNo, money: '73.00' })
    expect(callback?.parameters).not.toHaveProperty('sign')
  })

  it('credits once, for repeated callbacks, in any order and on several nodes', async () => {
    const user = await site.user()
    const tradeNo = await order(user)
    const early = await gateway.notify(tradeNo, { changes: { trade_status: 'WAIT_BUYER_PAY' } })
    expect([early, await site.balance(user.id)]).toEqual(['success', 0])
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => gateway.notify(tradeNo, { method: index % 2 === 0 ? 'GET' : 'POST' })),
    )
    expect(new Set(answers)).toEqual(new Set(['success']))
    expect(await gateway.notify(tradeNo, { changes: { trade_status: 'TRADE_CLOSED' } })).toBe('success')
    expect(await gateway.notify(tradeNo)).toBe('success')
    expect(await site.balance(user.id)).toBe(10 * perUnit)
    expect(await site.entries(user.id)).toHaveLength(1)
    const outcomes = (await callbacks(tradeNo)).map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'already')).toHaveLength(12)
    expect(site.events.filter(({ userId }) => userId === user.id)).toHaveLength(1)
    expect(await site.differences()).toEqual([])
  })

  it.each([
    ['a forged signature', { sign: '0'.repeat(32) }, 'bad_signature'],
    ['no signature', { sign: '' }, 'bad_signature'],
    ['another merchant', { pid: '1002' }, 'wrong_merchant'],
    ['less money', { money: '72.99' }, 'wrong_amount'],
    ['more money', { money: '730.00' }, 'wrong_amount'],
    ['no money', { money: '' }, 'wrong_amount'],
    ['money that is no number', { money: '0x49' }, 'wrong_amount'],
  ])('credits nothing for %s, and does not acknowledge it', async (_, changes, outcome) => {
    const user = await site.user()
    const tradeNo = await order(user)
    for (const method of ['GET', 'POST'] as const)
      expect(await gateway.notify(tradeNo, { changes, method })).toBe('fail')
    expect(await site.balance(user.id)).toBe(0)
    expect((await stored(tradeNo)).status).toBe('pending')
    expect((await callbacks(tradeNo)).map((callback) => callback.outcome)).toEqual([outcome, outcome])
    expect(await gateway.notify(tradeNo)).toBe('success')
    expect(await site.balance(user.id)).toBe(10 * perUnit)
  })

  it.each([
    ['wxpay', 'wx'],
    ['alipay', 'zfb'],
    ['qqpay', 'qqpay'],
    ['', 'zfb'],
  ])(
    'credits a payment by another method than was chosen, and keeps the one that was used: %s',
    async (type, method) => {
      const user = await site.user()
      const byCallback = await order(user)
      expect(await gateway.notify(byCallback, { changes: { type } })).toBe('success')
      expect(await stored(byCallback)).toMatchObject({ status: 'success', payment_method: method })
      const byCheck = await order(user)
      gateway.answer = () => ({
        code: 1,
        trade_no: '1',
        out_trade_no: byCheck,
        type,
        pid: 1001,
        money: '73.00',
        status: 1,
      })
      expect(await check(byCheck)).toMatchObject({ success: true })
      gateway.answer = undefined
      expect(await stored(byCheck)).toMatchObject({ status: 'success', payment_method: method })
      expect(await site.balance(user.id)).toBe(20 * perUnit)
    },
  )

  describe('completed by hand', () => {
    const complete = async (caller: TestUser, tradeNo: string, reason: unknown = 'bank statement of 3 November') =>
      (await caller.call('POST', `/api/user/topup/${(await stored(tradeNo)).id}/complete`, { reason })).json

    it('are credited once, also when the callback comes at the same moment or later', async () => {
      const root = await site.root()
      const user = await site.user()
      const tradeNo = await order(user)
      const answers = await Promise.all([complete(root, tradeNo), complete(root, tradeNo), gateway.notify(tradeNo)])
      expect(answers[2]).toBe('success')
      expect(await complete(root, tradeNo)).toMatchObject({ success: false, code: 'topup_order_completed' })
      expect(await gateway.notify(tradeNo)).toBe('success')
      expect(await site.balance(user.id)).toBe(10 * perUnit)
      expect(await site.entries(user.id)).toHaveLength(1)
      expect(await site.differences()).toEqual([])
    })

    it('keep in the audit who did it and why', async () => {
      const root = await site.root()
      const user = await site.user()
      const tradeNo = await order(user, 10, 'wx')
      expect(await complete(root, tradeNo)).toMatchObject({
        success: true,
        data: { status: 'success', trade_no: tradeNo },
      })
      expect(await stored(tradeNo)).toMatchObject({ payment_method: 'wx', gateway_trade_no: '' })
      const trace = (await site.traces()).findLast(({ action }) => action === 'topup.complete')
      expect(trace).toMatchObject({ actor_id: root.id })
      expect(JSON.parse(trace?.after ?? '')).toMatchObject({ reason: 'bank statement of 3 November', user_id: user.id })
    })

    it('only by the root user, with a reason', async () => {
      const user = await site.user()
      const tradeNo = await order(user)
      const root = await site.root()
      for (const caller of [user, admin])
        expect(await complete(caller, tradeNo)).toMatchObject({ success: false, code: 'permission_denied' })
      for (const reason of ['', '  ', 'x'.repeat(501), 5])
        expect(await complete(root, tradeNo, reason)).toMatchObject({ success: false })
      expect(await site.balance(user.id)).toBe(0)
    })
  })

  it('credits nothing for unknown orders', async () => {
    const fields = new URLSearchParams(gateway.callback('USR1NOnobody'))
    expect((await site.stranger('GET', `/api/user/epay/notify?${fields}`)).text).toBe('fail')
    expect((await callbacks('USR1NOnobody'))[0]).toMatchObject({ verified: true, outcome: 'unknown_order' })
    expect((await site.stranger('GET', '/api/user/epay/notify')).text).toBe('fail')
    expect((await site.stranger('POST', '/api/user/epay/notify', 'nonsense')).text).toBe('fail')
  })

  it('takes 73 for 73.00, and a payment that comes after its order expired', async () => {
    const user = await site.user()
    const tradeNo = await order(user)
    site.state.now += 86_400_000
    expect(await gateway.notify(tradeNo, { changes: { money: '73' } })).toBe('success')
    expect(await site.balance(user.id)).toBe(10 * perUnit)
  })

  it('credits what was promised when it was ordered, whatever the options say since', async () => {
    const user = await site.user()
    const tradeNo = await order(user, 2)
    site.set({ QuotaPerUnit: 1, Price: 100 })
    expect(await gateway.notify(tradeNo)).toBe('success')
    site.set({ QuotaPerUnit: perUnit, Price: 7.3 })
    expect(await site.balance(user.id)).toBe(2 * perUnit)
  })

  it('says fail while nothing is set up', async () => {
    const user = await site.user()
    const tradeNo = await order(user)
    site.set({ EpayKey: '' })
    expect(await gateway.notify(tradeNo)).toBe('fail')
    // A signature made with an empty key is as good as none.
    const forged = new URLSearchParams({ ...gateway.callback(tradeNo), sign: '' })
    expect((await site.stranger('GET', `/api/user/epay/notify?${forged}`)).text).toBe('fail')
    site.set({ EpayKey: key })
    expect(await site.balance(user.id)).toBe(0)
    expect((await callbacks(tradeNo)).map(({ outcome }) => outcome)).toEqual(['not_configured', 'not_configured'])
  })

  it('is not acknowledged while crediting fails, and is credited by a repeated callback', async () => {
    const user = await site.user()
    const tradeNo = await order(user)
    const { id } = await stored(tradeNo)
    await database.query.updateTable('top_ups').set({ user_id: 999_999 }).where('id', '=', id).execute()
    expect(await gateway.notify(tradeNo)).toBe('fail')
    expect((await stored(tradeNo)).status).toBe('pending')
    expect((await callbacks(tradeNo)).map(({ outcome }) => outcome)).toEqual(['failed'])
    await database.query.updateTable('top_ups').set({ user_id: user.id }).where('id', '=', id).execute()
    expect(await gateway.notify(tradeNo)).toBe('success')
    expect(await site.balance(user.id)).toBe(10 * perUnit)
  })

  it('keeps little of what strangers say, and forgets it after a month', async () => {
    const long = 'x'.repeat(30_000)
    await site.stranger('POST', '/api/user/epay/notify', `out_trade_no=flood${long}&money=${long}&key=${key}`)
    const [flood] = await callbacks('flood')
    expect(JSON.stringify(flood).length).toBeLessThan(1000)
    expect(JSON.stringify(flood)).not.toContain(key)
    const { openCallbackStore } = await import('./callback-store.ts')
    await openCallbackStore(database).forgetUnverified(site.state.now / 1000 + 1)
    expect(await callbacks('flood')).toEqual([])
    expect((await callbacks('USR')).every(({ verified }) => verified)).toBe(true)
  })

  describe('asked for again', () => {
    it('are credited when the gateway says so, once', async () => {
      const user = await site.user()
      const tradeNo = await order(user)
      expect(await check(tradeNo)).toMatchObject({ success: false, message: '支付网关显示该订单尚未支付' })
      const brought = gateway.orders.get(tradeNo)
      if (brought) brought.paid = true
      const [first, second, callbackAnswer] = await Promise.all([
        check(tradeNo),
        check(tradeNo),
        gateway.notify(tradeNo),
      ])
      expect([first.success, second.success, callbackAnswer]).toEqual([true, true, 'success'])
      expect(first.data).toMatchObject({ status: 'success', trade_no: tradeNo })
      expect(await site.balance(user.id)).toBe(10 * perUnit)
      expect(await site.entries(user.id)).toHaveLength(1)
      const traces = (await site.traces()).filter(({ action }) => action === 'topup.check')
      expect(traces.map(({ after }) => JSON.parse(after).outcome)).toContain('not_paid')
      expect(JSON.stringify([traces, site.logged, await callbacks(tradeNo)])).not.toContain(key)
    })

    it.each([
      ['another amount', { money: '1.00' }, '支付网关返回的订单信息与本站订单不一致'],
      ['another merchant', { pid: 1002 }, '支付网关返回的订单信息与本站订单不一致'],
      ['another order', { out_trade_no: 'USR1NOother' }, '支付网关返回的订单信息与本站订单不一致'],
      ['a refusal', { code: -1, msg: '商户已停用' }, '支付网关拒绝查询：商户已停用'],
    ])('credit nothing when the gateway speaks of %s', async (_, changes, message) => {
      const user = await site.user()
      const tradeNo = await order(user)
      gateway.answer = (created) => ({
        code: 1,
        trade_no: '1',
        out_trade_no: created?.fields.out_trade_no,
        type: 'alipay',
        pid: 1001,
        money: '73.00',
        status: 1,
        ...changes,
      })
      const answer = await check(tradeNo)
      gateway.answer = undefined
      expect(answer).toMatchObject({ success: false, message })
      expect(await site.balance(user.id)).toBe(0)
    })

    it('say when the gateway does not answer, or may not be asked', async () => {
      const tradeNo = await order(await site.user())
      site.set({ PayAddress: 'http://127.0.0.1:9' })
      expect((await check(tradeNo)).message).toBe('无法连接支付网关')
      site.set({ PayAddress: 'http://169.254.169.254/latest' })
      expect((await check(tradeNo)).message).toBe('无法连接支付网关')
      site.set({ PayAddress: gateway.url })
      expect((await callbacks(tradeNo)).map(({ outcome }) => outcome)).toEqual(['unreachable', 'unreachable'])
    })

    it('only by administrators', async () => {
      const user = await site.user()
      const { id } = await stored(await order(user))
      expect((await user.call('POST', `/api/user/topup/${id}/check`)).json.code).toBe('permission_denied')
      expect((await user.call('GET', '/api/user/topup/callbacks')).json.code).toBe('permission_denied')
    })
  })

  it('keep every balance the sum of its entries, whatever gateways and people do', async () => {
    const changes = fc.constantFrom(
      {},
      {},
      { money: '0.01' },
      { pid: '9' },
      { sign: 'f'.repeat(32) },
      { trade_status: 'X' },
    )
    const step = fc.record({ which: fc.nat(2), method: fc.constantFrom('GET', 'POST'), changes })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const user = await site.user()
        const amounts = [1, 20, 300]
        const numbers = await Promise.all(amounts.map((amount) => order(user, amount, amount === 1 ? 'wx' : 'zfb')))
        await Promise.all(steps.map(({ which, ...how }) => gateway.notify(numbers[which] ?? '', how)))
        const paid = new Set(steps.filter((taken) => Object.keys(taken.changes).length === 0).map(({ which }) => which))
        const expected = [...paid].reduce((sum, which) => sum + (amounts[which] ?? 0) * perUnit, 0)
        expect(await site.balance(user.id)).toBe(expected)
        expect((await site.entries(user.id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(expected)
      }),
      { numRuns: 8 },
    )
    expect(await site.differences()).toEqual([])
  })
})
