import { expect, it } from 'vitest'
import { growingPauses, type KeyLimit, nextJobs, pauseAfter } from './job-policy.ts'

interface TestJob {
  readonly id: number
  readonly at: string
}

const jobs: readonly TestJob[] = [
  { id: 1, at: 'slow' },
  { id: 2, at: 'slow' },
  { id: 3, at: 'slow' },
  { id: 4, at: 'quick' },
]
const limit: KeyLimit<TestJob> = { keyOf: (job) => job.at, atOnce: 2, paceMs: 0 }
const ids = (next: readonly TestJob[]): number[] => next.map(({ id }) => id)

it('takes jobs in their order while there is room', () => {
  expect(ids(nextJobs(jobs, 3))).toEqual([1, 2, 3])
  expect(ids(nextJobs(jobs, 0))).toEqual([])
  expect(ids(nextJobs(jobs, -1))).toEqual([])
})

it('passes over jobs of a key that has enough', () => {
  expect(ids(nextJobs(jobs, 4, { limit, busy: new Map() }))).toEqual([1, 2, 4])
  expect(ids(nextJobs(jobs, 4, { limit, busy: new Map([['slow', 1]]) }))).toEqual([1, 4])
  expect(ids(nextJobs(jobs, 1, { limit, busy: new Map([['slow', 2]]) }))).toEqual([4])
})

it('grows up to the longest pause, which then repeats', () => {
  const pauses = growingPauses({ first: 5, growth: 2, longest: 30 })
  expect(pauses).toEqual([5, 10, 20, 30])
  expect([0, 1, 2, 3, 4, 5, 1000].map((failures) => pauseAfter(pauses, failures))).toEqual([5, 5, 10, 20, 30, 30, 30])
})

it('ends at a longest pause that the growth meets, and never exceeds it', () => {
  expect(growingPauses({ first: 30, growth: 4, longest: 1920 })).toEqual([30, 120, 480, 1920])
  expect(growingPauses({ first: 60, growth: 2, longest: 10 })).toEqual([10])
})
