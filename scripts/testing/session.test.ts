import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildCheck } from './house-checks.ts'
import { leaveResult, resultIn, runSession } from './session.ts'

vi.setConfig({ testTimeout: 60_000 })

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-session-'))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  writeFileSync(
    join(root, 'adds.test.ts'),
    `import { expect, it } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(2))`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const passes = { name: 'passes', args: ['-e', ''] }
const breaks = { name: 'breaks', args: ['-e', 'process.exitCode = 1'] }
const print = (): void => {}
const lane = (...files: readonly string[]) => [{ name: 'some', files }]

it('counts checks, tests and the session before, and names what was planned and did not run', async () => {
  const file = join(root, 'result.json')
  const tested = await runSession({ root, lanes: [lane('adds.test.ts')], checks: [passes, breaks], print })
  expect(tested).toEqual({ tally: { passed: 2, failed: 1, skipped: 0 }, failures: ['breaks'] })
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
  })
})

it('has failed where the session before left no result, and runs nothing that is not built', async () => {
  const before = resultIn(join(root, 'nowhere.json'))
  const checks = [{ ...breaks, name: buildCheck.name }]
  expect(await runSession({ root, lanes: [lane('adds.test.ts')], checks, before, print })).toEqual({
    tally: { passed: 0, failed: 2, skipped: 0 },
    failures: [...before.failures, buildCheck.name],
  })
})
