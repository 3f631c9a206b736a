import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'

interface Tally {
  passed: number
  failed: number
  skipped: number
}

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'tollgate-test-'))

/** What failed, to be said again at the end: the runners' own words are thousands of lines up by then. */
const failures: string[] = []

/** A check is a command that counts as one test. */
const check = (name: string, args: readonly string[]): Tally => {
  process.stdout.write(`\n▶ ${name}\n`)
  const ended = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (ended.status !== 0) failures.push(name)
  return { passed: ended.status === 0 ? 1 : 0, failed: ended.status === 0 ? 0 : 1, skipped: 0 }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numFailedTestSuites: number
  success: boolean
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const failuresOf = ({ testResults }: VitestReport): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [`${file}\n${message}`] : []
    return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages.join('\n')}`)
  })

/** Runs all vitest projects and reads the runner's own report; a run that leaves no report counts as a failure. */
const vitest = (name: string): Tally => {
  process.stdout.write(`\n▶ ${name}\n`)
  const report = join(reports, 'vitest.json')
  const ended = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (!existsSync(report)) {
    failures.push(`${name}: no report`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const counts = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const failed = counts.numFailedTests || (ended.status === 0 && counts.success ? 0 : 1)
  const failedHere = failuresOf(counts)
  failures.push(...(failed > 0 && failedHere.length === 0 ? [`${name}: an error outside its tests`] : failedHere))
  return { passed: counts.numPassedTests, failed, skipped: counts.numPendingTests + counts.numTodoTests }
}

const started = Date.now()
buildIfStale()
const bin = (path: string): string => join(root, 'node_modules', path)
const tallies = [
  ...['contract', 'server', 'web', 'scripts'].map((part) =>
    check(`types of ${part}`, [bin('typescript/bin/tsc'), '-p', part]),
  ),
  check('style', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']),
  check('no look-ups by words from outside', ['scripts/lint/check-outside-words.ts']),
  check('no hooks that render', ['scripts/lint/check-rendering-hooks.ts']),
  check('reference pages are up to date', ['scripts/docs.ts', '--check']),
  vitest('contract, server, console and scripts, journeys, crashes and load'),
]
rmSync(reports, { recursive: true, force: true })

const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
const failed = sum((tally) => tally.failed)
if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
process.stdout.write(`\nTook ${Math.round((Date.now() - started) / 1000)} s.\n`)
process.stdout.write(
  `${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped\n`,
)
process.exit(failed === 0 ? 0 : 1)
