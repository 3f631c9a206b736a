import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVitest } from './run-vitest.ts'
import type { Lane, Run } from './selection.ts'
import {
  failedFiles,
  failuresOf,
  filesNotRun,
  type Tally,
  tallyOf,
  together,
  type VitestReport,
  withSecondRun,
} from './vitest-report.ts'

export interface Outcome {
  readonly tally: Tally
  /** Each failure with its file, its name and its message. */
  readonly failures: readonly string[]
  /** Each failure of a first run whose file passed when it ran again. */
  readonly unsteady: readonly string[]
  readonly report: VitestReport
}

/** More files than this do not fail by chance. */
const mostRunAgain = 5

/**
 * Runs the lanes side by side, and the runs of each one after the other. A planned file that did not run has failed. Files that failed run
 * once more by themselves: one that passes then has missed its moment on a busy machine, counts as passed, and is named.
 */
export const runLanes = async (
  lanes: readonly Lane[],
  { root, print }: { root: string; print: (text: string) => void },
): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const cores = availableParallelism()
  const unsteady: string[] = []
  const reportOf = (run: Run, workers: number): Promise<VitestReport | undefined> => {
    print(`\n▶ ${run.name}: ${run.files.length} files\n`)
    const report = join(folder, `${run.name.replaceAll(/\W/g, '-')}.json`)
    return runVitest({ ...run, args: [`--maxWorkers=${workers}`] }, { root, report, print })
  }
  const one = async (run: Run, workers: number): Promise<{ run: Run; report: VitestReport | undefined }> => {
    const first = await reportOf(run, workers)
    const files = first === undefined ? [] : failedFiles(first, root)
    if (first === undefined || files.length === 0 || files.length > mostRunAgain) return { run, report: first }
    const second = await reportOf({ ...run, name: `${run.name}, again`, files }, 1)
    if (second === undefined) return { run, report: first }
    const still = new Set(failedFiles(second, root))
    unsteady.push(...failuresOf(first, root).filter((text) => ![...still].some((file) => text.startsWith(file))))
    return { run, report: withSecondRun(first, second) }
  }
  const ended = await Promise.all(
    lanes.map(async (lane, at) => {
      const results = []
      for (const run of lane) results.push(await one(run, at === 0 ? cores + 1 : cores))
      return results
    }),
  )
  rmSync(folder, { recursive: true, force: true })
  const runs = ended.flat()
  const report = together(runs.flatMap((one) => one.report ?? []))
  const missing = runs.flatMap(({ run, report: of }) =>
    of === undefined
      ? [`${run.name}: no report`]
      : filesNotRun(of, run.files, root).map((path) => `${path}: planned, but not run`),
  )
  const tally = tallyOf(report)
  return {
    tally: { ...tally, failed: tally.failed + missing.length },
    failures: [...missing, ...failuresOf(report, root)],
    unsteady,
    report,
  }
}
