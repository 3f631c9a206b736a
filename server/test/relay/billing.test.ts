import { describe, expect, it } from 'vitest'
import { type Account, billingAnswer } from '../../src/gateway/handlers/billing-answer.ts'
import { openTestGateway, testToken } from '../support/gateway/listener.ts'

const account: Account = { remaining: 7.5, used: 2.5, accessUntil: 1_900_000_000, unlimited: false }

const withGateway = async <T>(
  changes: Parameters<typeof openTestGateway>[0],
  work: (get: (path: string) => Promise<Response>, allow: (ips: string) => void) => Promise<T>,
): Promise<T> => {
  const gateway = await openTestGateway(changes)
  try {
    const get = (path: string): Promise<Response> =>
      fetch(gateway.url + path, { headers: { authorization: 'Bearer sk-good' } })
    return await work(get, (allowIps) => void gateway.tokens.set('good', { ...testToken, allowIps }))
  } finally {
    await gateway.close()
  }
}

it('writes hundredths and sums without binary rounding errors', () => {
  const spent = { ...account, remaining: 0.1, used: 0.393668 }
  expect(billingAnswer('usage', spent)).toMatchObject({ total_usage: 39.3668 })
  expect(billingAnswer('subscription', { ...spent, used: 0.2 })).toMatchObject({ hard_limit_usd: 0.3 })
})

describe.each(['', '/v1'])('the billing calls under %s/dashboard', (prefix) => {
  it('return what a key may spend in all, and until when', async () => {
    await withGateway({ gateway: { accountOf: async () => account } }, async (get) => {
      const response = await get(`${prefix}/dashboard/billing/subscription`)
      expect(await response.json()).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 10,
        hard_limit_usd: 10,
        system_hard_limit_usd: 10,
        access_until: 1_900_000_000,
      })
    })
  })

  it('return in hundredths what it has spent, whatever the dates', async () => {
    await withGateway({ gateway: { accountOf: async () => account } }, async (get) => {
      const response = await get(`${prefix}/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01`)
      expect(await response.json()).toEqual({ object: 'list', total_usage: 250 })
    })
  })

  it('know no limit of a key that has none', async () => {
    await withGateway({ gateway: { accountOf: async () => ({ ...account, unlimited: true }) } }, async (get) => {
      const response = await get(`${prefix}/dashboard/billing/subscription`)
      expect(await response.json()).toMatchObject({ hard_limit_usd: 100_000_000 })
    })
  })

  it('are limited per address', async () => {
    await withGateway({ gateway: { mayAsk: () => false } }, async (get) => {
      expect((await get(`${prefix}/dashboard/billing/usage`)).status).toBe(429)
    })
  })
})

it.each([
  ['of other addresses', '10.0.0.0/8'],
  ['that names no address', 'home, sweet home'],
])('a key with a list %s is refused everywhere, also for models and billing', async (_, list) => {
  await withGateway({}, async (get, allow) => {
    allow(list)
    const paths = ['/v1/models', '/v1/models/gpt-4o', '/dashboard/billing/subscription', '/v1/dashboard/billing/usage']
    for (const path of [...paths, '/v1beta/models', '/v1/files']) {
      const response = await get(path)
      expect(response.status, path).toBe(403)
      expect(await response.text()).toContain('您的 IP 不在令牌允许访问的列表中')
    }
    allow('127.0.0.0/8')
    for (const path of ['/v1/models', '/v1/dashboard/billing/usage']) expect((await get(path)).status, path).toBe(200)
  })
})
