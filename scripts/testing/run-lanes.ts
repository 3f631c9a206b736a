import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVitest } from './run-vitest.ts'
import type { Lane, Run } from './selection.ts'
import {
  bySecondRun,
  failedFiles,
  failuresOf,
  filesNotRun,
  type Tally,
  tallyOf,
  together,
  type VitestReport,
} from './vitest-report.ts'

export interface Outcome {
  readonly tally: Tally
  /** Each failure with its file, its name and its message, but for the unsteady ones. */
  readonly failures: readonly string[]
  /** Each failure of a first run whose file passed when it ran again. The tally counts it as failed. */
  readonly unsteady: readonly string[]
  readonly report: VitestReport
}

/** More files than this do not fail by chance. */
const mostRunAgain = 5

interface RunResult {
  readonly run: Run
  /** Undefined where the run left no report. */
  readonly report?: VitestReport
  readonly unsteady?: VitestReport
  /** The report without its unsteady files. */
  readonly others?: VitestReport
}

/**
 * Runs the lanes side by side, and the runs of each one after the other. A planned file that did not run has failed. Files that failed run
 * once more by themselves, which tells a broken one from an unsteady one; the first run alone counts.
 */
export const runLanes = async (
  lanes: readonly Lane[],
  { root, print }: { root: string; print: (text: string) => void },
): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const cores = availableParallelism()
  const reportOf = (run: Run, workers: number): Promise<VitestReport | undefined> => {
    print(`\n▶ ${run.name}: ${run.files.length} files\n`)
    const report = join(folder, `${run.name.replaceAll(/\W/g, '-')}.json`)
    return runVitest({ ...run, args: [`--maxWorkers=${workers}`] }, { root, report, print })
  }
  const one = async (run: Run, workers: number): Promise<RunResult> => {
    const report = await reportOf(run, workers)
    if (report === undefined) return { run }
    const files = failedFiles(report, root)
    const runsAgain = files.length > 0 && files.length <= mostRunAgain
    const second = runsAgain ? await reportOf({ ...run, name: `${run.name}, again`, files }, 1) : undefined
    return { run, report, ...(second === undefined ? { others: report } : bySecondRun(report, second)) }
  }
  const ended = await Promise.all(
    lanes.map(async (lane, at) => {
      const results: RunResult[] = []
      for (const run of lane) results.push(await one(run, at === 0 ? cores + 1 : cores))
      return results
    }),
  )
  rmSync(folder, { recursive: true, force: true })
  const runs = ended.flat()
  const report = together(runs.flatMap((one) => one.report ?? []))
  const others = together(runs.flatMap((one) => one.others ?? []))
  const missing = runs.flatMap(({ run, report: of }) =>
    of === undefined
      ? [`${run.name}: no report`]
      : filesNotRun(of, run.files, root).map((path) => `${path}: planned, but not run`),
  )
  const tally = tallyOf(report)
  return {
    tally: { ...tally, failed: tally.failed + missing.length },
    failures: [...missing, ...failuresOf(others, root)],
    unsteady: runs.flatMap(({ unsteady }) => (unsteady === undefined ? [] : failuresOf(unsteady, root))),
    report,
  }
}
