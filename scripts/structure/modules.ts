import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** A source file of the repository and the source files that it imports, types included; paths from the root, with `/`. */
export interface Module {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const sourceFolders = [
  'contract/src',
  'server/src',
  'server/test',
  'server/bench',
  'web/src',
  'web/build',
  'scripts',
  'e2e',
  'modules',
]
const isSource = /\.tsx?$/
const typeImports = /\b(?:import|export)\s+type\s[^;'"]*?\sfrom\s*'[^']+'/g
const importOf = /(?:from|import)\s*\(?\s*'([^']+)'/g

const posix = (path: string): string => path.split(sep).join('/')

/** Names of folders that modules import by (`imports` of package.json). */
const aliases: readonly (readonly [prefix: string, folder: string])[] = [
  ['#server/', 'server/src'],
  ['#server-test/', 'server/test'],
  ['#web/', 'web/src'],
  ['@/', 'web/src'],
]

const resolved = (root: string, from: string, target: string): string | undefined => {
  if (target === '@tollgate/contract') return 'contract/src/index.ts'
  if (target.startsWith('@tollgate/contract/')) return `contract/src/${target.slice('@tollgate/contract/'.length)}.ts`
  const alias = aliases.find(([prefix]) => target.startsWith(prefix))
  if (alias === undefined && !target.startsWith('.')) return undefined
  const path = alias === undefined ? join(dirname(from), target) : join(alias[1], target.slice(alias[0].length))
  const candidates = [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')]
  const found = candidates.find((candidate) => isSource.test(candidate) && existsSync(join(root, candidate)))
  return found === undefined ? undefined : posix(found)
}

/** Reads every TypeScript file of the product, its tests and its scripts, with its imports; without those of types alone on request. */
export const readModules = (root: string, imports: 'all' | 'values' = 'all'): readonly Module[] =>
  sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => isSource.test(name))
      .map((name) => {
        const path = posix(relative(root, join(root, folder, name)))
        const text = readFileSync(join(root, path), 'utf8')
        const searched = imports === 'all' ? text : text.replaceAll(typeImports, '')
        const targets = [...searched.matchAll(importOf)].flatMap(
          ([, target = '']) => resolved(root, path, target) ?? [],
        )
        return { path, text, imports: [...new Set(targets)] }
      }),
  )
