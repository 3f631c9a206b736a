import { expect, it } from 'vitest'
import { lanesOfNouns, lanesOfRest, lanesOfTest, selectTests, type TestChoice } from './selection.ts'

const file = (path: string, usesEveryEngine = false) => ({ path, usesEveryEngine })
const files = [
  file('e2e/nodes.proof.test.ts'),
  file('e2e/journeys/wallet.proof.test.ts'),
  file('server/src/db/keys.test.ts', true),
  file('server/src/features/users/users.test.ts', true),
  file('server/src/features/wallet/random.proof.test.ts', true),
  file('server/src/features/wallet/wallet.test.ts', true),
  file('server/src/lib/json.test.ts'),
]
const choice = (more: Partial<TestChoice> = {}): TestChoice => ({
  files,
  always: new Set(['e2e/nodes.proof.test.ts']),
  changed: [],
  secondsOf: () => 10,
  budget: 60,
  ...more,
})

it('without a change runs every test, one proof of each kind, and stores alone on every engine', () => {
  expect(selectTests(choice())).toEqual({
    onEveryEngine: ['e2e/nodes.proof.test.ts', 'server/src/db/keys.test.ts'],
    onSqlite: [
      'server/src/features/users/users.test.ts',
      'server/src/features/wallet/wallet.test.ts',
      'server/src/lib/json.test.ts',
    ],
    left: [],
  })
})

it('runs the proofs of a changed noun, and its tests on every engine', () => {
  expect(selectTests(choice({ changed: ['contract/src/wallet/orders.ts', 'docs/words.md'] }))).toEqual({
    onEveryEngine: [
      'e2e/nodes.proof.test.ts',
      'e2e/journeys/wallet.proof.test.ts',
      'server/src/features/wallet/random.proof.test.ts',
      'server/src/db/keys.test.ts',
      'server/src/features/wallet/wallet.test.ts',
    ],
    onSqlite: ['server/src/features/users/users.test.ts', 'server/src/lib/json.test.ts'],
    left: [],
  })
})

it('leaves long proofs of a changed noun where they exceed the budget, but not those that were changed themselves', () => {
  const secondsOf = (path: string): number => (path.startsWith('e2e/journeys') ? 50 : 20)
  const leftOf = (changed: string): readonly string[] => selectTests(choice({ secondsOf, changed: [changed] })).left
  expect(leftOf('server/src/features/wallet/orders.ts')).toEqual(['e2e/journeys/wallet.proof.test.ts'])
  expect(leftOf('e2e/journeys/wallet.proof.test.ts')).toEqual(['server/src/features/wallet/random.proof.test.ts'])
})

it('leaves every proof of a change of the whole house, whose tests run as without a change', () => {
  const changed = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'wallet', 'users'].map(
    (noun) => `server/src/features/${noun}/x.ts`,
  )
  const { left, ...rest } = selectTests(choice({ changed }))
  expect(left).toEqual(['e2e/journeys/wallet.proof.test.ts', 'server/src/features/wallet/random.proof.test.ts'])
  const { left: _, ...unchanged } = selectTests(choice())
  expect(rest).toEqual(unchanged)
})

it('afterwards has only other proofs to run, and other engines', () => {
  const selection = selectTests(choice())
  expect(lanesOfTest(selection).flat()).toEqual([
    { name: 'tests', files: selection.onSqlite, engines: 'sqlite' },
    { name: 'stores and proofs', files: selection.onEveryEngine },
  ])
  expect(lanesOfRest(files, selection)).toEqual([
    [{ name: 'journeys', files: ['e2e/journeys/wallet.proof.test.ts'] }],
    [
      { name: 'other proofs', files: ['server/src/features/wallet/random.proof.test.ts'] },
      {
        name: 'PostgreSQL and MySQL',
        files: ['server/src/features/users/users.test.ts', 'server/src/features/wallet/wallet.test.ts'],
        engines: 'postgres,mysql',
      },
    ],
  ])
})

it('runs the tests of some nouns alone, without their proofs', () => {
  expect(lanesOfNouns(files, ['wallet', 'lib'])).toEqual([
    [
      {
        name: 'wallet, lib',
        files: ['server/src/features/wallet/wallet.test.ts', 'server/src/lib/json.test.ts'],
        engines: 'sqlite',
      },
    ],
  ])
  expect(lanesOfNouns(files, ['nothing'])).toEqual([])
})
