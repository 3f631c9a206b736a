import type { Module } from './modules.ts'

export interface Citation {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Names of documents that are not in the repository: numbered requirements and sections of a reference. */
const dangling =
  /\b(?:relay|server|console|providers?) reference\b|\breference §|\bmission(?:'s)? (?:document|section)|\b[MUD]-\d{1,3}\b/

/** Lines that cite a document that a reader of the repository cannot open. */
export const danglingCitations = (modules: readonly Module[]): readonly Citation[] =>
  modules
    .filter(({ path }) => !path.startsWith('scripts/structure/'))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (dangling.test(line) ? [{ path, line: index + 1, text: line.trim() }] : [])),
    )
