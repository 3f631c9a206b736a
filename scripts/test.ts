import { join } from 'node:path'
import { planTests } from './testing/plan.ts'
import { lanesOfTest } from './testing/selection.ts'
import { endWith, handTallyOn, runSession } from './testing/session.ts'

/**
 * `npm test`: build, types and style; every test that is no proof; one proof of each kind; and the proofs of what was
 * changed. `docs/tests.md` says more.
 */
const root = join(import.meta.dirname, '..')
const { selection } = planTests(root)
const { left } = selection
const note = `${left.length} proofs of what was changed are left to \`npm run proof\`, the first of them:\n${left.slice(0, 10).join('\n')}\n`
const tally = await runSession({
  root,
  lanes: lanesOfTest(selection),
  checksHouse: true,
  ...(left.length > 0 ? { note } : {}),
})
if (handTallyOn(tally)) process.exit(tally.failed === 0 ? 0 : 1)
endWith(tally)
