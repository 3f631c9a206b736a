import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'
import { type Check, failedChecks } from './testing/checks.ts'
import {
  failedFiles,
  failuresOf,
  type Tally,
  tallyOf,
  type VitestReport,
  withSecondRun,
} from './testing/vitest-report.ts'

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'tollgate-test-'))

/** What failed, to be said again at the end: the runners' own words are thousands of lines up by then. */
const failures: string[] = []

/** What failed once, and passed when its file was run again. */
const unsteady: string[] = []

/** More files than this do not fail by chance. */
const mostRunAgain = 5

/** Runs these files, or all, and reads the runner's own report; undefined where it left none. */
const reportOf = (files: readonly string[]): VitestReport | undefined => {
  const report = join(reports, `vitest-${files.length}.json`)
  const ended = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...files,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (!existsSync(report)) return undefined
  const read = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  // The report knows nothing of errors outside the tests.
  return { ...read, success: read.success && ended.status === 0 }
}

/**
 * Runs all vitest projects. Files that failed are run once more by themselves: what passes then has missed its moment on a busy
 * machine. It counts as passed, and is named at the end as something to mend.
 */
const vitest = (name: string): Tally => {
  process.stdout.write(`\n▶ ${name}\n`)
  const first = reportOf([])
  if (first === undefined) {
    failures.push(`${name}: no report`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const files = failedFiles(first, root)
  const second = files.length > 0 && files.length <= mostRunAgain ? reportOf(files) : undefined
  const report = second === undefined ? first : withSecondRun(first, second)
  const failed = failuresOf(report, root)
  if (failed.length === 0) unsteady.push(...failuresOf(first, root))
  failures.push(...failed)
  return tallyOf(report)
}

const started = Date.now()
buildIfStale()
const bin = (path: string): string => join(root, 'node_modules', path)
/** Types of a part; one after the other, as several checkers in one process ask the same of the libraries each for itself. */
const types = (part: string): Check => ({
  name: `types of ${part}`,
  args: [bin('typescript/bin/tsc'), '-p', part, '--checkers', '1'],
})
const checks: readonly Check[] = [
  types('server'),
  types('web'),
  types('scripts'),
  { name: 'style', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'no look-ups by words from outside', args: ['scripts/lint/check-outside-words.ts'] },
  types('contract'),
  { name: 'reference pages are up to date', args: ['scripts/docs.ts', '--check'] },
  { name: 'no hooks that render', args: ['scripts/lint/check-rendering-hooks.ts'] },
]
const failedNames = await failedChecks(checks, root, (text) => void process.stdout.write(text))
failures.push(...failedNames)
const tallies: readonly Tally[] = [
  { passed: checks.length - failedNames.length, failed: failedNames.length, skipped: 0 },
  vitest('contract, server, console and scripts, journeys, crashes and load'),
]
rmSync(reports, { recursive: true, force: true })

const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
const failed = sum((tally) => tally.failed)
if (unsteady.length > 0) process.stdout.write(`\nWhat failed, and passed when run again:\n\n${unsteady.join('\n\n')}\n`)
if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
process.stdout.write(`\nTook ${Math.round((Date.now() - started) / 1000)} s.\n`)
process.stdout.write(
  `${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped\n`,
)
process.exit(failed === 0 ? 0 : 1)
