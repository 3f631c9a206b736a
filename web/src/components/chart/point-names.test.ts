import { expect, it } from 'vitest'
import { pointNames, unfinishedPoint } from './point-names.ts'

const buckets = [Date.parse('2026-11-19T16:00:00Z') / 1000]
const shanghai = { language: 'en', zone: 'Asia/Shanghai' } as const

it('names days of the reader, days of UTC where they are those', () => {
  const shown = (utc_days: boolean) => pointNames({ buckets, granularity: 'day', utc_days }, shanghai)[0]
  expect(shown(false)).toEqual({ short: '20 Nov', long: '20 Nov 2026' })
  expect(shown(true)).toEqual({ short: '19 Nov', long: '19 Nov 2026' })
})

it('names a week by its first and last day, a month by itself', () => {
  const shown = (granularity: 'week' | 'month') => pointNames({ buckets, granularity, utc_days: false }, shanghai)[0]
  expect(shown('week')).toEqual({ short: '20 Nov', long: '20 Nov 2026 – 26 Nov 2026' })
  expect(shown('month')).toEqual({ short: 'Nov 2026', long: 'November 2026' })
})

it('names hours by their time, with the day under a chart of several days', () => {
  const shown = (hours: number) =>
    pointNames(
      {
        buckets: Array.from({ length: hours }, (_, hour) => (buckets[0] ?? 0) + hour * 3600),
        granularity: 'hour',
        utc_days: false,
      },
      shanghai,
    ).at(-1)
  expect(shown(24)).toEqual({ short: '23:00', long: '20 Nov 2026, 23:00' })
  expect(shown(48)).toEqual({ short: '21 Nov 23:00', long: '21 Nov 2026, 23:00' })
})

it('knows the day that is not over, and no day of a range that ended', () => {
  const midnight = buckets[0] ?? 0
  const days = { buckets: [midnight - 86_400, midnight], granularity: 'day' } as const
  const now = midnight + 7200
  expect(unfinishedPoint({ ...days, to: now }, now)).toBe(1)
  expect(unfinishedPoint({ ...days, to: midnight + 86_400 }, midnight + 86_400 * 3)).toBeUndefined()
  // Yesterday, asked for after midnight.
  expect(unfinishedPoint({ buckets: [midnight - 86_400], granularity: 'day', to: midnight }, now)).toBeUndefined()
  expect(unfinishedPoint({ buckets: [], granularity: 'hour', to: now }, now)).toBeUndefined()
})
