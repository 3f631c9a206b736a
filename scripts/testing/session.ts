import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { failedChecks } from './checks.ts'
import { buildCheck, houseChecks } from './house-checks.ts'
import { runLanes } from './run-lanes.ts'
import type { Lane } from './selection.ts'
import { type Tally, tallySum, type VitestReport } from './vitest-report.ts'

const print = (text: string): void => void process.stdout.write(text)

export interface Session {
  readonly root: string
  readonly lanes: readonly Lane[]
  /** True where build, types, style and reference pages are checked before. */
  readonly checksHouse: boolean
  /** Said at the end, before the tally. */
  readonly note?: string
  /** Counted beside what runs here, such as the tally of a session before. */
  readonly before?: Tally
  /** Called with the reports of a session in which nothing failed. */
  readonly whenPassed?: (report: VitestReport) => void
}

/** The file that hands the tally of `npm test` to `npm run proof -- --rest`, where one follows the other. */
const handed = process.env.TEST_TALLY

/** What the session before has handed on. A session that left none has failed. */
export const tallyBefore = (): Tally | undefined => {
  if (handed === undefined) return undefined
  if (!existsSync(handed)) return { passed: 0, failed: 1, skipped: 0 }
  return JSON.parse(readFileSync(handed, 'utf8')) as Tally
}

/** Leaves the tally to the session that follows, where one does. */
export const handTallyOn = (tally: Tally): boolean => {
  if (handed === undefined) return false
  writeFileSync(handed, JSON.stringify(tally))
  return true
}

/**
 * Runs the checks and the lanes, and prints every failure once more at the end: the runners' own words are thousands of
 * lines up by then. A test that failed is not run again: one that passes only then is a defect.
 */
export const runSession = async (session: Session): Promise<Tally> => {
  const { root, lanes, checksHouse, note, before, whenPassed } = session
  const started = Date.now()
  const checks = checksHouse ? houseChecks(root) : []
  const failedNames = await failedChecks(checks, root, print)
  const checked: Tally = { passed: checks.length - failedNames.length, failed: failedNames.length, skipped: 0 }
  // Without a build, each journey would try to make one.
  const outcome = failedNames.includes(buildCheck.name) ? undefined : await runLanes(lanes, { root, print })
  const failures = [...failedNames, ...(outcome?.failures ?? [])]
  if (failures.length > 0) print(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
  else if (outcome !== undefined) whenPassed?.(outcome.report)
  print(`\n${note === undefined ? '' : `${note}\n`}Took ${Math.round((Date.now() - started) / 1000)} s.\n`)
  return tallySum([
    checked,
    ...(outcome === undefined ? [] : [outcome.tally]),
    ...(before === undefined ? [] : [before]),
  ])
}

/** Prints the last line, and ends the process by it. */
export const endWith = ({ passed, failed, skipped }: Tally): never => {
  print(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  process.exit(failed === 0 ? 0 : 1)
}
