import type { Module } from './modules.ts'

/** Most imports that a file of the product may have; lower it when the longest list of imports becomes shorter. */
export const mostImports = 39

/** Files whose purpose is to name others: entries of packages, and lists. */
const isList = (path: string): boolean => /\/index\.ts$|^modules\/lists\/|^web\/src\/shell\/pages\.ts$/.test(path)

export interface ImportCount {
  readonly path: string
  /** Imported source files; packages do not count. */
  readonly imports: number
}

/** Files of the product by their number of imports, the most first; lists and tests are left out. */
export const importCounts = (modules: readonly Module[]): readonly ImportCount[] =>
  modules
    .filter(({ path }) => /^((contract|server|web)\/src|modules)\//.test(path))
    .filter(({ path }) => !isList(path) && !/\.test\.tsx?$|^modules\/[\w-]+\/tests\//.test(path))
    .map(({ path, imports }) => ({ path, imports: imports.length }))
    .toSorted((left, right) => right.imports - left.imports || left.path.localeCompare(right.path))
