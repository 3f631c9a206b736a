import { isStoreTest, nounOf, type TestFile, tierOf } from './tiers.ts'

/** One process of vitest. */
export interface Run {
  readonly name: string
  readonly files: readonly string[]
  /** Engines that suites for every engine run on, as `TEST_ENGINES` has them; undefined for all that can be reached. */
  readonly engines?: string
}

/** Runs of one lane follow each other; lanes run side by side, the first with a worker more than there are cores. */
export type Lane = readonly Run[]

export interface TestChoice {
  readonly files: readonly TestFile[]
  /** Proofs that `npm test` always runs: one of each kind. */
  readonly always: ReadonlySet<string>
  /** Paths that differ from the commit that the change began at. */
  readonly changed: readonly string[]
  /** Seconds that a proof took when it was last measured. */
  readonly secondsOf: (path: string) => number
  /** How long the proofs of the changed nouns may take together, in seconds. */
  readonly budget: number
}

export interface Selection {
  /** Run on every engine: stores, one proof of each kind, and what belongs to the changed nouns. */
  readonly onEveryEngine: readonly string[]
  /** Run on SQLite alone. */
  readonly onSqlite: readonly string[]
  /** Proofs of the changed nouns that are left to `npm run proof`. */
  readonly left: readonly string[]
}

/** A change to more nouns than this is one of the whole house: all of its proofs are left to `npm run proof`. */
const mostNouns = 8

/** Changed proofs first, then the others, the shortest first, as many as the budget holds. */
const withinBudget = (proofs: readonly string[], { changed, secondsOf, budget }: TestChoice): ReadonlySet<string> => {
  const rank = (path: string): number => secondsOf(path) - (changed.includes(path) ? 1e6 : 0)
  const chosen = new Set<string>()
  let spent = 0
  for (const path of proofs.toSorted((a, b) => rank(a) - rank(b))) {
    spent += secondsOf(path)
    if (spent > budget) break
    chosen.add(path)
  }
  return chosen
}

/** Files that `npm test` runs. The same tree and the same change give the same selection. */
export const selectTests = (choice: TestChoice): Selection => {
  const { files, always, changed } = choice
  const nouns = new Set(changed.flatMap((path) => nounOf(path) ?? []))
  const isOfChange = ({ path }: TestFile): boolean => nouns.has(nounOf(path) ?? '')
  const isSmall = nouns.size <= mostNouns
  const proofs = files.filter(({ path }) => tierOf(path) === 'proof' && !always.has(path))
  const ofChange = proofs.filter(isOfChange).map(({ path }) => path)
  const chosen = isSmall ? withinBudget(ofChange, choice) : new Set<string>()
  const tests = files.filter(({ path }) => tierOf(path) !== 'proof')
  const every = new Set(
    tests.filter((file) => isStoreTest(file) || (isSmall && file.usesEveryEngine && isOfChange(file))),
  )
  const paths = (list: Iterable<TestFile>): string[] => Array.from(list, ({ path }) => path)
  return {
    onEveryEngine: [
      ...paths(files.filter(({ path }) => always.has(path))),
      ...ofChange.filter((path) => chosen.has(path)),
      ...paths(every),
    ],
    onSqlite: paths(tests.filter((file) => !every.has(file))),
    left: ofChange.filter((path) => !chosen.has(path)),
  }
}

const isJourney = (path: string): boolean => path.startsWith('e2e/')

const lanesOf = (...lanes: readonly Lane[]): readonly Lane[] =>
  lanes.map((lane) => lane.filter(({ files }) => files.length > 0)).filter((lane) => lane.length > 0)

/**
 * Lanes of `npm test`. Proofs wait for browsers, servers and slow lines half of the time, so the other tests, which take twice
 * as long, run beside them.
 */
export const lanesOfTest = ({ onEveryEngine, onSqlite }: Selection): readonly Lane[] =>
  lanesOf(
    [{ name: 'tests', files: onSqlite, engines: 'sqlite' }],
    [{ name: 'stores and proofs', files: onEveryEngine }],
  )

/** One lane with the tests of these nouns that are no proofs, on SQLite alone. */
export const lanesOfNouns = (files: readonly TestFile[], nouns: readonly string[]): readonly Lane[] => {
  const own = files.map(({ path }) => path).filter((path) => nouns.includes(nounOf(path) ?? ''))
  return lanesOf([{ name: nouns.join(', '), files: own.filter((path) => tierOf(path) !== 'proof'), engines: 'sqlite' }])
}

/** Lanes of `npm run proof`: every file, on every engine. */
export const lanesOfProof = (files: readonly TestFile[]): readonly Lane[] => {
  const paths = files.map(({ path }) => path)
  return lanesOf(
    [{ name: 'journeys', files: paths.filter(isJourney) }],
    [{ name: 'others', files: paths.filter((path) => !isJourney(path)) }],
  )
}

/**
 * Lanes of `npm run proof -- --rest`: what `npm test` has left. Suites for every engine that it ran on SQLite run on the
 * servers alone.
 */
export const lanesOfRest = (files: readonly TestFile[], { onEveryEngine, onSqlite }: Selection): readonly Lane[] => {
  const done = new Set([...onEveryEngine, ...onSqlite])
  const proofs = files.map(({ path }) => path).filter((path) => !done.has(path))
  const forEveryEngine = new Set(files.filter(({ usesEveryEngine }) => usesEveryEngine).map(({ path }) => path))
  return lanesOf(
    [{ name: 'journeys', files: proofs.filter(isJourney) }],
    [
      { name: 'other proofs', files: proofs.filter((path) => !isJourney(path)) },
      {
        name: 'PostgreSQL and MySQL',
        files: onSqlite.filter((path) => forEveryEngine.has(path)),
        engines: 'postgres,mysql',
      },
    ],
  )
}
