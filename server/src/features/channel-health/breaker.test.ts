import { beforeEach, describe, expect, it } from 'vitest'
import { Breaker } from './breaker.ts'

let now: number
let breaker: Breaker

beforeEach(() => {
  now = 1_900_000_000_000
  breaker = new Breaker()
})

/** A call that took no time. */
const fail = (times = 1): boolean => {
  let tripped = false
  for (let index = 0; index < times; index += 1) tripped = breaker.failed(now, now)
  return tripped
}
const work = (times = 1): void => {
  for (let index = 0; index < times; index += 1) breaker.worked(now, now)
}

describe('the breaker', () => {
  it('trips at the fifth failure in a row', () => {
    expect(fail(4)).toBe(false)
    expect(breaker.avoided(now)).toBe(false)
    expect(fail()).toBe(true)
    expect(breaker.avoided(now)).toBe(true)
  })

  it('does not trip while successes come in between', () => {
    for (let round = 0; round < 30; round += 1) {
      expect(fail(2)).toBe(false)
      work(3)
    }
    expect(breaker.troubled(now)).toBe(false)
  })

  it('trips when half of many calls fail, and forgets old ones', () => {
    for (let round = 0; round < 9; round += 1) {
      work()
      expect(fail()).toBe(false)
    }
    now += 120_000
    for (let round = 0; round < 9; round += 1) {
      work()
      expect(fail()).toBe(false)
    }
    work()
    expect(fail()).toBe(true)
  })

  it('lets one call at a time try after the pause, and closes when that works', () => {
    fail(5)
    now += 29_999
    expect(breaker.avoided(now)).toBe(true)
    now += 1
    expect(breaker.avoided(now)).toBe(false)
    breaker.chosen(now)
    expect(breaker.avoided(now)).toBe(true)
    work()
    expect(breaker.avoided(now)).toBe(false)
    expect(breaker.troubled(now)).toBe(false)
  })

  it('lets another call try when the first does not come back', () => {
    fail(5)
    now += 30_000
    breaker.chosen(now)
    now += 60_000
    expect(breaker.avoided(now)).toBe(false)
  })

  it('pauses twice as long each time, ten minutes at most', () => {
    fail(5)
    const pauses = Array.from({ length: 7 }, () => {
      const pause = breaker.openUntil - now
      now = breaker.openUntil
      breaker.chosen(now)
      expect(fail()).toBe(true)
      return pause / 1000
    })
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600])
  })

  it('begins with the short pause again once it was well', () => {
    fail(5)
    now = breaker.openUntil
    fail()
    now = breaker.openUntil
    work()
    fail(5)
    expect(breaker.openUntil - now).toBe(30_000)
  })

  it('does not believe a call that was under way before the trouble', () => {
    const long = now - 60_000
    fail(5)
    now += 1000
    breaker.worked(long, now)
    expect(breaker.avoided(now)).toBe(true)
    now = breaker.openUntil
    expect(breaker.failed(long, now)).toBe(false)
    expect(breaker.avoided(now)).toBe(false)
  })

  it('rests after a 429 without tripping', () => {
    expect(breaker.rest(now + 20_000)).toBe(true)
    expect(breaker.rest(now + 20_500)).toBe(false)
    expect(breaker.avoided(now + 20_400)).toBe(true)
    expect(breaker.avoided(now + 20_500)).toBe(false)
    expect(breaker.openUntil).toBe(0)
  })
})
