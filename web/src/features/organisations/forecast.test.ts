import { describe, expect, it } from 'vitest'
import { daysLeft, forecastOf, monthOf, reachedAt, spreadOf } from './forecast.ts'

const day = 86_400
const start = Date.UTC(2026, 10, 1) / 1000
/** Two thirds of a month of 30 days are over. */
const now = start + 20 * day

describe('a month', () => {
  it('is one of the calendar, in UTC', () => {
    expect(monthOf(now)).toEqual({ start, days: 30 })
    expect(monthOf(Date.UTC(2028, 1, 29, 23) / 1000)).toEqual({ start: Date.UTC(2028, 1) / 1000, days: 29 })
  })

  it('comes to what it would if it went on as so far', () => {
    expect(forecastOf(200, now)).toBe(300)
  })

  it('may differ by the spread of its days, and more the more of them are to come', () => {
    expect(spreadOf([10, 20], 10)).toBe(0)
    expect(spreadOf([10, 10, 10], 10)).toBe(0)
    expect(spreadOf([10, 20, 30], 4)).toBeCloseTo(1.28 * 10 * 2)
    expect(spreadOf([10, 20, 30], 9)).toBeCloseTo(1.28 * 10 * 3)
  })
})

describe('what is left', () => {
  it('lasts for whole days at the pace of the month', () => {
    expect(daysLeft(105, 200, now)).toBe(10)
    expect([daysLeft(100, 0, now), daysLeft(0, 100, now), daysLeft(100_000, 1, now)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('says when a monthly cap is reached, where it is within the month', () => {
    const cap = (spent: number, amount: number, period: 'day' | 'month' | 'total' = 'month') => ({
      spent,
      amount,
      period,
    })
    expect(reachedAt(cap(200, 250), now)).toBe(now + 5 * day)
    expect(reachedAt(cap(200, 400), now)).toBeUndefined()
    expect(reachedAt(cap(250, 250), now)).toBeUndefined()
    expect(reachedAt(cap(200, 250, 'total'), now)).toBeUndefined()
  })
})
