import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client, Registry } from './client.ts'

/** Versions of packages, by registry and name. */
export type Versions = Readonly<Record<Registry, Readonly<Record<string, string>>>>

export const pinned = JSON.parse(readFileSync(join(import.meta.dirname, 'pinned.json'), 'utf8')) as Versions

/** Folder in which clients are installed, once for each version. */
const cache = process.env.CLIENTS_FOLDER ?? join(tmpdir(), 'tollgate-clients')
const python = process.env.CLIENTS_PYTHON ?? 'python3'

/** Milliseconds that a registry may take. */
const patienceMs = 600_000

/** Output of a command. Throws with its last lines when it fails. */
const output = (file: string, args: readonly string[], cwd: string): Promise<string> => {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs })
  let printed = ''
  let complained = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${file} ${args[0]}: ${complained.trim().split('\n').slice(-3).join(' ').slice(0, 300)}`))
    })
  })
}

/** `name@version` of all packages of a client. Throws where one has no version. */
const wanted = ({ registry, packages }: Client, versions: Versions): string[] =>
  packages.map((name) => {
    const version = versions[registry][name]
    if (version === undefined) throw new Error(`${name} has no version in pinned.json`)
    return `${name}${registry === 'npm' ? '@' : '=='}${version}`
  })

/** Installs a client in a folder of its own below the cache, unless it is there, and returns the folder. Throws where that fails. */
export const install = async (client: Client, versions: Versions): Promise<string> => {
  const packages = wanted(client, versions)
  const mark = createHash('sha256')
    .update(`${client.registry} ${packages.join(' ')}`)
    .digest('hex')
    .slice(0, 12)
  const folder = join(cache, `${(client.packages[0] ?? '').replaceAll(/[^a-z0-9]+/gi, '-')}-${mark}`)
  const done = join(folder, 'installed.txt')
  if (existsSync(done)) return folder
  mkdirSync(folder, { recursive: true })
  if (client.registry === 'npm') {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
    await output('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], folder)
  } else {
    await output(python, ['-m', 'venv', folder], folder)
    await output(join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', ...packages], folder)
  }
  writeFileSync(done, `${packages.join('\n')}\n`)
  return folder
}

const newestOf: Readonly<Record<Registry, (name: string) => Promise<string>>> = {
  npm: async (name) => (await output('npm', ['view', name, 'version'], tmpdir())).trim(),
  pypi: async (name) => {
    // A name may choose parts of a package: `name[part]`.
    const printed = await output(python, ['-m', 'pip', 'index', 'versions', name.replace(/\[.*/, '')], tmpdir())
    return /\(([^)]+)\)/.exec(printed)?.[1] ?? ''
  },
}

/** The newest versions of these clients' packages; a registry that does not answer leaves the pinned one. */
export const newestVersions = async (clients: readonly Client[]): Promise<Versions> => {
  const versions = { npm: { ...pinned.npm }, pypi: { ...pinned.pypi } }
  for (const { registry, packages } of clients)
    for (const name of packages) {
      const newest = await newestOf[registry](name).catch(() => '')
      if (newest !== '') versions[registry][name] = newest
    }
  return versions
}
