import { describe, expect, it } from 'vitest'
import { byDay, lastDays, startOfDate } from './by-day.ts'

const at = (text: string): number => Date.parse(text) / 1000
const use = (moment: string, quota: number) => ({ at: at(moment), quota, count: 1, tokens: 10 })

describe('days', () => {
  it('end today, in the zone of the reader', () => {
    expect(lastDays(at('2026-03-01T23:30:00Z'), 3, 'UTC')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(lastDays(at('2026-03-01T23:30:00Z'), 1, 'Asia/Shanghai')).toEqual(['2026-03-02'])
  })

  it('are each there once, also when clocks change', () => {
    const days = lastDays(at('2026-11-10T04:30:00Z'), 30, 'America/New_York')
    expect(new Set(days).size).toBe(30)
    expect(days.at(-1)).toBe('2026-11-09')
  })

  it('begin at midnight of the zone', () => {
    expect(startOfDate('2026-11-20', 'UTC')).toBe(at('2026-11-20T00:00:00Z'))
    expect(startOfDate('2026-11-20', 'Asia/Shanghai')).toBe(at('2026-11-19T16:00:00Z'))
    expect(startOfDate('2026-11-20', 'America/New_York')).toBe(at('2026-11-20T05:00:00Z'))
  })

  it('sum the hours that lie in them, the first also what its first hour began before', () => {
    const hours = [
      use('2026-11-18T23:00:00Z', 1),
      use('2026-11-19T01:00:00Z', 2),
      use('2026-11-20T15:00:00Z', 4),
      use('2026-11-20T16:00:00Z', 8),
    ]
    const days = byDay(hours, ['2026-11-19', '2026-11-20', '2026-11-21'], 'Asia/Shanghai')
    expect(days.map(({ quota, count }) => [quota, count])).toEqual([
      [3, 2],
      [4, 1],
      [8, 1],
    ])
    const utc = byDay(hours, ['2026-11-19', '2026-11-20', '2026-11-21'], 'UTC')
    expect(utc.map(({ quota }) => quota)).toEqual([3, 12, 0])
  })
})
