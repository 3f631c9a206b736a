import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { danglingCitations } from './citations.ts'
import { clauseComments, mostClauseComments } from './clause-comments.ts'
import { cyclesOf } from './cycles.ts'
import { sharedTypeNames } from './exported-types.ts'
import { floorsTable, upwardImports } from './floors.ts'
import { crowdedFolders } from './folders.ts'
import { importCounts, mostImports } from './imports.ts'
import { brokenLinks, brokenLinksAt } from './links.ts'
import { type Module, readModules } from './modules.ts'
import { appLines, kernelLines, mostAppLines, productLines } from './sizes.ts'
import { mostSmallFiles, smallFiles } from './small-files.ts'
import { figuresOf } from './traced-call.ts'

const file = (path: string, imports: string[] = [], text = ''): Module => ({ path, imports, text })

it('finds files that import each other in a circle, however long it is', () => {
  const modules = [file('a', ['b']), file('b', ['c']), file('c', ['a']), file('d', ['a']), file('e', ['e'])]
  expect(cyclesOf(modules)).toEqual([['a', 'b', 'c'], ['e']])
  expect(cyclesOf([file('a', ['b', 'c']), file('b', ['c']), file('c')])).toEqual([])
})

it('counts the files of each folder by itself', () => {
  const modules = [file('x/a.ts'), file('x/b.ts'), file('x/y/c.ts')]
  expect(crowdedFolders(modules, 1)).toEqual([{ path: 'x', files: 2 }])
})

it('finds names under which several files export a type', () => {
  const modules = [
    file('a.ts', [], 'export interface Row {}\ninterface Part {}'),
    file('b.ts', [], 'export type Row = string\nexport interface Part {}\nexport const Row = 1'),
    file('c.test.ts', [], 'export class Part {}'),
  ]
  expect(sharedTypeNames(modules)).toEqual([{ name: 'Row', files: ['a.ts', 'b.ts'] }])
})

it('counts the short files of the product, tests not among them', () => {
  const lines = (count: number): string => 'line\n'.repeat(count)
  const modules = [
    file('server/src/long.ts', [], lines(25)),
    file('server/src/short.ts', [], lines(24)),
    file('web/src/shorter.tsx', [], lines(3)),
    file('web/src/short.test.tsx', [], lines(3)),
    file('e2e/short.ts', [], lines(3)),
  ]
  expect(smallFiles(modules)).toEqual([
    { path: 'web/src/shorter.tsx', lines: 3 },
    { path: 'server/src/short.ts', lines: 24 },
  ])
})

it('counts the imports of files of the product, without lists and tests', () => {
  const modules = [
    file('server/src/one.ts', ['server/src/two.ts']),
    file('server/src/two.ts', ['server/src/one.ts', 'contract/src/index.ts']),
    file('server/src/two.test.ts', ['server/src/one.ts', 'server/src/two.ts', 'contract/src/index.ts']),
    file('contract/src/index.ts', ['contract/src/a.ts', 'contract/src/b.ts', 'contract/src/c.ts']),
    file('modules/lists/servers.ts', ['modules/a.ts', 'modules/b.ts', 'modules/c.ts']),
  ]
  expect(importCounts(modules)).toEqual([
    { path: 'server/src/two.ts', imports: 2 },
    { path: 'server/src/one.ts', imports: 1 },
  ])
})

it('counts lines of the product, of the kernel and of app', () => {
  const text = 'line\n'
  const modules = [
    'server/src/app/app.ts',
    'server/src/app/app.test.ts',
    'server/src/relay/relay.ts',
    'server/src/features/notices/texts.ts',
    'web/src/languages/fr.ts',
    'web/src/features/logs/messages.ts',
    'web/src/features/logs/screen.tsx',
    'web/src/test/site.tsx',
    'modules/inspector/server/join.ts',
    'modules/inspector/tests/rights.ts',
    'e2e/site.ts',
  ].map((path) => file(path, [], text))
  expect([appLines(modules), kernelLines(modules), productLines(modules)]).toEqual([1, 1, 4])
})

it('finds comments that begin with a clause', () => {
  const text = [
    '/** What is left. */',
    '/**',
    ' * Whether it is. Who asks, is not said.',
    ' */',
    '// Sums the pieces.',
    '// What they are, follows.',
    'const x = 1 // Where it is',
    '  // Whose it is.',
    '/** Whatever comes. */',
    "const text = 'What'",
  ].join('\n')
  expect(clauseComments([file('x.ts', [], text)]).map(({ line }) => line)).toEqual([1, 2, 8])
})

it('finds citations of documents that are not in the repository', () => {
  const text =
    '/** As OpenAI does (platform.openai.com/docs). */\n/** Relay order (relay reference §5). */\n// see M-12'
  expect(danglingCitations([file('x.ts', [], text)]).map(({ line }) => line)).toEqual([2, 3])
})

it('finds links of pages to files and headings that are not there', () => {
  const text = [
    '# How it runs',
    '[a](b.md) [b](b.md#two-words-and-code) [c](#how-it-runs) [d](https://example.com/x#y)',
    '[e](gone.md) [f](b.md#elsewhere) [g](#nowhere)',
    '```sh\n# a comment\n[h](in-code.md)\n```',
  ].join('\n')
  const pages = [
    { path: 'docs/a.md', text },
    { path: 'docs/b.md', text: '## Two words, and `code`' },
  ]
  expect(brokenLinks(pages, (path) => pages.some((page) => page.path === path))).toEqual([
    'docs/a.md: gone.md',
    'docs/a.md: b.md#elsewhere',
    'docs/a.md: #nowhere',
  ])
})

it('finds imports that go up or sideways, and leaves tests their helpers', () => {
  const modules = [
    file('web/src/features/logs/screen.tsx', ['web/src/lib/query.ts', 'web/src/features/users/screen.tsx']),
    file('web/src/lib/query.ts', ['web/src/components/sheet.tsx', 'contract/src/index.ts']),
    file('web/src/routes.tsx', ['web/src/features/logs/screen.tsx']),
    file('web/src/lib/query.test.ts', ['web/src/test/fake-fetch.ts', 'web/src/shell/header.tsx']),
    file('server/src/providers/zhipu/provider.ts', ['server/src/providers/provider.ts']),
    file('server/src/providers/zhipu/language.ts', ['server/src/providers/groq/provider.ts']),
    file('elsewhere/program.ts'),
  ]
  expect(upwardImports(modules)).toEqual([
    'web/src/features/logs/screen.tsx → web/src/features/users/screen.tsx',
    'web/src/lib/query.ts → web/src/components/sheet.tsx',
    'web/src/lib/query.test.ts → web/src/shell/header.tsx',
    'server/src/providers/zhipu/language.ts → server/src/providers/groq/provider.ts',
    'elsewhere/program.ts',
  ])
})

it('prints the floors as a table', () => {
  expect(floorsTable()).toContain('| `server/src/mail` | `lib` |')
})

it('counts a return when a call comes back to a file that it had left', () => {
  const trace = [
    ['a', 'f'],
    ['b', 'g'],
    ['b', 'h'],
    ['a', 'f'],
    ['c', 'i'],
  ] as const
  expect(figuresOf(trace)).toEqual({ files: 3, functions: 4, returns: 1 })
})

describe('this repository', () => {
  const modules = readModules(join(import.meta.dirname, '../..'))
  const product = modules.filter(({ path }) => /^(contract|server|web)\/src\//.test(path))

  it('has no folder with more than 25 source files', () => expect(crowdedFolders(modules, 25)).toEqual([]))
  it('has no import that goes up or sideways', () => expect(upwardImports(modules)).toEqual([]))
  it('has no circle of imports, type imports included', () => expect(cyclesOf(product)).toEqual([]))
  it('exports each name of a type from one file', () => expect(sharedTypeNames(product)).toEqual([]))
  it('has no more lines in app than before', () => expect(appLines(modules)).toBeLessThanOrEqual(mostAppLines))
  it('has no file that imports more files than before', () => {
    expect(importCounts(modules).filter(({ imports }) => imports > mostImports)).toEqual([])
  })
  it('has no more files under 25 lines than before', () =>
    expect(smallFiles(modules).length).toBeLessThanOrEqual(mostSmallFiles))
  it('has no more comments that begin with a clause than before', () =>
    expect(clauseComments(modules).length).toBeLessThanOrEqual(mostClauseComments))
  it('has no link to a page or a heading that is not there', () =>
    expect(brokenLinksAt(join(import.meta.dirname, '../..'))).toEqual([]))
  it('cites nothing that a reader of it cannot open', () => expect(danglingCitations(modules)).toEqual([]))
})
