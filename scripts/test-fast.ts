import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readModules } from './structure/modules.ts'
import { pureTests } from './testing/pure-tests.ts'

/** `npm run test:fast`: the tests of the first tier, which open nothing; arguments go to vitest. */
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'))
const list = join(folder, 'files')
writeFileSync(list, pureTests(readModules(root, 'values')).join('\n'))
const projects = ['contract', 'server', 'web', 'scripts'].flatMap((name) => ['--project', name])
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--mode', 'fast', ...projects, ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_FILES: list },
  },
)
rmSync(folder, { recursive: true })
process.exitCode = status ?? 1
