import { expect, it } from 'vitest'
import { aLimit } from '../../../test/support/limits/limiter.ts'
import { compiledLimit } from '../../limits/compiled-limit.ts'
import { Counter } from '../../limits/counter.ts'
import { forecastOf, stateOf } from './states.ts'

const minute = 60_000
const begin = 1_900_000_000_000

const counterOf = (window: 'rolling' | 'day' | 'forever'): Counter => {
  const counter = new Counter(compiledLimit(aLimit({ amount: 100, window, hours: 5 })), ['5'])
  counter.fits(0, begin)
  counter.share(1, 0)
  return counter
}

/** Uses an amount at a minute; as a call does. */
const use = (counter: Counter, at: number, amount: number): void => {
  counter.fits(amount, begin + at * minute)
  counter.settle(amount, amount, counter.reserve(amount))
}

it('a limit of the last five hours says when it is used up at the pace of the last fifty minutes', () => {
  const counter = counterOf('rolling')
  use(counter, 0, 20)
  expect(forecastOf(counter, begin + minute)).toBe(0)
  for (const at of [190, 200, 210, 220, 230, 240]) use(counter, at, 10)
  // 50 in the last 50 minutes, and 20 left.
  const now = begin + 241 * minute
  expect(Math.round((forecastOf(counter, now) * 1000 - now) / minute)).toBe(20)
  expect(stateOf(counter, [], now)).toMatchObject({ used: 80, left: 20, used_up_at: forecastOf(counter, now) })
  use(counter, 242, 20)
  expect(forecastOf(counter, begin + 242 * minute)).toBe(0)
})

it('a limit without an end says nothing', () => {
  const counter = counterOf('forever')
  use(counter, 100, 50)
  expect(forecastOf(counter, begin + 200 * minute)).toBe(0)
})
