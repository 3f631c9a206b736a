import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findOutsideLookups } from '../../scripts/lint/outside-words.ts'

const findIn = (source: string): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-lint-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, files: ['a.ts'] }))
  writeFileSync(join(root, 'a.ts'), source)
  return findOutsideLookups(join(root, 'tsconfig.json'), root, (path) => path.endsWith('/a.ts'))
}

const head = `declare const table: Record<string, number>
declare const word: string
declare const loose: any
declare const kind: 'one' | 'two'
declare const list: number[]
`

it.each(['table[word]', 'table[word.trim()]', 'word in table', 'table[loose]', 'table[word] = 1'])(
  'finds %s',
  (lookup) => expect(findIn(`${head}${lookup}`)).toEqual([expect.stringMatching(/^a\.ts:6: /)]),
)

it.each([
  'table[kind]',
  `table['one']`,
  'kind in table',
  'list[list.length - 1]',
  'new Map(Object.entries(table)).get(word)',
  'Object.hasOwn(table, word)',
  'table[word] // own names: written here',
])('lets %s pass', (lookup) => expect(findIn(`${head}${lookup}`)).toEqual([]))
