import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'

interface Tally {
  passed: number
  failed: number
  skipped: number
}

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'tollgate-test-'))

/** A check is a command that counts as one test. */
const check = (name: string, args: readonly string[]): Tally => {
  process.stdout.write(`\n▶ ${name}\n`)
  const ended = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  return { passed: ended.status === 0 ? 1 : 0, failed: ended.status === 0 ? 0 : 1, skipped: 0 }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numFailedTestSuites: number
  success: boolean
}

/** Runs vitest projects and reads the runner's own report; a run that leaves no report counts as a failure. */
const vitest = (name: string, projects: readonly string[]): Tally => {
  process.stdout.write(`\n▶ ${name}\n`)
  const report = join(reports, `${projects.join('-')}.json`)
  const ended = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const counts = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const failed = counts.numFailedTests || (ended.status === 0 && counts.success ? 0 : 1)
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
  check('reference pages are up to date', ['scripts/docs.ts', '--check']),
  vitest('contract, server and console', ['contract', 'server', 'web']),
  vitest('journeys, crashes and load', ['e2e']),
]
rmSync(reports, { recursive: true, force: true })

const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
const failed = sum((tally) => tally.failed)
process.stdout.write(`\nTook ${Math.round((Date.now() - started) / 1000)} s.\n`)
process.stdout.write(
  `${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped\n`,
)
process.exit(failed === 0 ? 0 : 1)
