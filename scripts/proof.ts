import { join } from 'node:path'
import { buildCheck, houseChecks } from './testing/house-checks.ts'
import { planTests } from './testing/plan.ts'
import { storeProofSeconds } from './testing/proof-seconds.ts'
import { lanesOfProof, lanesOfRest } from './testing/selection.ts'
import { endWith, resultIn, runSession } from './testing/session.ts'
import { secondsOfFiles, type VitestReport } from './testing/vitest-report.ts'

/**
 * `npm run proof`: everything, on every engine. With `--rest` it runs what `npm test` has left in the same tree, and counts
 * what that has left in the file `TEST_RESULT`. Without it, random cases are drawn anew. With `--measure` it stores how long each proof took.
 */
const root = join(import.meta.dirname, '..')
const { files, selection } = planTests(root)
const file = process.env.TEST_RESULT
const store = (report: VitestReport): void => storeProofSeconds(secondsOfFiles(report, root))

const all = () => {
  process.env.TEST_SEED ??= 'random'
  return runSession({
    root,
    lanes: lanesOfProof(files),
    checks: houseChecks(root),
    ...(process.argv.includes('--measure') ? { whenPassed: store } : {}),
  })
}
const rest = () =>
  runSession({
    root,
    lanes: lanesOfRest(files, selection),
    checks: [buildCheck],
    ...(file === undefined ? {} : { before: resultIn(file) }),
  })

endWith(await (process.argv.includes('--rest') ? rest() : all()))
