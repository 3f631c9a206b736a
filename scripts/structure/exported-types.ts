import type { Module } from './modules.ts'

export interface SharedName {
  readonly name: string
  /** Files that export a type of this name, from the root, with `/`. */
  readonly files: readonly string[]
}

const declaration = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm

/** Names under which more than one file exports a type, the most frequent first. Tests do not count. */
export const sharedTypeNames = (modules: readonly Module[]): readonly SharedName[] => {
  const declared = modules
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(declaration)].map(([, name = '']) => ({ name, path })))
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => ({ name, files: places.map(({ path }) => path) }))
    .toSorted((left, right) => right.files.length - left.files.length)
}
