import { join } from 'node:path'
import { houseChecks } from './testing/house-checks.ts'
import { planTests } from './testing/plan.ts'
import { lanesOfNouns, lanesOfTest } from './testing/selection.ts'
import { endWith, leaveResult, runSession } from './testing/session.ts'

/**
 * `npm test`: build, types and style; every test that is no proof; one proof of each kind; and the proofs of what was
 * changed (`docs/tests.md`). Where `TEST_RESULT` names a file, the result is left there for `npm run proof -- --rest`, which
 * prints the last line of both. `npm test -- wallet tokens` runs the tests of these nouns alone.
 */
const root = join(import.meta.dirname, '..')
const nouns = process.argv.slice(2)
const { files, selection } = planTests(root)

const ofNouns = async (): Promise<never> => {
  const lanes = lanesOfNouns(files, nouns)
  if (lanes.length > 0) return endWith(await runSession({ root, lanes, checks: [] }))
  process.stderr.write(`There are no tests of ${nouns.join(', ')}.\n`)
  return process.exit(1)
}

const all = async (): Promise<void> => {
  const { left } = selection
  const result = await runSession({ root, lanes: lanesOfTest(selection), checks: houseChecks(root) })
  if (left.length > 0)
    process.stdout.write(`Of the proofs of what was changed, ${left.length} are left to \`npm run proof\`.\n`)
  const file = process.env.TEST_RESULT
  if (file === undefined) return endWith(result)
  leaveResult(file, result)
  process.exitCode = result.tally.failed === 0 ? 0 : 1
}

await (nouns.length > 0 ? ofNouns() : all())
