/** The paths of all pages and of the sheets below them. */
export const pagePaths = (pages: readonly { readonly path: string; readonly sheets?: readonly string[] }[]): string[] =>
  pages.flatMap(({ path, sheets = [] }) => [path, ...sheets.map((sheet) => path + sheet)]).sort()
