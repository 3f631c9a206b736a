/** The paths of all pages and of the sheets below them. */
export const pagePaths = (pages: readonly { readonly path: string; readonly sheets?: readonly string[] }[]): string[] =>
  pages.flatMap(({ path, sheets = [] }) => [path, ...sheets.map((sheet) => path + sheet)]).sort()

/** Path below which the site is reached, such as `/gw`, from the page that the server wrote; empty for the root of its host. */
export const basePath = (): string => document.documentElement.dataset.base ?? ''

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

/** A path of this site as the browser must ask for it. Addresses of other sites stay, and so do paths that have the base already. */
export const belowBase = (path: string): string => {
  const base = basePath()
  return base !== '' && /^\/(?![/\\])/.test(path) && !isBelow(path, base) ? base + path : path
}

/** A path of the browser's address as the console's pages name it. */
export const withoutBase = (path: string): string => {
  const base = basePath()
  return base !== '' && isBelow(path, base) ? path.slice(base.length) || '/' : path
}

/** The site's own address in this browser, without a slash at its end. */
export const ownAddress = (): string => window.location.origin + basePath()
