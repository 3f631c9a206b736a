import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Check, failedChecks } from './checks.ts'
import { buildCheck } from './house-checks.ts'
import { runLanes } from './run-lanes.ts'
import type { Lane } from './selection.ts'
import { type Tally, tallySum, type VitestReport } from './vitest-report.ts'

const toOutput = (text: string): void => void process.stdout.write(text)

/** How a session ended. */
export interface Result {
  readonly tally: Tally
  /** Each failure with its file, its name and its message, but for the unsteady ones. */
  readonly failures: readonly string[]
  /** Each failure whose file passed when it ran again; as much a failure as the others. */
  readonly unsteady: readonly string[]
}

export interface Session {
  readonly root: string
  readonly lanes: readonly Lane[]
  /** Run before the lanes, which are left out where the build fails. */
  readonly checks: readonly Check[]
  /** Counted beside what runs here: the session before. */
  readonly before?: Result
  /** Takes the text of the runners; the output where it is left out. */
  readonly print?: (text: string) => void
  /** Called with the reports of a session in which nothing failed. */
  readonly whenPassed?: (report: VitestReport) => void
}

/** The result of the session before, which it left in this file; one that left none has failed. */
export const resultIn = (file: string): Result =>
  existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Result)
    : { tally: { passed: 0, failed: 1, skipped: 0 }, failures: ['npm test: it left no result'], unsteady: [] }

/** Leaves the result in this file for the session that follows. */
export const leaveResult = (file: string, result: Result): void => writeFileSync(file, JSON.stringify(result))

/** Most characters of a failure from its beginning and from its end: one may hold the output of a whole run. */
const mostOfBeginning = 1500
const mostOfEnd = 2500

const shortened = (text: string): string =>
  text.length <= mostOfBeginning + mostOfEnd
    ? text
    : `${text.slice(0, mostOfBeginning)}\n…\n${text.slice(0 - mostOfEnd)}`

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/**
 * Runs the checks and the lanes, and prints every failure once more at the end, and then their names: the runners' own words are thousands
 * of lines up by then.
 */
export const runSession = async (session: Session): Promise<Result> => {
  const { root, lanes, checks, before, whenPassed, print = toOutput } = session
  const started = Date.now()
  const failedNames = await failedChecks(checks, root, print)
  const checked: Tally = { passed: checks.length - failedNames.length, failed: failedNames.length, skipped: 0 }
  // Without a build, each journey would try to make one.
  const outcome = failedNames.includes(buildCheck.name) ? undefined : await runLanes(lanes, { root, print })
  const failures = [...(before?.failures ?? []), ...failedNames, ...(outcome?.failures ?? [])]
  const unsteady = [...(before?.unsteady ?? []), ...(outcome?.unsteady ?? [])]
  const printFailures = (title: string, texts: readonly string[]): void => {
    if (texts.length > 0) print(`\n${title}:\n\n${texts.map(shortened).join('\n\n')}\n`)
  }
  printFailures('What failed only at the first run', unsteady)
  printFailures('What failed', failures)
  for (const failure of [...unsteady, ...failures]) print(`\nFailed: ${firstLine(failure)}`)
  print(`\nTook ${Math.round((Date.now() - started) / 1000)} s.\n`)
  const tallies = [before?.tally, checked, outcome?.tally].filter((tally) => tally !== undefined)
  const tally = tallySum(tallies)
  if (tally.failed === 0 && outcome !== undefined) whenPassed?.(outcome.report)
  return { tally, failures, unsteady }
}

/** Prints the last line, and ends the process by it. */
export const endWith = ({ tally: { passed, failed, skipped } }: Result): never => {
  toOutput(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  return process.exit(failed === 0 ? 0 : 1)
}
