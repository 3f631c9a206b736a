import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findOutsideLookups } from '../../scripts/lint/outside-words.ts'

const head = `declare const table: Record<string, number>
declare const word: string
declare const loose: any
declare const kind: 'one' | 'two'
declare const list: number[]
`

const found = ['table[word]', 'table[word.trim()]', 'word in table', 'table[loose]', 'table[word] = 1']

const passing = [
  'table[kind]',
  `table['one']`,
  'kind in table',
  'list[list.length - 1]',
  'new Map(Object.entries(table)).get(word)',
  'Object.hasOwn(table, word)',
  'table[word] // own names: written here',
]

/** A line for each finding. The look-ups stand in files of their own, `0.ts`, `1.ts` …, but are one program: loading takes seconds. */
const findingsIn = (lookups: readonly string[]): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-lint-'))
  try {
    const files = lookups.map((_, index) => `${index}.ts`)
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, files }))
    lookups.forEach((lookup, index) => {
      writeFileSync(join(root, `${index}.ts`), `export {}\n${head}${lookup}`)
    })
    return findOutsideLookups(join(root, 'tsconfig.json'), root, (path) => /\/\d+\.ts$/.test(path))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const findings = findingsIn([...found, ...passing])
const findingsOf = (lookup: string): string[] =>
  findings.filter((line) => line.startsWith(`${[...found, ...passing].indexOf(lookup)}.ts:`))

it.each(found)('finds %s', (lookup) => expect(findingsOf(lookup)).toEqual([expect.stringMatching(/^\d+\.ts:7: /)]))

it.each(passing)('lets %s pass', (lookup) => expect(findingsOf(lookup)).toEqual([]))
