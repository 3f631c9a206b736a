import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The repository's own folder. */
export const ownRoot = join(import.meta.dirname, '../../..')

export interface BuiltTree {
  readonly root: string
  /** The commit as people write it, or `this`. */
  readonly name: string
  remove(): void
}

/** Writes the server's bundle of a tree, where its version has bundles. */
const bundle = (root: string): void => {
  const script = join(root, 'scripts/bundle/bundle-server.ts')
  if (existsSync(script))
    execFileSync(process.execPath, [script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

export const buildOwn = (): BuiltTree => {
  bundle(ownRoot)
  return { root: ownRoot, name: 'this', remove: () => undefined }
}

/** Links each package by itself: the workspaces among them have to be those of the other tree. */
const linkPackages = (from: string, to: string): void => {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue
    if (name !== '@tollgate') {
      symlinkSync(join(from, name), join(to, name))
      continue
    }
    mkdirSync(join(to, name))
    for (const part of readdirSync(join(from, name))) symlinkSync(join('../..', part), join(to, name, part))
  }
}

/**
 * Builds another commit in a temporary folder. Its packages are this tree's when both lock the same ones, and are installed otherwise.
 * Throws when git does not know the commit.
 */
export const buildBeside = (commit: string): BuiltTree => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-against-'))
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: ownRoot, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const remove = (): void => {
    rmSync(root, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  try {
    git('worktree', 'add', '--detach', '--force', root, commit)
    const lock = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8')
    if (lock(root) === lock(ownRoot)) {
      for (const part of ['', 'contract', 'server', 'web'])
        linkPackages(join(ownRoot, part, 'node_modules'), join(root, part, 'node_modules'))
    } else {
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    }
    bundle(root)
  } catch (error) {
    remove()
    throw error
  }
  return { root, name: commit, remove }
}
