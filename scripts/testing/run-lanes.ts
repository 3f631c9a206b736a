import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVitest } from './run-vitest.ts'
import type { Lane, Run } from './selection.ts'
import { failuresOf, filesNotRun, type Tally, tallyOf, together, type VitestReport } from './vitest-report.ts'

export interface Outcome {
  readonly tally: Tally
  /** Each failure with its file, its name and its message. */
  readonly failures: readonly string[]
  readonly report: VitestReport
}

/** Runs the lanes side by side, and the runs of each one after the other. A planned file that did not run has failed. */
export const runLanes = async (
  lanes: readonly Lane[],
  { root, print }: { root: string; print: (text: string) => void },
): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const cores = availableParallelism()
  const one = async (run: Run, workers: number): Promise<{ run: Run; report: VitestReport | undefined }> => {
    print(`\n▶ ${run.name}: ${run.files.length} files\n`)
    const report = join(folder, `${run.name.replaceAll(/\W/g, '-')}.json`)
    return { run, report: await runVitest({ ...run, args: [`--maxWorkers=${workers}`] }, { root, report, print }) }
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
    report,
  }
}
