import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../server/test/support/lib/free-port.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of the product in which some modules are missing. */
export interface ReducedProduct {
  readonly folder: string
  /** Complaints of the type checker, empty when all parts pass. */
  typeErrors(): string
  /** Answers the status page of a server that was started from the sources; throws where it does not start. */
  startedStatus(): Promise<unknown>
  /** Runs tests of the server by path; throws with their output when one fails. */
  runTests(paths: readonly string[]): void
  remove(): void
}

/** Packages are shared with this checkout; only those of the product itself are the copy's own. */
const linkPackages = (folder: string): void => {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@tollgate'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@tollgate' && name !== '.cache' && name !== '.vite')
      symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const part of ['contract', 'server', 'web'])
    symlinkSync(join(folder, part), join(packages, '@tollgate', part), 'dir')
}

const outputOf = (error: unknown): string =>
  error instanceof Error && 'stdout' in error ? `${error.stdout}\n${'stderr' in error ? error.stderr : ''}` : `${error}`

const longestStartMs = 120_000

/** The environment without what a test runner around this one chose for itself: its own files above all. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && !name.startsWith('TEST_')),
  )

const parts = ['contract', 'server', 'web', 'scripts'] as const

const recordOf = (folder: string, part: string): string => join(folder, 'node_modules', `${part}.tsbuildinfo`)

/**
 * Copies what is under version control, removes the folders of these modules, and writes the lists anew. With `checked`, a product whose
 * types were checked, only files are checked that differ from it or rest on those that do.
 */
export const withoutModules = (names: readonly string[], checked?: Pick<ReducedProduct, 'folder'>): ReducedProduct => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-without-'))
  const run = (args: readonly string[]): string =>
    execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 64 * 1024 * 1024,
      env: ownEnvironment(),
    })
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of files.split('\0')) {
    if (path === '' || names.some((name) => path.startsWith(`modules/${name}/`))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  linkPackages(folder)
  run(['scripts/modules/command.ts'])
  if (checked !== undefined) for (const part of parts) cpSync(recordOf(checked.folder, part), recordOf(folder, part))
  const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '--incremental']
  return {
    folder,
    typeErrors: () =>
      parts
        .map((part) => {
          try {
            return run([...compiler, '-p', part, '--tsBuildInfoFile', recordOf(folder, part)])
          } catch (error) {
            return outputOf(error)
          }
        })
        .join(''),
    async startedStatus() {
      const port = await freePort()
      const child = spawn(process.execPath, ['server/src/main.ts'], {
        cwd: folder,
        stdio: 'ignore',
        env: {
          ...ownEnvironment(),
          PORT: String(port),
          DATA_DIR: join(folder, 'data'),
          INITIAL_ROOT_PASSWORD: 'a good one 1',
        },
      })
      try {
        const until = Date.now() + longestStartMs
        for (;;) {
          const response = await fetch(`http://127.0.0.1:${port}/api/status`).catch(() => undefined)
          if (response?.ok) return await response.json()
          if (child.exitCode !== null || Date.now() > until) throw new Error(`no start, exit code ${child.exitCode}`)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      } finally {
        child.kill('SIGKILL')
      }
    },
    runTests(paths) {
      try {
        run(['node_modules/vitest/vitest.mjs', 'run', '--mode', 'fast', '--project', 'server', ...paths])
      } catch (error) {
        throw new Error(outputOf(error), { cause: error })
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
