import { describe, expect, it } from 'vitest'
import { isUnusual, partAt, rollingUsedUpAt, usedUpAt } from './pace.ts'
import { rollingWindow } from './window.ts'

const day = 86_400_000
const window = { at: 0, end: 30 * day }

describe('a forecast', () => {
  it.each([
    ['half of it in a third of the month', 50, 10 * day, 20 * day],
    ['what lasts to the end', 30, 10 * day, undefined],
    ['what is used up', 100, 10 * day, undefined],
    ['nothing used', 0, 10 * day, undefined],
    ['too early to say', 50, day / 2, undefined],
  ])('of %s', (_, used, now, at) => expect(usedUpAt({ used, amount: 100 }, window, now)).toBe(at))
})

describe('a forecast of the last five hours', () => {
  const minute = 60_000
  const length = 300 * minute
  const { freeAt } = rollingWindow(length, true)
  /** Use at minutes of the window, of 100, by this process; `others` by all others. */
  const at = (now: number, uses: readonly (readonly [number, number])[], others = 0): number | undefined => {
    const pieces = uses.map(([when, use]) => [when * minute, use] as const)
    const used = others + uses.reduce((sum, [, use]) => sum + use, 0)
    const until = rollingUsedUpAt({ used, amount: 100, pieces }, { length, freeAt }, now * minute)
    return until === undefined ? undefined : Math.round(until / minute)
  }

  it('goes on at the latest pace', () => {
    // 50 in the last 50 minutes: one a minute.
    expect(
      at(250, [
        [200, 25],
        [225, 25],
      ]),
    ).toBe(300)
    // The same by others.
    expect(at(250, [[225, 25]], 25)).toBe(at(250, [[225, 50]]))
  })

  it('counts what leaves the window meanwhile, and says nothing where it lasts', () => {
    // 40 leave with minute 302; without that 30 more would be used up by minute 310.
    expect(
      at(250, [
        [0, 40],
        [225, 25],
      ]),
    ).toBe(400)
    expect(
      at(250, [
        [0, 80],
        [200, 10],
      ]),
    ).toBe(300)
    expect(at(250, [[225, 5]])).toBeUndefined()
  })

  it('says nothing at first, without recent use, and where it is used up', () => {
    expect(at(5, [[0, 50]])).toBeUndefined()
    expect(at(250, [[10, 90]])).toBeUndefined()
    expect(at(250, [[225, 100]])).toBeUndefined()
    expect(at(250, [], 50)).toBeUndefined()
  })
})

it('parts of a window follow one another', () => {
  expect([0, day, 15 * day, 30 * day - 1, 31 * day].map((now) => partAt(0, 30 * day, now))).toEqual([0, 0, 12, 23, 23])
})

describe('an unusual pace', () => {
  const before = [10, 12, 8, 11, 9, 14].map((used) => [undefined, used])

  it('is far above the windows before at the same time', () => {
    expect(isUnusual(22, 1, before, 100)).toBe(true)
    expect(isUnusual(20, 1, before, 100)).toBe(false)
  })

  it('needs some windows, and an amount that matters', () => {
    expect(isUnusual(90, 1, before.slice(1), 100)).toBe(false)
    expect(isUnusual(90, 0, before, 100)).toBe(false)
    expect(isUnusual(22, 1, before, 1000)).toBe(false)
  })

  it('is seldom found where windows are alike, however they vary', () => {
    // A generator of our own: the same numbers in every run.
    let seed = 7
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed + 0.5) / 2 ** 32
    }
    const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    const days = Array.from({ length: 5000 }, () => [Math.exp(normal() * 0.5) * 100])
    const alarms = days.filter(([used = 0], index) =>
      isUnusual(used, 0, days.slice(Math.max(0, index - 30), index), 10),
    )
    expect(alarms.length / days.length).toBeLessThan(0.01)
  })
})
