import { join } from 'node:path'
import { planTests } from './testing/plan.ts'
import { storeProofSeconds } from './testing/proof-seconds.ts'
import { lanesOfProof, lanesOfRest } from './testing/selection.ts'
import { endWith, runSession, tallyBefore } from './testing/session.ts'
import { secondsOfFiles } from './testing/vitest-report.ts'

/**
 * `npm run proof`: everything, on every engine. With `--rest` it runs what `npm test` has left in the same tree, and counts
 * what that has handed on. With `--measure` it stores how long each proof took.
 */
const root = join(import.meta.dirname, '..')
const isRest = process.argv.includes('--rest')
const { files, selection } = planTests(root)
const before = isRest ? tallyBefore() : undefined
endWith(
  await runSession({
    root,
    lanes: isRest ? lanesOfRest(files, selection) : lanesOfProof(files),
    checksHouse: !isRest,
    ...(before === undefined ? {} : { before }),
    ...(process.argv.includes('--measure') && !isRest
      ? { whenPassed: (report) => storeProofSeconds(secondsOfFiles(report, root)) }
      : {}),
  }),
)
