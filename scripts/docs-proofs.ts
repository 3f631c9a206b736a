import { join } from 'node:path'
import { code, table } from './docs-table.ts'
import { kindOfProof, proofKinds } from './testing/kinds.ts'
import { readTestFiles, tierOf } from './testing/tiers.ts'

/** The page of proofs: every file of the third tier by its kind, with the one of each kind that `npm test` always runs. */
export const proofsPage = (): string => {
  const proofs = readTestFiles(join(import.meta.dirname, '..'))
    .map(({ path }) => path)
    .filter((path) => tierOf(path) === 'proof')
  const parts = proofKinds.map(({ name, always }) => {
    const rows = proofs
      .filter((path) => kindOfProof(path).name === name)
      .map((path) => [code(path), path === always ? 'always' : 'where its noun is changed'])
    return `## ${name}\n\n${table(['Proof', 'In `npm test`'], rows)}\n`
  })
  return [
    '# Proofs',
    '',
    'Files of the third tier ([tests](../tests.md)), by kind. `npm run proof` runs each of them. `npm run docs` writes this page.',
    '',
    parts.join('\n'),
  ].join('\n')
}
