import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseChangelog, sectionOf } from './changelog.ts'

/**
 * `npm run release -- 1.2.3` gives every package the version, dates the changelog's section, commits and tags.
 * `--check v1.2.3` fails where tag, packages and changelog disagree; `--notes v1.2.3` prints the section of a version.
 */
const root = join(import.meta.dirname, '..')
const manifests = ['package.json', 'contract/package.json', 'server/package.json', 'web/package.json']
const changelogPath = join(root, 'CHANGELOG.md')
const chartPath = join(root, 'ops/helm/Chart.yaml')

const stop = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const versionOf = (path: string): unknown =>
  (JSON.parse(readFileSync(join(root, path), 'utf8')) as { version?: unknown }).version

const git = (...args: readonly string[]): string => {
  const ended = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (ended.status !== 0) stop(`git ${args.join(' ')} failed: ${ended.stderr}`)
  return ended.stdout.trim()
}

const check = (version: string): void => {
  for (const path of manifests)
    if (versionOf(path) !== version) stop(`${path} has version ${String(versionOf(path))}, not ${version}`)
  if (!readFileSync(chartPath, 'utf8').includes(`appVersion: "${version}"`))
    stop(`ops/helm/Chart.yaml has another version than ${version}`)
  if (sectionOf(readFileSync(changelogPath, 'utf8'), version) === undefined)
    stop(`CHANGELOG.md has no section for ${version}`)
}

const release = (version: string): void => {
  if (git('status', '--porcelain') !== '') stop('Commit or remove what has changed first.')
  for (const path of manifests) {
    const text = readFileSync(join(root, path), 'utf8')
    const versioned = text.replace(/("version"|"@tollgate\/contract"): "[^"]*"/g, `$1: "${version}"`)
    writeFileSync(join(root, path), versioned)
  }
  const chart = readFileSync(chartPath, 'utf8')
  writeFileSync(
    chartPath,
    chart.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: "${version}"`),
  )
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(changelogPath, releaseChangelog(readFileSync(changelogPath, 'utf8'), version, today))
  if (spawnSync('npm', ['install', '--package-lock-only'], { cwd: root, stdio: 'inherit' }).status !== 0)
    stop('The lock file could not be brought up to date.')
  check(version)
  git('commit', '-am', `release ${version}`)
  git('tag', '-a', `v${version}`, '-m', `v${version}`)
  process.stdout.write(`Now: git push --follow-tags\n`)
}

const [first = '', second = ''] = process.argv.slice(2)
const version = (first.startsWith('--') ? second : first).replace(/^v/, '')
if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version)) stop('Usage: npm run release -- 1.2.3')
if (first === '--check') check(version)
else if (first === '--notes')
  process.stdout.write(sectionOf(readFileSync(changelogPath, 'utf8'), version) ?? stop(`no section for ${version}`))
else release(version)
