import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const workspaces = '@tollgate'

/** The program as it was at an earlier commit, in a folder of its own. */
export interface EarlierVersion {
  readonly folder: string
  remove(): void
}

/** The packages of this tree, with the workspaces of the earlier one. */
const linkPackages = (folder: string): void => {
  const [from, to] = [realpathSync(join(root, 'node_modules')), join(folder, 'node_modules')]
  mkdirSync(join(to, workspaces), { recursive: true })
  for (const name of readdirSync(from))
    if (!name.startsWith('.') && name !== workspaces) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, workspaces))) symlinkSync(join(folder, name), join(to, workspaces, name))
}

/**
 * Takes a commit or tag out of the repository. Packages are those of this tree where `packages` is `shared`; with `own` they
 * are installed as that version's lock file says. Throws where the history does not reach back so far (a shallow clone).
 */
export const takeVersion = (commit: string, packages: 'shared' | 'own' = 'shared'): EarlierVersion => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-earlier-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const archive = join(folder, 'version.tar')
    execFileSync('git', ['-C', root, 'archive', '--output', archive, commit], { stdio: ['ignore', 'ignore', 'pipe'] })
    execFileSync('tar', ['-x', '-f', archive, '-C', folder])
    rmSync(archive)
    if (packages === 'shared') linkPackages(folder)
    else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    if (!existsSync(join(folder, 'server/src/start.ts'))) throw new Error(`${commit} has no server to start`)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

const git = (...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The release before this tree, or the commit before where none was released; undefined where the history is not here. */
export const versionBefore = (): string | undefined =>
  git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1') ??
  git('rev-parse', '--verify', '--quiet', 'HEAD~1')
