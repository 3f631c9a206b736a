import { describe, expect, it } from 'vitest'
import {
  bySecondRun,
  failedFiles,
  failuresOf,
  filesNotRun,
  secondsOfFiles,
  tallyOf,
  tallySum,
  together,
  type VitestReport,
} from './vitest-report.ts'

const test = (fullName: string, status: 'passed' | 'failed' | 'skipped') => ({
  fullName,
  status,
  failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
})
const file = (name: string, ...tests: ReturnType<typeof test>[]) => ({
  name: `/code/${name}`,
  status: tests.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  startTime: 1_000,
  endTime: 3_500,
  assertionResults: tests,
})
const report = (...testResults: VitestReport['testResults']): VitestReport => ({
  success: testResults.every(({ status }) => status === 'passed'),
  testResults,
})

const steady = file('a.test.ts', test('adds', 'passed'), test('needs a server', 'skipped'))
const failing = file('b.test.ts', test('waits', 'failed'), test('ends', 'passed'))
const broken = {
  name: '/code/c.test.ts',
  status: 'failed',
  message: 'Cannot find module',
  startTime: 0,
  endTime: 0,
  assertionResults: [],
}

describe('a report of vitest', () => {
  it('counts tests, and a file without any that failed', () => {
    expect(tallyOf(report(steady, failing, broken))).toEqual({ passed: 2, failed: 2, skipped: 1 })
    expect(failuresOf(report(steady, failing, broken), '/code')).toEqual([
      'b.test.ts: waits\nexpected 1 to be 2',
      'c.test.ts\nCannot find module',
    ])
  })

  it('has failed where an error outside the tests ended it', () => {
    const ended = { ...report(steady), success: false }
    expect(tallyOf(ended).failed).toBe(1)
    expect(failuresOf(ended, '/code')).toEqual(['the run ended with an error, and no test failed'])
  })

  it('names errors outside the tests, each of which counts', () => {
    const ended = { ...report(steady, failing), success: false, outside: ['Error: late'] }
    expect(tallyOf(ended).failed).toBe(2)
    const named = 'an error outside the tests\nError: late'
    expect(failuresOf(ended, '/code')).toEqual(['b.test.ts: waits\nexpected 1 to be 2', named])
    const { unsteady, others } = bySecondRun(ended, report(file('b.test.ts', test('waits', 'passed'))))
    expect(failuresOf(together([others]), '/code')).toEqual([named])
    expect(failuresOf(together([unsteady]), '/code')).toHaveLength(1)
  })

  it('is one of several runs, which has failed where one of them has', () => {
    expect(tallyOf(together([report(steady), report(failing)]))).toEqual({ passed: 2, failed: 1, skipped: 1 })
    expect(tallyOf(together([report(steady), { ...report(steady), success: false }])).failed).toBe(1)
  })

  it('names files that were planned and did not run, and says how long the others took', () => {
    expect(filesNotRun(report(steady, failing), ['b.test.ts', 'd.test.ts'], '/code')).toEqual(['d.test.ts'])
    expect([...secondsOfFiles(report(steady), '/code')]).toEqual([['a.test.ts', 2.5]])
  })

  it('is counted together with others', () => {
    expect(tallySum([])).toEqual({ passed: 0, failed: 0, skipped: 0 })
    expect(tallySum([tallyOf(report(steady)), tallyOf(report(failing))])).toEqual({ passed: 2, failed: 1, skipped: 1 })
  })

  it('tells files that passed in the second run from those that failed again or did not run', () => {
    const passed = file('b.test.ts', test('waits', 'passed'), test('ends', 'passed'))
    const first = report(steady, failing, broken)
    const [all, none] = [[steady, failing, broken], report().testResults]
    expect(failedFiles(first, '/code')).toEqual(['b.test.ts', 'c.test.ts'])
    const parts = bySecondRun(first, report(passed, broken))
    expect(parts.unsteady).toEqual({ success: true, testResults: [failing] })
    expect(parts.others).toEqual({ success: true, testResults: [steady, broken], outside: [] })
    for (const second of [report(failing, broken), report()])
      expect(bySecondRun(first, second)).toMatchObject({
        unsteady: { testResults: none },
        others: { testResults: all },
      })
  })
})
