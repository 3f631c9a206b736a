import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'web/dist/.source')

const filesUnder = (path: string): string[] =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .map((name) => join(path, name))
        .filter((name) => statSync(join(root, name)).isFile() && !/\.test\.tsx?$/.test(name))
    : [path]

/** Changes with any source that the console is built from. */
const sourceDigest = (): string => {
  const hash = createHash('sha256')
  const sources = ['web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'contract/src', 'package-lock.json']
  for (const file of sources
    .filter((path) => existsSync(join(root, path)))
    .flatMap(filesUnder)
    .sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/** Builds the console when its sources changed since the last build; takes a few milliseconds when they did not. */
export const buildIfStale = (): void => {
  const digest = sourceDigest()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  process.stdout.write('Building the console …\n')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    // The build must not fail because its output is not read.
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  process.stdout.write(built.stdout)
  process.stderr.write(built.stderr)
  if (built.status !== 0) {
    process.stderr.write('The console could not be built; see the messages above.\n')
    process.exit(1)
  }
  writeFileSync(stamp, digest)
}
