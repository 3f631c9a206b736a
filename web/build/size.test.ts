/// <reference types="node" />
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const dist = join(import.meta.dirname, '../dist')
const manifestPath = join(dist, '.vite/manifest.json')
const isBuilt = existsSync(manifestPath)

/**
 * Scripts and styles of the login page together, with what it asks for by itself. The list of all files that come on demand
 * is among them, so every part that a screen loads later adds a few bytes here.
 */
const loginLimitBytes = 127_000

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
  const parts = [
    'index.html',
    'src/features/login/screen.tsx',
    'src/features/login/way-button.tsx',
    'src/components/sign-in/pitch.tsx',
  ]
  expect(parts.filter((part) => !manifest[part])).toEqual([])
  const files = [...filesOf(manifest, parts)]
  const total = files.reduce((sum, file) => sum + gzipped(file), 0)
  const scripts = files.filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + gzipped(file), 0)
  console.info(
    `login page: ${(scripts / 1000).toFixed(1)} kB scripts, ${(total / 1000).toFixed(1)} kB with styles, gzip`,
  )
  expect(total).toBeLessThan(loginLimitBytes)
})

/** Scripts of a screen before it can be used, with everything around it; what comes on demand is not among them. */
const screenLimitBytes = 218_000
/** Styles of a screen before it can be used. */
const stylesLimitBytes = 23_500

/** Scripts and styles that a screen needs before it can be used: each is a request. */
const filesLimit = 28

/** The screens inside of the console, those of modules among them, by folder, with the files that each loads before it can be used. */
const screensIn = (manifest: Record<string, Chunk>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.keys(manifest).flatMap((key): [string, readonly string[]][] => {
      const folder = /^(?:src\/features|\.\.\/modules)\/([\w/-]+)\/(?:screen|redirect)\.tsx$/.exec(key)?.[1]
      if (folder === undefined) return []
      const around = ['index.html', 'src/shell/frame.ts']
      return [[`${folder}${key.endsWith('redirect.tsx') ? ' redirect' : ''}`, [...filesOf(manifest, [...around, key])]]]
    }),
  )

const kindOf = (files: readonly string[], end: string): number =>
  files.filter((file) => file.endsWith(end)).reduce((sum, file) => sum + gzipped(file), 0)

it.skipIf(!isBuilt)('keeps every screen of the console light (skipped until the console is built)', () => {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
  const screens = screensIn(manifest)
  expect(screens.size).toBeGreaterThan(15)
  const sizes = [...screens].map(([name, files]) => ({
    name,
    js: kindOf(files, '.js'),
    css: kindOf(files, '.css'),
    count: files.length,
  }))
  console.info(
    sizes
      .toSorted((a, b) => b.js - a.js)
      .map(({ name, js, css }) => `${name}: ${(js / 1000).toFixed(1)} kB scripts, ${(css / 1000).toFixed(1)} kB styles`)
      .join('\n'),
  )
  expect(sizes.filter(({ js }) => js > screenLimitBytes)).toEqual([])
  expect(sizes.filter(({ css }) => css > stylesLimitBytes)).toEqual([])
  expect(sizes.filter(({ count }) => count > filesLimit)).toEqual([])
})

it.skipIf(!isBuilt)(
  'loads what opens on a screen only when it is asked for (skipped until the console is built)',
  () => {
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
    const onDemand = [
      'src/components/menu/menu-panel.tsx',
      'src/components/menu/popover-panel.tsx',
      'src/components/display/hint-bubble.tsx',
      'src/components/form/confirm-dialog.tsx',
      'src/shell/palette/palette-list.tsx',
      'src/shell/toasts.tsx',
    ].map((key) => manifest[key]?.file ?? key)
    const loadedAtOnce = [...screensIn(manifest)].flatMap(([name, files]) =>
      onDemand.filter((file) => files.includes(file)).map((file) => `${name}: ${file}`),
    )
    expect(onDemand.filter((file) => file.startsWith('src/'))).toEqual([])
    expect(loadedAtOnce).toEqual([])
  },
)
