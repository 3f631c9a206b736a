import { changedFiles } from './changed.ts'
import { proofKinds } from './kinds.ts'
import { secondsOfProof } from './proof-seconds.ts'
import { type Selection, selectTests } from './selection.ts'
import { readTestFiles, type TestFile } from './tiers.ts'

/** Seconds, one after the other, that `npm test` spends on proofs of what was changed: a minute and a half beside the rest. */
const budget = 180

export interface TestPlan {
  readonly files: readonly TestFile[]
  readonly selection: Selection
}

/** Tests that `npm test` runs in this tree, and all that exist. */
export const planTests = (root: string): TestPlan => {
  const files = readTestFiles(root)
  const selection = selectTests({
    files,
    always: new Set(proofKinds.map(({ always }) => always)),
    changed: changedFiles(root),
    secondsOf: secondsOfProof,
    budget,
  })
  return { files, selection }
}
