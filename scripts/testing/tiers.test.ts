import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kindOfProof, proofKinds } from './kinds.ts'
import { measuredProofs } from './proof-seconds.ts'
import { lanesOfProof, lanesOfRest, lanesOfTest, selectTests } from './selection.ts'
import { isStoreTest, nounOf, projectOf, readTestFiles, tierOf } from './tiers.ts'

it('reads the tier of a file in its name', () => {
  expect(tierOf('server/src/lib/json.test.ts')).toBe('test')
  expect(tierOf('server/test/dialects/requests.property.proof.test.ts')).toBe('proof')
  expect(tierOf('web/src/features/wallet/wallet.proof.test.tsx')).toBe('proof')
})

it('knows the noun of a file wherever it lies', () => {
  const wallet = [
    'contract/src/wallet/orders.ts',
    'server/src/features/wallet/orders.ts',
    'modules/wallet/web/screen.tsx',
    'server/src/features/wallet/payments/x.test.ts',
    'web/src/features/wallet/wallet.proof.test.tsx',
    'e2e/journeys/wallet.proof.test.ts',
  ]
  expect(new Set(wallet.map(nounOf))).toEqual(new Set(['wallet']))
  expect(nounOf('server/src/ledger/caps/caps.ts')).toBe('ledger')
  expect(nounOf('server/test/batches/kills.proof.test.ts')).toBe('batches')
  expect(nounOf('e2e/batches.proof.test.ts')).toBe('batches')
  expect(nounOf('server/src/app/moving-in/dumps.proof.test.ts')).toBe('moving-in')
  expect(nounOf('server/src/providers/zhipu/provider.ts')).toBe('zhipu')
  expect(nounOf('docs/words.md')).toBeUndefined()
})

it('knows the project of vitest that runs a file', () => {
  expect(projectOf('server/test/relay/stream.test.ts')).toBe('server')
  expect(projectOf('modules/wallet/server/orders.test.ts')).toBe('server')
  expect(projectOf('modules/wallet/web/screen.test.tsx')).toBe('web')
})

it('takes tests of the kernel’s stores for those that run on every engine, and no rules above them', () => {
  const file = (path: string, usesEveryEngine: boolean) => ({ path, usesEveryEngine })
  expect(isStoreTest(file('server/src/ledger/debits.test.ts', true))).toBe(true)
  expect(isStoreTest(file('server/src/reports/figures/read-figures.test.ts', true))).toBe(true)
  expect(isStoreTest(file('server/src/ledger/periods.test.ts', false))).toBe(false)
  expect(isStoreTest(file('server/src/ledger/random.proof.test.ts', true))).toBe(false)
  expect(isStoreTest(file('server/src/features/users/users.test.ts', true))).toBe(false)
})

describe('the tests of this repository', () => {
  const root = join(import.meta.dirname, '../..')
  const files = readTestFiles(root)
  const paths = files.map(({ path }) => path)
  const proofs = paths.filter((path) => tierOf(path) === 'proof')

  it('are proofs where they need the whole product: those of e2e, but for these', () => {
    expect(paths.filter((path) => path.startsWith('e2e/') && tierOf(path) !== 'proof')).toEqual([
      'e2e/clients/compare.test.ts',
      'e2e/corpus/corpus.test.ts',
      'e2e/installing/container.test.ts',
    ])
  })

  it('have one proof of each kind that always runs, and that is of this kind', () => {
    for (const { name, always } of proofKinds) {
      expect(proofs).toContain(always)
      expect([always, kindOfProof(always).name]).toEqual([always, name])
    }
  })

  it('have no times of proofs that are gone', () => {
    expect(measuredProofs.filter((path) => !proofs.includes(path))).toEqual([])
  })

  it('all run in a whole proof, once; and in a test with the rest after it, once on each engine', () => {
    const always = new Set(proofKinds.map(({ always: path }) => path))
    const filesOf = (lanes: ReturnType<typeof lanesOfProof>) => lanes.flat().flatMap((run) => run.files)
    expect(filesOf(lanesOfProof(files)).toSorted()).toEqual(paths)
    for (const changed of [[], ['server/src/features/wallet/x.ts', 'server/src/ledger/y.ts'], paths]) {
      const selection = selectTests({ files, always, changed, secondsOf: () => 10, budget: 60 })
      const runs = [...lanesOfTest(selection), ...lanesOfRest(files, selection)].flat()
      const enginesOf = ({ path }: { path: string }): string[] =>
        runs.filter((run) => run.files.includes(path)).map(({ engines }) => engines ?? 'all')
      for (const file of files) {
        const engines = enginesOf(file)
        const twice = ['sqlite', 'postgres,mysql']
        const once = engines.length === 1 && (engines[0] === 'all' || !file.usesEveryEngine)
        expect([file.path, once || engines.join() === twice.join()]).toEqual([file.path, true])
      }
    }
  })
})
