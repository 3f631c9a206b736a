import { expect, it } from 'vitest'
import { logRange } from './range.ts'

const now = Math.floor(new Date(2026, 10, 20, 20, 14, 1).getTime() / 1000)

it('shows the last three days until an hour from now unless the user chose otherwise', () => {
  expect(logRange(undefined, now)).toEqual({ start_timestamp: now - 3 * 86_400, end_timestamp: now + 3600 })
})

it.each([
  ['15m', 900],
  ['1h', 3600],
  ['6h', 21_600],
  ['24h', 86_400],
  ['7d', 604_800],
  ['30d', 2_592_000],
])('reads the preset %s back from now', (text, seconds) => {
  expect(logRange(text, now).start_timestamp).toBe(now - seconds)
})

it('takes a fixed range as it stands in the address', () => {
  expect(logRange('100..200', now)).toEqual({ start_timestamp: 100, end_timestamp: 200 })
})

it('leaves the end open while the user follows live', () => {
  expect(logRange('1h', now, { follow: true })).toEqual({ start_timestamp: now - 3600 })
})

it('has no start for all time', () => {
  expect(logRange('all', now)).toEqual({ end_timestamp: now + 3600 })
})
