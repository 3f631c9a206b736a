import { describe, expect, it } from 'vitest'
import { askBalance, hasBalance } from './balance.ts'

const now = Date.UTC(2026, 10, 21, 12)
const base = 'https://up.example'

/** Answers by address; remembers what was asked. */
const upstream = (answers: Readonly<Record<string, Record<string, unknown>>>) => {
  const requests: { url: string; headers: Readonly<Record<string, string>> }[] = []
  const get = async (url: string, headers: Readonly<Record<string, string>>) => {
    requests.push({ url, headers })
    const answer = answers[url]
    if (!answer) throw new Error(`nobody at ${url}`)
    return answer
  }
  return { requests, get }
}

const billing = `${base}/v1/dashboard/billing`

describe('the balance of', () => {
  it.each<[string, number, Record<string, Record<string, unknown>>, number]>([
    [
      'OpenAI, what is left of the month',
      1,
      {
        [`${billing}/subscription`]: { hard_limit_usd: 120, has_payment_method: true },
        [`${billing}/usage?start_date=2026-11-01&end_date=2026-11-21`]: { total_usage: 4550 },
      },
      74.5,
    ],
    [
      'OpenAI without a payment method, of 100 days',
      8,
      {
        [`${billing}/subscription`]: { hard_limit_usd: 5, has_payment_method: false },
        [`${billing}/usage?start_date=2026-08-13&end_date=2026-11-21`]: { total_usage: 100 },
      },
      4,
    ],
    [
      'AI Proxy',
      10,
      { 'https://aiproxy.io/api/report/getUserOverview': { success: true, data: { totalPoints: 12.5 } } },
      12.5,
    ],
    ['API2GPT', 12, { 'https://api.api2gpt.com/dashboard/billing/credit_grants': { total_remaining: 7 } }, 7],
    ['AIGC2D', 13, { 'https://api.aigc2d.com/dashboard/billing/credit_grants': { total_available: 8 } }, 8],
    [
      'Moonshot',
      25,
      {
        [`${base}/v1/users/me/balance`]: { code: 0, data: { available_balance: 49.5, cash_balance: 3 }, status: true },
      },
      49.5,
    ],
    ['SiliconFlow', 40, { [`${base}/v1/user/info`]: { code: 20000, data: { totalBalance: '88.01' } } }, 88.01],
    [
      'DeepSeek, in CNY',
      43,
      {
        [`${base}/user/balance`]: {
          balance_infos: [
            { currency: 'USD', total_balance: '1' },
            { currency: 'CNY', total_balance: '110.00' },
          ],
        },
      },
      110,
    ],
    [
      'DeepSeek, in USD',
      43,
      { [`${base}/user/balance`]: { balance_infos: [{ currency: 'USD', total_balance: '4.20' }] } },
      4.2,
    ],
    [
      'DeepSeek, with nothing left in CNY',
      43,
      {
        [`${base}/user/balance`]: {
          balance_infos: [
            { currency: 'CNY', total_balance: '0.00' },
            { currency: 'USD', total_balance: '4.20' },
          ],
        },
      },
      4.2,
    ],
    [
      'DeepSeek, with nothing left',
      43,
      { [`${base}/user/balance`]: { balance_infos: [{ currency: 'USD', total_balance: '0.00' }] } },
      0,
    ],
  ])('%s', async (_, type, answers, balance) => {
    const { requests, get } = upstream(answers)
    expect(hasBalance(type)).toBe(true)
    expect(await askBalance(type, { baseUrl: base, key: 'sk-k', now }, get)).toBeCloseTo(balance, 10)
    const [first] = requests
    expect(first?.headers).toEqual(type === 10 ? { 'api-key': 'sk-k' } : { authorization: 'Bearer sk-k' })
  })

  it.each<[string, number, Record<string, Record<string, unknown>>, string]>([
    [
      'AI Proxy that refuses',
      10,
      { 'https://aiproxy.io/api/report/getUserOverview': { success: false, message: 'no' } },
      'no',
    ],
    [
      'SiliconFlow that refuses',
      40,
      { [`${base}/v1/user/info`]: { code: 1, message: 'bad token' } },
      'code: 1, message: bad token',
    ],
    [
      'DeepSeek without any currency',
      43,
      { [`${base}/user/balance`]: { balance_infos: [] } },
      'currency CNY not found',
    ],
    [
      'an answer of another shape',
      12,
      { 'https://api.api2gpt.com/dashboard/billing/credit_grants': { total_remaining: null } },
      'no number: total_remaining',
    ],
  ])('%s is a reason, not a number', async (_, type, answers, reason) => {
    const { get } = upstream(answers)
    await expect(askBalance(type, { baseUrl: base, key: 'sk-k', now }, get)).rejects.toThrow(reason)
  })

  it('other types is not supported', async () => {
    const { get } = upstream({})
    await expect(askBalance(14, { baseUrl: base, key: 'sk-k', now }, get)).rejects.toMatchObject({
      code: 'balance_unsupported',
    })
  })
})
