import { spawnSync } from 'node:child_process'

/** Output of git for these arguments; undefined if it fails: without git, without history, without such a commit. */
const git = (root: string, ...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
  return status === 0 ? stdout.trim() : undefined
}

/** The commit that the change began at: where the branch left main, or the commit before on main itself. */
const baseOf = (root: string): string | undefined => {
  const head = git(root, 'rev-parse', 'HEAD')
  for (const main of ['origin/main', 'main']) {
    const base = git(root, 'merge-base', 'HEAD', main)
    if (base !== undefined && base !== head) return base
  }
  return git(root, 'rev-parse', '--verify', '--quiet', 'HEAD~1')
}

/** Files that were only moved are left out; of those that were moved and changed, both paths count. */
const pathsOf = (line: string): readonly string[] => {
  const [status = '', ...paths] = line.split('\t')
  return status === 'R100' ? [] : paths
}

/**
 * Paths of files that differ from the commit that the change began at, those not yet committed or added included; none
 * where there is no history to compare with.
 */
export const changedFiles = (root: string): readonly string[] => {
  const base = baseOf(root)
  if (base === undefined) return []
  const lines = (text: string | undefined): string[] => text?.split('\n').filter((line) => line !== '') ?? []
  return [
    ...lines(git(root, 'diff', '--name-status', '--find-renames', base)).flatMap(pathsOf),
    ...lines(git(root, 'ls-files', '--others', '--exclude-standard')),
  ]
}
