import { describe, expect, it } from 'vitest'
import { quotaChange } from './quota-change.ts'

const row = { quota: 700, used_quota: 300 }

describe('what an edit asks of a balance', () => {
  it('is nothing when it says nothing, or sends back what was read before calls were charged', () => {
    expect(quotaChange(row, {})).toEqual({ amount: 0 })
    expect(quotaChange(row, { quota: 1000, used_quota: 0 })).toEqual({ amount: 0 })
  })

  it('is the difference to what was read', () => {
    expect(quotaChange(row, { quota: 1500, used_quota: 0 })).toEqual({ amount: 500 })
    expect(quotaChange(row, { quota: 900, used_quota: 100 })).toEqual({ amount: 0 })
    expect(quotaChange(row, { quota_delta: -5 })).toEqual({ amount: -5 })
  })

  it('is the new balance where the request states no earlier one', () => {
    expect(quotaChange(row, { quota: 50 })).toEqual({ amount: -650, setTo: 50 })
  })

  it('may be sent back below nothing, but not asked for', () => {
    expect(quotaChange({ quota: -5, used_quota: 300 }, { quota: -5, used_quota: 300 })).toEqual({ amount: 0 })
    expect(() => quotaChange(row, { quota: -5 })).toThrow('Invalid parameter')
  })

  it('cannot be both', () => {
    expect(() => quotaChange(row, { quota: 5, quota_delta: 5 })).toThrow('Invalid parameter')
  })

  it('never leaves the numbers that count exactly', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(() => quotaChange(row, { quota_delta: most })).toThrow()
    expect(() => quotaChange(row, { quota: most, used_quota: most })).toThrow()
  })
})
