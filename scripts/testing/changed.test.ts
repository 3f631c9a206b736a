import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changedFiles } from './changed.ts'

let root = ''
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
const commit = (...names: readonly string[]): void => {
  for (const name of names) writeFileSync(join(root, name), `${name} ${Math.random()}`)
  git('add', '.')
  git('commit', '-m', 'x')
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-changed-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('is nothing where there is no history', () => {
  expect(changedFiles(root)).toEqual([])
  git('init', '-b', 'main')
  commit('a')
  expect(changedFiles(root)).toEqual([])
})

it('is the last commit on main, with what is not committed yet', () => {
  git('init', '-b', 'main')
  commit('a', 'b')
  commit('a')
  writeFileSync(join(root, 'new'), 'x')
  writeFileSync(join(root, 'b'), 'x')
  expect(changedFiles(root).toSorted()).toEqual(['a', 'b', 'new'])
})

it('is all of a branch, from where it left main', () => {
  git('init', '-b', 'main')
  commit('a')
  git('checkout', '-b', 'branch')
  commit('b')
  commit('c')
  git('checkout', 'main')
  commit('d')
  git('checkout', 'branch')
  expect(changedFiles(root)).toEqual(['b', 'c'])
})

it('leaves out what was only moved', () => {
  git('init', '-b', 'main')
  commit('a', 'b')
  renameSync(join(root, 'a'), join(root, 'moved'))
  commit('b')
  expect(changedFiles(root)).toEqual(['b'])
})
