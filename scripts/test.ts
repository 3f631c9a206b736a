import { join } from 'node:path'
import { houseChecks } from './testing/house-checks.ts'
import { planTests } from './testing/plan.ts'
import { lanesOfTest } from './testing/selection.ts'
import { endWith, leaveResult, runSession } from './testing/session.ts'

/**
 * `npm test`: build, types and style; every test that is no proof; one proof of each kind; and the proofs of what was
 * changed (`docs/tests.md`). Where `TEST_RESULT` names a file, the result is left there for `npm run proof -- --rest`, which
 * prints the last line of both.
 */
const root = join(import.meta.dirname, '..')
const { selection } = planTests(root)
const { left } = selection
const result = await runSession({ root, lanes: lanesOfTest(selection), checks: houseChecks(root) })
if (left.length > 0)
  process.stdout.write(`Of the proofs of what was changed, ${left.length} are left to \`npm run proof\`.\n`)
const file = process.env.TEST_RESULT
if (file === undefined) endWith(result)
else {
  leaveResult(file, result)
  process.exitCode = result.tally.failed === 0 ? 0 : 1
}
