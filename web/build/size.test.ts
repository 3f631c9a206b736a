/// <reference types="node" />
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { printCalls, printContract } from './contract-module.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const dist = join(import.meta.dirname, '../dist')
const manifestPath = join(dist, '.vite/manifest.json')
const isBuilt = existsSync(manifestPath)

const hardLimitBytes = 200_000
/** What the login page may weigh before somebody has to look why; the console's target is 120 kB of scripts. */
const scriptLimitBytes = 130_000
const stylesLimitBytes = 24_000

const gzipped = (file: string): number => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length

/** Everything that a page loads: its chunk and what that imports, each file once. */
const filesOf = (manifest: Record<string, Chunk>, roots: readonly string[]): Set<string> => {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const root of roots) visit(root)
  return files
}

it.skipIf(!isBuilt)('keeps the login page light (skipped until the console is built)', () => {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
  const files = [...filesOf(manifest, ['index.html', 'src/features/login/screen.tsx'])]
  expect(files.length).toBeGreaterThan(2)
  const total = files.reduce((sum, file) => sum + gzipped(file), 0)
  const scripts = files.filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + gzipped(file), 0)
  console.info(
    `login page: ${(scripts / 1000).toFixed(1)} kB scripts, ${(total / 1000).toFixed(1)} kB with styles, gzip`,
  )
  expect(total).toBeLessThan(hardLimitBytes)
  expect(scripts).toBeLessThan(scriptLimitBytes)
})

it.skipIf(!isBuilt)('keeps the styles around a screen small (skipped until the console is built)', () => {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
  const styles = [...filesOf(manifest, ['index.html', 'src/shell/console-shell.tsx'])].filter((file) =>
    file.endsWith('.css'),
  )
  expect(styles.reduce((sum, file) => sum + gzipped(file), 0)).toBeLessThan(stylesLimitBytes)
})

it('prints addresses and constants of the contract, and nothing that needs a schema library', () => {
  const contract = {
    login: { method: 'POST', path: '/api/user/login', access: 'visitor', body: { parse: () => 1 } },
    getSelf: { method: 'GET', path: '/api/user/self', access: 'user' },
    role: { user: 1 },
    pageSizes: [10, 20],
    user: new (class Schema {})(),
    endpoint: () => 1,
  }
  expect(printContract(contract).split('\n')).toEqual([
    "export * as calls from 'virtual:contract/calls'",
    'export const role = {"user":1}',
    'export const pageSizes = [10,20]',
  ])
  expect([printCalls(contract, { visitors: true }), printCalls(contract, { visitors: false })]).toEqual([
    'export const login = {"method":"POST","path":"/api/user/login"}',
    'export const getSelf = {"method":"GET","path":"/api/user/self"}',
  ])
})
