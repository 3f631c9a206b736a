import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLane, type LaneCandidate, type LaneSituation, latestStart } from './choose-lane.ts'
import { openFinishTimes } from './finish-times.ts'

const minute = 60_000
const lanes = ['batch', 'flex', 'off_peak'] as const
const endingOf = (lane: string): number => (lane === 'batch' ? 10 * minute : 0)

const candidates: fc.Arbitrary<LaneCandidate> = fc
  .record({
    lane: fc.constantFrom(...lanes),
    price: fc.double({ min: 0, max: 2, noNaN: true }),
    from: fc.integer({ min: 0, max: 3000 * minute }),
    usualMs: fc.integer({ min: 1, max: 100 * minute }),
    more: fc.integer({ min: 1, max: 1000 * minute }),
    seen: fc.array(fc.oneof(fc.integer({ min: 1, max: 2000 * minute }), fc.constant(Number.POSITIVE_INFINITY)), {
      maxLength: 200,
    }),
  })
  .map(({ lane, price, from, usualMs, more, seen }) => {
    const times = openFinishTimes({ usualMs, longMs: usualMs + more })
    for (const ms of seen) times.note(ms)
    return { lane, price, from, times, endingMs: endingOf(lane) }
  })

const situations: fc.Arbitrary<LaneSituation> = fc
  .record({
    arrivedAt: fc.integer({ min: 0, max: 1000 * minute }),
    waited: fc.integer({ min: 0, max: 3000 * minute }),
    window: fc.integer({ min: 1, max: 3000 * minute }),
    slowestMs: fc.integer({ min: 1, max: 20 * minute }),
    queueMs: fc.integer({ min: 0, max: 500 * minute }),
    priceNow: fc.double({ min: 0.1, max: 2, noNaN: true }),
    priceLast: fc.double({ min: 0.1, max: 2, noNaN: true }),
    candidates: fc.array(candidates, { maxLength: 5 }),
  })
  .map(({ arrivedAt, waited, window, ...more }) => ({
    arrivedAt,
    now: arrivedAt + waited,
    deadline: arrivedAt + window,
    ...more,
  }))

describe('the choice of a lane', () => {
  it('leaves time for a synchronous call, whatever lane it takes', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const { lane, startAt, giveUpAt } = chooseLane(situation)
        expect(startAt).toBeGreaterThanOrEqual(situation.now)
        if (lane === 'standard') {
          expect(startAt).toBe(situation.now)
          return
        }
        const last = latestStart(situation)
        expect(giveUpAt + endingOf(lane)).toBe(last)
        expect(startAt).toBeLessThan(giveUpAt)
        const { queueMs = 0, slowestMs, deadline, arrivedAt } = situation
        expect(last + queueMs + 2 * slowestMs <= deadline || last === arrivedAt).toBe(true)
      }),
    )
  })

  it('is synchronous once it has to be', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const late = { ...situation, now: Math.max(situation.now, latestStart(situation)) }
        expect(chooseLane(late).lane).toBe('standard')
      }),
    )
  })

  it('is never expected to cost more than a synchronous call now, nor more than with fewer ways', () => {
    fc.assert(
      fc.property(situations, candidates, (situation, other) => {
        const { expectedPrice } = chooseLane(situation)
        expect(expectedPrice).toBeLessThanOrEqual(situation.priceNow)
        const more = chooseLane({ ...situation, candidates: [...situation.candidates, other] })
        expect(more.expectedPrice).toBeLessThanOrEqual(expectedPrice)
      }),
    )
  })

  it('never costs more with more time, where the lanes are not dearer than the last call', () => {
    fc.assert(
      fc.property(situations, fc.integer({ min: 0, max: 1000 * minute }), (situation, longer) => {
        const cheap = situation.candidates.filter(({ price }) => price <= situation.priceLast)
        const before = chooseLane({ ...situation, candidates: cheap })
        const after = chooseLane({ ...situation, candidates: cheap, deadline: situation.deadline + longer })
        expect(after.expectedPrice).toBeLessThanOrEqual(before.expectedPrice + 1e-9)
      }),
    )
  })

  it('does not depend on the order of the ways', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const reversed = { ...situation, candidates: situation.candidates.toReversed() }
        const { lane, startAt, expectedPrice } = chooseLane(situation)
        const other = chooseLane(reversed)
        expect([other.lane, other.startAt, other.expectedPrice]).toEqual([lane, startAt, expectedPrice])
      }),
    )
  })
})

describe('times that were seen', () => {
  it('outweigh what was assumed, and the oldest are forgotten', () => {
    const times = openFinishTimes({ usualMs: minute, longMs: 10 * minute })
    expect(times.within(minute)).toBe(0.5)
    expect(times.slowestMs).toBe(10 * minute)
    for (let count = 0; count < 128; count += 1) times.note(Number.POSITIVE_INFINITY)
    expect(times.within(100 * minute)).toBeLessThan(0.1)
    for (let count = 0; count < 128; count += 1) times.note(2 * minute)
    expect(times.within(2 * minute)).toBeGreaterThan(0.9)
    expect(times.slowestMs).toBe(2 * minute)
  })

  it('give larger shares for longer times', () => {
    const lists = fc.array(fc.integer({ min: 0, max: 100 * minute }), { maxLength: 300 })
    fc.assert(
      fc.property(lists, fc.nat(100 * minute), fc.nat(100 * minute), (seen, ms, more) => {
        const times = openFinishTimes({ usualMs: minute, longMs: 10 * minute })
        for (const each of seen) times.note(each)
        expect(times.within(ms + more)).toBeGreaterThanOrEqual(times.within(ms))
        expect(times.within(ms)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
