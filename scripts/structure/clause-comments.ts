import type { Module } from './modules.ts'

interface Comment {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Most comments of this kind in the whole repository. Lower it when some are rewritten; `npm run structure` prints the present number. */
export const mostClauseComments = 0

/** The opening of a comment: of a block, on its first or second line, or of the first of several lines behind `//`. Not within a text. */
const opening =
  /(?:(?<!')\/\*\*?\s*(?:\n\s*\* )?|(?<!^[ \t]*\/\/[^\n]*\n)^[ \t]*\/\/ )(?:What|Who|Whose|Whether|Where)\b[^\n]*/gm

/** Comments that begin with a clause instead of a noun or a verb: "What a call needs", where "Requirements of a call" says the thing. */
export const clauseComments = (modules: readonly Module[]): readonly Comment[] =>
  modules.flatMap(({ path, text }) =>
    [...text.matchAll(opening)].map(({ index, 0: found }) => ({
      path,
      line: text.slice(0, index).split('\n').length,
      text: found.trim(),
    })),
  )
