import { expect, it } from 'vitest'
import { growingPauses, pauseAfter } from './backoff.ts'

it('grows up to the longest pause, which then repeats', () => {
  const pauses = growingPauses({ first: 5, growth: 2, longest: 30 })
  expect(pauses).toEqual([5, 10, 20, 30])
  expect([0, 1, 2, 3, 4, 5, 1000].map((failures) => pauseAfter(pauses, failures))).toEqual([5, 5, 10, 20, 30, 30, 30])
})

it('ends at a longest pause that the growth meets, and never exceeds it', () => {
  expect(growingPauses({ first: 30, growth: 4, longest: 1920 })).toEqual([30, 120, 480, 1920])
  expect(growingPauses({ first: 60, growth: 2, longest: 10 })).toEqual([10])
})
