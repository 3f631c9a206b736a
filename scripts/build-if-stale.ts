import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const filesUnder = (path: string): string[] =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .map((name) => join(path, name))
        .filter((name) => statSync(join(root, name)).isFile() && !/\.test\.tsx?$/.test(name))
    : [path]

const packageFiles = ['package-lock.json']

interface Part {
  readonly name: string
  readonly stamp: string
  readonly sources: readonly string[]
  /** Builds it, as arguments of Node. */
  readonly command: readonly string[]
  readonly folder: string
}

/** Build products with their sources, in this order. */
const parts: readonly Part[] = [
  {
    name: 'console',
    stamp: join(root, 'web/dist/.source'),
    sources: [
      'web/src',
      'web/public',
      'web/index.html',
      'web/vite.config.ts',
      'contract/src',
      'modules',
      ...packageFiles,
    ],
    command: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    folder: join(root, 'web'),
  },
  {
    name: 'server',
    stamp: join(root, 'server/dist/.source'),
    sources: ['server/src', 'contract/src', 'modules', 'scripts/bundle', ...packageFiles],
    command: [join(root, 'scripts/bundle/bundle-server.ts')],
    folder: root,
  },
]

/** Changes with any source that a part is built from. */
const digestOf = ({ sources }: Part): string => {
  const hash = createHash('sha256')
  const files = sources.filter((path) => existsSync(join(root, path))).flatMap(filesUnder)
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const buildPartIfStale = (part: Part): void => {
  const digest = digestOf(part)
  if (existsSync(part.stamp) && readFileSync(part.stamp, 'utf8') === digest) return
  process.stdout.write(`Building the ${part.name} …\n`)
  const built = spawnSync(process.execPath, part.command, {
    cwd: part.folder,
    // The build must not fail because its output is not read.
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  process.stdout.write(built.stdout)
  process.stderr.write(built.stderr)
  if (built.status !== 0) {
    process.stderr.write(`The ${part.name} could not be built; see the messages above.\n`)
    process.exit(1)
  }
  writeFileSync(part.stamp, digest)
}

/** Builds console and server when their sources changed since the last build; takes a tenth of a second when they did not. */
export const buildIfStale = (): void => {
  for (const part of parts) buildPartIfStale(part)
}
