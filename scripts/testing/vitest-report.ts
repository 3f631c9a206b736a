import { relative, sep } from 'node:path'

export interface Tally {
  passed: number
  failed: number
  skipped: number
}

export const tallySum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )

type TestStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled'

interface FileReport {
  /** Path of the file. */
  readonly name: string
  readonly status: string
  /** When its first test began and its last one ended, in milliseconds. */
  readonly startTime: number
  readonly endTime: number
  /** Why the file as a whole failed; empty where one of its tests did. */
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: TestStatus
    readonly failureMessages: readonly string[]
  }[]
}

/** Members of the report of `vitest --reporter=json` that are read here. */
export interface VitestReport {
  /** False also where an error outside of all tests ended the run. */
  readonly success: boolean
  readonly testResults: readonly FileReport[]
  /** Errors outside of all tests, each with its stack and the file that ran meanwhile. */
  readonly outside?: readonly string[]
}

const hasFailed = ({ status, assertionResults }: FileReport): boolean =>
  status === 'failed' || assertionResults.some((test) => test.status === 'failed')

/** Counts tests; a file that failed before its first test, and an error outside the tests, count as one that failed. */
export const tallyOf = ({ success, testResults, outside = [] }: VitestReport): Tally => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (...among: readonly TestStatus[]) => tests.filter(({ status }) => among.includes(status)).length
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = count('failed') + brokenFiles + outside.length
  return {
    passed: count('passed'),
    failed: failed === 0 && !success ? 1 : failed,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
  }
}

/** Files in which something failed, below `root`. */
export const failedFiles = ({ testResults }: VitestReport, root: string): string[] =>
  testResults.filter(hasFailed).map(({ name }) => relative(root, name).split(sep).join('/'))

/** Files of these that the report does not have, below `root`. */
export const filesNotRun = ({ testResults }: VitestReport, files: readonly string[], root: string): string[] => {
  const ran = new Set(testResults.map(({ name }) => relative(root, name).split(sep).join('/')))
  return files.filter((path) => !ran.has(path))
}

/** Seconds that each file took, from its first test to its last, by its path below `root`. */
export const secondsOfFiles = ({ testResults }: VitestReport, root: string): ReadonlyMap<string, number> =>
  new Map(
    testResults.map(({ name, startTime, endTime }) => [
      relative(root, name).split(sep).join('/'),
      (endTime - startTime) / 1000,
    ]),
  )

/** Each failure with its file below `root`, its name and its message. */
export const failuresOf = ({ success, testResults, outside = [] }: VitestReport, root: string): string[] => {
  const failures = testResults.filter(hasFailed).flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return `${file}\n${message}`
    return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages.join('\n')}`)
  })
  const named = outside.map((error) => `an error outside the tests\n${error}`)
  if (failures.length + named.length === 0 && !success) return ['the run ended with an error, and no test failed']
  return [...failures, ...named]
}

/** The reports of several runs as one. */
export const together = (reports: readonly VitestReport[]): VitestReport => ({
  success: reports.every(({ success }) => success),
  testResults: reports.flatMap(({ testResults }) => testResults),
  outside: reports.flatMap(({ outside }) => outside ?? []),
})

/** The first report in two: files that failed in it and passed in the second run, and all others. */
export const bySecondRun = (
  first: VitestReport,
  second: VitestReport,
): { readonly unsteady: VitestReport; readonly others: VitestReport } => {
  const passed = new Set(second.testResults.filter((file) => !hasFailed(file)).map(({ name }) => name))
  const isUnsteady = (file: FileReport): boolean => hasFailed(file) && passed.has(file.name)
  const part = (holds: (file: FileReport) => boolean) => ({
    success: true,
    testResults: first.testResults.filter(holds),
  })
  const { outside = [] } = first
  return { unsteady: part(isUnsteady), others: { ...part((file) => !isUnsteady(file)), outside } }
}
