import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { bodyOf, changesOf, newToken, printExpiry, readExpiry, tokenRules, valuesOf } from './fields.ts'
import { useTokenMessages } from './messages.ts'
import { testToken } from './testing-token.ts'
import { expiresSoon, usedShare } from './usage-cells.tsx'

const { say } = useTokenMessages

beforeEach(() => setLanguage('zh'))

describe('expiry', () => {
  it('reads what it prints', () => {
    const time = Math.floor(new Date(2026, 1, 28, 23, 59, 58).getTime() / 1000)
    expect(printExpiry(time)).toBe('2026-02-28 23:59:58')
    expect(readExpiry(printExpiry(time))).toBe(time)
  })

  it.each(['-1', '', '  '])('takes %j as never', (text) => expect(readExpiry(text)).toBe(-1))

  it.each(['tomorrow', '2026-02-30 00:00:00', '2026-13-01 00:00:00', '2026-01-01 24:00:00', '2026-01-01 10:61:00'])(
    'refuses %j',
    (text) => expect(readExpiry(text)).toBeUndefined(),
  )
})

describe('the form', () => {
  const rules = tokenRules(say, true)

  it('uses the required labels', () => {
    expect(rules.expiry('nonsense', newToken)).toBe('过期时间格式错误！')
    expect(rules.count(0, newToken)).toBe('数量必须是正整数！')
    expect(rules.name('', newToken)).toBe('请输入名称')
    expect(rules.name('十一个汉字的名称太长了', newToken)).toBe('名称过长，最多 30 个字节')
    expect(rules.models([], { ...newToken, limited: true })).not.toBeNull()
    expect(rules.models([], newToken)).toBeNull()
  })

  it('starts a key with 500000 units that never expires', () => {
    expect(bodyOf({ ...newToken, name: ' a ' })).toMatchObject({ name: 'a', remain_quota: 500_000, expired_time: -1 })
  })

  it('leaves room for the suffix of later keys', () => {
    expect(rules.name('x'.repeat(24), newToken)).toBeNull()
    expect(rules.name('x'.repeat(24), { ...newToken, count: 2 })).toBe('名称过长，最多 23 个字节')
  })

  it('saves only what was changed, so that a balance that was charged meanwhile stays', () => {
    const before = testToken({ name: 'a', remain_quota: 700, model_limits: 'x,y', expired_time: 1_900_000_000 })
    expect(changesOf(before, valuesOf(before))).toEqual({})
    expect(changesOf(before, { ...valuesOf(before), name: 'b' })).toEqual({ name: 'b' })
    expect(changesOf(before, { ...valuesOf(before), tags: 'team: red' })).toEqual({ tags: { team: 'red' } })
    expect(changesOf(before, { ...valuesOf(before), includeCost: true })).toEqual({ include_cost: true })
    expect(valuesOf(testToken({ include_cost: true })).includeCost).toBe(true)
    expect(changesOf(before, { ...valuesOf(before), deadlineOnly: true })).toEqual({ deadline_only: true })
    expect(valuesOf(testToken({ deadline_only: true })).deadlineOnly).toBe(true)
    expect(changesOf(before, { ...valuesOf(before), quota: 9, expiry: '' })).toEqual({
      remain_quota: 9,
      expired_time: -1,
    })
  })
})

it('measures the limit bar by what a key ever had', () => {
  expect(usedShare({ used_quota: 75, remain_quota: 25 })).toBe(0.75)
  expect(usedShare({ used_quota: 0, remain_quota: 0 })).toBe(0)
})

it('warns of a key that expires within a week, and not of one that has', () => {
  const day = 86_400
  const left = (days: number) => expiresSoon({ expired_time: 1_000_000_000 + days * day }, 1_000_000_000)
  expect([left(6.9), left(7.1), left(-1)]).toEqual([true, false, false])
  expect(expiresSoon({ expired_time: -1 }, 1_000_000_000)).toBe(false)
})
