import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A file of tests. */
export interface TestFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  /** True when its suites run once per database engine. */
  readonly usesEveryEngine: boolean
}

/** Tests of the first two tiers (`pure-tests.ts` tells them apart), and proofs: processes, kills, browsers, random cases. */
export type Tier = 'test' | 'proof'

const folders = [
  'contract/src',
  'server/src',
  'server/test',
  'server/bench',
  'web/src',
  'web/build',
  'modules',
  'scripts',
  'e2e',
]
const isTest = /\.test\.tsx?$/
const everyEngine = /\bdescribeEach(Engine|Address|Server)\(/

/** The tier of a file of tests by its name: `*.proof.test.ts`, or `*.test.ts`. */
export const tierOf = (path: string): Tier => (/\.proof\.test\.tsx?$/.test(path) ? 'proof' : 'test')

/** The project of vitest that a file of tests belongs to: its first folder; `server` or `web` for those of modules. */
export const projectOf = (path: string): string => {
  const [first = '', , part] = path.split('/')
  if (first !== 'modules') return first
  return part === 'web' ? 'web' : 'server'
}

/** Reads every file of tests below the repository's root, in the order of their paths. */
export const readTestFiles = (root: string): readonly TestFile[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => isTest.test(name) && !name.split(sep).includes('node_modules'))
        .map((name) => join(folder, name).split(sep).join('/')),
    )
    .toSorted()
    .map((path) => ({ path, usesEveryEngine: everyEngine.test(readFileSync(join(root, path), 'utf8')) }))

/** Tests of the kernel's stores, and of the reports that read them: their subject is the SQL itself, so they run on every engine each time. */
export const isStoreTest = ({ path, usesEveryEngine }: TestFile): boolean =>
  usesEveryEngine && tierOf(path) !== 'proof' && /^server\/src\/(db|ledger|reports)\//.test(path)

/** Folders whose entries are nouns; the longest that fits counts. */
const nounFolders = [
  'modules',
  'server/src/features',
  'server/src/app',
  'server/src/providers',
  'server/src',
  'server/test',
  'web/src/features',
  'web/src',
  'contract/src',
  'e2e/journeys',
  'e2e/attacks',
  'e2e',
  'scripts',
].map((folder) => `${folder}/`)

/**
 * The noun that a file belongs to, which is the same word in contract, server, console and proofs: `wallet` for
 * `server/src/features/wallet/orders.ts` and for `e2e/journeys/wallet.proof.test.ts`. Undefined for files of no noun.
 */
export const nounOf = (path: string): string | undefined => {
  const folder = nounFolders.filter((one) => path.startsWith(one)).toSorted((a, b) => b.length - a.length)[0]
  if (folder === undefined) return undefined
  return path
    .slice(folder.length)
    .split('/')[0]
    ?.replace(/(\.proof)?(\.test)?\.\w+$/, '')
}
