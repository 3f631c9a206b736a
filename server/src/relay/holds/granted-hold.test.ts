import { expect, it } from 'vitest'
import { refusedHold } from './granted-hold.ts'

const style = { inCurrency: false, quotaPerUnit: 500_000 }
const refused = (account: 'user' | 'token', remain: number) =>
  ({ kind: 'refused', account, remain, need: 500 }) as const

it('calls a key that was charged more than it had used up, as the check of the key does', () => {
  const error = refusedHold(refused('token', -5), style, 'abc***xyz')
  expect([error.entry.status, error.code]).toEqual([401, 'token_spent'])
  expect(error.textIn('zh')).toBe('[sk-abc***xyz] 该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = -5')
})

it.each([
  ['token', 0, 403, 'pre_consume_token_quota_failed'],
  ['token', 499, 403, 'pre_consume_token_quota_failed'],
  ['user', -5, 403, 'insufficient_user_quota'],
] as const)('refuses a %s with %i left with %i %s', (account, remain, status, code) => {
  const error = refusedHold(refused(account, remain), style, 'abc***xyz')
  expect([error.entry.status, error.code]).toEqual([status, code])
})
