import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCheck } from './house-checks.ts'
import { leaveResult, resultIn, runSession } from './session.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-session-'))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  const write = (name: string, body: string): void => writeFileSync(join(root, name), body)
  const writeTest = (name: string, body: string): void => write(name, `import { expect, it } from 'vitest'\n${body}`)
  write(
    'vitest.config.mjs',
    `import { readFileSync } from 'node:fs'
    export default { test: { include: readFileSync(process.env.TEST_FILES, 'utf8').split('\\n') } }`,
  )
  writeTest('adds.test.ts', `it('adds', () => expect(1 + 1).toBe(2))`)
  writeTest('fails.test.ts', `it('fails', () => expect(1 + 1).toBe(3))`)
  writeTest(
    'unsteady.test.ts',
    `import { existsSync, writeFileSync } from 'node:fs'
    it('is ready', () => {
      const mark = import.meta.dirname + '/ran'
      const isReady = existsSync(mark)
      writeFileSync(mark, '')
      expect(isReady).toBe(true)
    })
    it('adds', () => expect(1 + 1).toBe(2))`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const passes = { name: 'passes', args: ['-e', ''] }
const breaks = { name: 'breaks', args: ['-e', 'process.exitCode = 1'] }
const print = (): void => {}
const lane = (...files: readonly string[]) => [{ name: files.join(', '), files }]

it('counts checks, tests and the session before, and names what was planned and did not run', async () => {
  const file = join(root, 'result.json')
  const tested = await runSession({ root, lanes: [lane('adds.test.ts')], checks: [passes, breaks], print })
  expect(tested).toEqual({ tally: { passed: 2, failed: 1, skipped: 0 }, failures: ['breaks'], unsteady: [] })
  leaveResult(file, tested)
  const all = await runSession({
    root,
    lanes: [lane('adds.test.ts', 'gone.test.ts')],
    checks: [],
    before: resultIn(file),
    print,
  })
  expect(all).toEqual({
    tally: { passed: 3, failed: 2, skipped: 0 },
    failures: ['breaks', 'gone.test.ts: planned, but not run'],
    unsteady: [],
  })
})

it('has failed where the session before left no result, and runs nothing that is not built', async () => {
  const before = resultIn(join(root, 'nowhere.json'))
  const checks = [{ ...breaks, name: buildCheck.name }]
  expect(await runSession({ root, lanes: [lane('adds.test.ts')], checks, before, print })).toEqual({
    tally: { passed: 0, failed: 2, skipped: 0 },
    failures: [...before.failures, buildCheck.name],
    unsteady: [],
  })
})

it('has failed where a file passes only at its second run, and names it apart from those that fail twice', async () => {
  const file = join(root, 'result-unsteady.json')
  const printed: string[] = []
  let passed = false
  const tested = await runSession({
    root,
    lanes: [lane('adds.test.ts', 'fails.test.ts'), lane('unsteady.test.ts')],
    checks: [],
    print: (text) => void printed.push(text),
    whenPassed: () => {
      passed = true
    },
  })
  expect(tested.tally).toEqual({ passed: 2, failed: 2, skipped: 0 })
  expect(tested.failures).toEqual([expect.stringMatching(/^fails\.test\.ts: fails\n/)])
  expect(tested.unsteady).toEqual([expect.stringMatching(/^unsteady\.test\.ts: is ready\n/)])
  expect(passed).toBe(false)
  expect(printed.join('')).toMatch(
    /What failed only at the first run:\n\nunsteady[\s\S]*What failed:\n\nfails\.test\.ts/,
  )
  expect(printed.join('')).toMatch(/\nFailed: unsteady\.test\.ts: is ready\nFailed: fails\.test\.ts: fails\nTook /)
  leaveResult(file, tested)
  const rest = await runSession({ root, lanes: [lane('adds.test.ts')], checks: [], before: resultIn(file), print })
  expect(rest).toEqual({ ...tested, tally: { passed: 3, failed: 2, skipped: 0 } })
})

it('prints a failure that holds the output of a whole run by its beginning and its end, and its name last', async () => {
  const file = join(root, 'result-long.json')
  const long = `removal.test.ts: passes\n${'line of a run\n'.repeat(100_000)}1 failed`
  leaveResult(file, { tally: { passed: 0, failed: 1, skipped: 0 }, failures: [long], unsteady: [] })
  const printed: string[] = []
  const lanes = [lane('adds.test.ts')]
  await runSession({ root, lanes, checks: [], before: resultIn(file), print: (text) => void printed.push(text) })
  const end = printed.join('').split('What failed:')[1] ?? ''
  expect(end.length).toBeLessThan(4500)
  expect(end).toMatch(
    /^\n\nremoval\.test\.ts: passes\n[\s\S]*1 failed\n\nFailed: removal\.test\.ts: passes\nTook \d+ s\.\n$/,
  )
})
