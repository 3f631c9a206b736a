import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runVitest } from './run-vitest.ts'
import { failuresOf, tallyOf } from './vitest-report.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-run-'))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  const write = (name: string, body: string): void =>
    writeFileSync(join(root, name), `import { expect, it } from 'vitest'\n${body}`)
  write('adds.test.ts', `it('adds', () => expect(1 + 1).toBe(2))`)
  write('fails.test.ts', `it('fails', () => expect(1 + 1).toBe(3))`)
  write(
    'shows.test.ts',
    `import { chosenFiles } from '${join(import.meta.dirname, 'chosen-files.ts')}'
    it('shows', () => {
      expect(process.env.TEST_ENGINES).toBe('sqlite')
      expect(chosenFiles('server')).toEqual(['src/a.test.ts', '../modules/x/server/c.test.ts'])
      expect(chosenFiles('contract')).toEqual([])
    })`,
  )
  write('outside.test.ts', `it('ends', () => void setTimeout(() => { throw new Error('late') }))`)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = async (file: string) => {
  const printed: string[] = []
  const report = await runVitest(
    { args: [file, '--root', root] },
    { root, report: join(root, `${file}.json`), print: (text) => void printed.push(text) },
  )
  return { report, printed }
}

it('reads the report, and prints whole lines', async () => {
  const { report, printed } = await run('adds')
  expect(report && tallyOf(report)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(printed.join('')).toContain('adds.test.ts')
  expect(printed.filter((text) => !text.endsWith('\n'))).toEqual([])
})

it('has failed where a test failed, and where an error outside the tests ended it', async () => {
  const { report } = await run('fails')
  expect(report && tallyOf(report)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  const { report: ended } = await run('outside')
  expect(ended?.success).toBe(false)
  expect(ended && failuresOf(ended, root).join()).toMatch(
    /^an error outside the tests\nError: late\n[\s\S]*outside\.test\.ts/,
  )
})

it('has no report where nothing ran', async () => {
  const nowhere = join(root, 'nowhere')
  const report = await runVitest(
    { args: ['adds', '--root', nowhere] },
    { root, report: join(root, 'none.json'), print: () => {} },
  )
  expect(report?.testResults ?? []).toEqual([])
})

it('tells vitest which files and engines it is for', async () => {
  const chosen = join(root, 'chosen.json')
  const files = ['server/src/a.test.ts', 'web/src/b.test.ts', 'modules/x/server/c.test.ts']
  const report = await runVitest(
    { args: ['shows', '--root', root], files, engines: 'sqlite' },
    { root, report: chosen, print: () => {} },
  )
  expect(report && failuresOf(report, root)).toEqual([])
})
