import type { Module } from './modules.ts'

/** Files of the product with fewer lines than this are counted. */
const least = 25

/** Most small files that the product may have. Lower it when files are merged; `npm run structure` prints the present number. */
export const mostSmallFiles = 245

/** Source files of the product, without tests, that are shorter than 25 lines: the shortest first. */
export const smallFiles = (modules: readonly Module[]): readonly { readonly path: string; readonly lines: number }[] =>
  modules
    .filter(({ path }) => /^(contract|server|web)\/src\//.test(path) && !/\.test\.tsx?$/.test(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines < least)
    .toSorted((left, right) => left.lines - right.lines)
