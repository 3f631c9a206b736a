import { describe, expect, it } from 'vitest'
import { failedFiles, failuresOf, tallyOf, together, type VitestReport, withSecondRun } from './vitest-report.ts'

const test = (fullName: string, status: 'passed' | 'failed' | 'skipped') => ({
  fullName,
  status,
  failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
})
const file = (name: string, ...tests: ReturnType<typeof test>[]) => ({
  name: `/code/${name}`,
  status: tests.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: tests,
})
const report = (...testResults: VitestReport['testResults']): VitestReport => ({
  success: testResults.every(({ status }) => status === 'passed'),
  testResults,
})

const steady = file('a.test.ts', test('adds', 'passed'), test('needs a server', 'skipped'))
const failing = file('b.test.ts', test('waits', 'failed'), test('ends', 'passed'))
const broken = { name: '/code/c.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] }

describe('a report of vitest', () => {
  it('counts tests, and a file without any that failed', () => {
    expect(tallyOf(report(steady, failing, broken))).toEqual({ passed: 2, failed: 2, skipped: 1 })
    expect(failedFiles(report(steady, failing, broken), '/code')).toEqual(['b.test.ts', 'c.test.ts'])
    expect(failuresOf(report(steady, failing, broken), '/code')).toEqual([
      'b.test.ts: waits\nexpected 1 to be 2',
      'c.test.ts\nCannot find module',
    ])
  })

  it('has failed where an error outside the tests ended it', () => {
    const ended = { ...report(steady), success: false }
    expect(tallyOf(ended).failed).toBe(1)
    expect(failuresOf(ended, '/code')).toEqual(['an error outside the tests'])
  })

  it('is one of several runs, which has failed where one of them has', () => {
    expect(tallyOf(together([report(steady), report(failing)]))).toEqual({ passed: 2, failed: 1, skipped: 1 })
    expect(tallyOf(together([report(steady), { ...report(steady), success: false }])).failed).toBe(1)
  })

  it('takes what the second run says of the files that were run again, and only of those', () => {
    const passed = file('b.test.ts', test('waits', 'passed'), test('ends', 'passed'))
    expect(tallyOf(withSecondRun(report(steady, failing), report(passed)))).toEqual({
      passed: 3,
      failed: 0,
      skipped: 1,
    })
    expect(tallyOf(withSecondRun(report(steady, failing), report(failing)))).toEqual({
      passed: 2,
      failed: 1,
      skipped: 1,
    })
  })
})
