import { expect, it } from 'vitest'
import { type KeyLimit, nextJobs } from './next-jobs.ts'

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
