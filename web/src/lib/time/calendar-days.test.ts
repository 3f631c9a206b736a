import { expect, it } from 'vitest'
import { dayAfter, monthAfter, weeksOf } from './calendar-days.ts'

it('counts days and months over the ends of years', () => {
  expect([dayAfter('2026-12-31', 1), dayAfter('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29'])
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

it('shows six whole weeks, which begin on the weekday of the language', () => {
  const monday = weeksOf('2026-11', 1)
  expect(monday.map(([first]) => first)).toEqual([
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ])
  expect(monday.every((week) => week.length === 7)).toBe(true)
  expect(weeksOf('2026-11', 0)[0]?.[0]).toBe('2026-11-01')
})
