import type { Module } from './modules.ts'

export interface Folder {
  readonly path: string
  /** Source files in it, tests included, folders in it not. */
  readonly files: number
}

/** Folders with more than `most` source files, largest first. */
export const crowdedFolders = (modules: readonly Module[], most: number): readonly Folder[] => {
  const counts = new Map<string, number>()
  for (const { path } of modules) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, files]) => files > most)
    .map(([path, files]) => ({ path, files }))
    .sort((left, right) => right.files - left.files)
}
