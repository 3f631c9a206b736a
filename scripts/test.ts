import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Check, failedChecks } from './testing/checks.ts'
import { runVitest } from './testing/run-vitest.ts'
import {
  failedFiles,
  failuresOf,
  type Tally,
  tallyOf,
  together,
  type VitestReport,
  withSecondRun,
} from './testing/vitest-report.ts'

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
const print = (text: string): void => void process.stdout.write(text)

/** What failed, to be said again at the end: the runners' own words are thousands of lines up by then. */
const failures: string[] = []

/** What failed once, and passed when its file was run again. */
const unsteady: string[] = []

/** More files than this do not fail by chance. */
const mostRunAgain = 5

const cores = availableParallelism()

/**
 * Journeys wait for browsers, servers and slow lines half of the time, so the other tests run beside them instead of after them: one
 * after the other, the cores had nothing to do for minutes.
 */
const parts = [
  { name: 'journeys', args: ['--project', 'e2e', `--maxWorkers=${cores + 1}`] },
  { name: 'others', args: ['--project', '!e2e', `--maxWorkers=${cores}`] },
]

const reportOf = (name: string, args: readonly string[]): Promise<VitestReport | undefined> =>
  runVitest(args, { root, report: join(reports, `${name}.json`), print })

/**
 * Runs all vitest projects. Files that failed are run once more by themselves: what passes then has missed its moment on a busy
 * machine. It counts as passed, and is named at the end as something to mend.
 */
const vitest = async (): Promise<Tally> => {
  print('\n▶ contract, server, console and scripts, journeys, crashes and load\n')
  const read = await Promise.all(parts.map(({ name, args }) => reportOf(name, args)))
  const missing = parts.filter((_, at) => read[at] === undefined)
  failures.push(...missing.map(({ name }) => `${name}: no report`))
  const first = together(read.filter((report) => report !== undefined))
  const files = failedFiles(first, root)
  const second = files.length > 0 && files.length <= mostRunAgain ? await reportOf('again', files) : undefined
  const report = second === undefined ? first : withSecondRun(first, second)
  const failed = failuresOf(report, root)
  if (failed.length === 0) unsteady.push(...failuresOf(first, root))
  failures.push(...failed)
  const tally = tallyOf(report)
  return { ...tally, failed: tally.failed + missing.length }
}

const started = Date.now()
const bin = (path: string): string => join(root, 'node_modules', path)
/** Types of a part; one after the other, as several checkers in one process ask the same of the libraries each for itself. */
const types = (part: string): Check => ({
  name: `types of ${part}`,
  args: [bin('typescript/bin/tsc'), '-p', part, '--checkers', '1'],
})
const build: Check = { name: 'console and server are built', args: ['scripts/build.ts'] }
const checks: readonly Check[] = [
  build,
  types('server'),
  types('web'),
  types('scripts'),
  { name: 'style', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'no look-ups by words from outside', args: ['scripts/lint/check-outside-words.ts'] },
  types('contract'),
  { name: 'reference pages are up to date', args: ['scripts/docs.ts', '--check'] },
  { name: 'no hooks that render', args: ['scripts/lint/check-rendering-hooks.ts'] },
]
const failedNames = await failedChecks(checks, root, print)
failures.push(...failedNames)
const tallies: Tally[] = [{ passed: checks.length - failedNames.length, failed: failedNames.length, skipped: 0 }]
// Without a build, each journey would try to make one.
if (!failedNames.includes(build.name)) tallies.push(await vitest())
rmSync(reports, { recursive: true, force: true })

const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
const failed = sum((tally) => tally.failed)
if (unsteady.length > 0) print(`\nWhat failed, and passed when run again:\n\n${unsteady.join('\n\n')}\n`)
if (failures.length > 0) print(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
print(`\nTook ${Math.round((Date.now() - started) / 1000)} s.\n`)
print(`${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped\n`)
process.exit(failed === 0 ? 0 : 1)
