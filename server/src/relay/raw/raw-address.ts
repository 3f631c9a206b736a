import { AppError } from '../../lib/app-error.ts'
import { checkQueryNames } from './query-names.ts'

/** Allowed paths of raw calls: no server can read them as another path. */
const plainPath = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9a-f]{2})+)+$/i
const climbs = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i
/**
 * An encoded slash, backslash or control character, the beginning of a query, a fragment or path parameters, or a percent sign, behind
 * which a server that decodes twice finds any of these.
 */
const hidden = /%(?:2f|5c|3b|3f|23|25|[01][0-9a-f]|7f)/i
const longestPath = 2000

/**
 * Refuses a path or a query that a provider could read in another way than it was checked. `fenced` is true where makers are separated
 * in the channel's account. Throws AppError('invalid_url').
 */
export const checkAddress = (path: string, query: string, { fenced }: { readonly fenced: boolean }): void => {
  checkQueryNames(query, { fenced })
  const isPlain = path.length <= longestPath && plainPath.test(path) && !climbs.test(path) && !hidden.test(path)
  if (!isPlain) throw new AppError('invalid_url')
}

/**
 * The address of a raw call below the channel's own: host and base path are those of the channel, whatever the client sends. `fenced` is
 * true where makers are separated in the channel's account. Throws AppError('invalid_url').
 */
export const rawAddress = (
  baseUrl: string,
  path: string,
  query: string,
  { fenced }: { readonly fenced: boolean },
): string => {
  checkAddress(path, query, { fenced })
  if (baseUrl === '' || baseUrl.includes('{')) throw new AppError('invalid_url')
  const base = new URL(baseUrl)
  const address = new URL(`${baseUrl}${path}${query}`)
  const isBelow = address.origin === base.origin && address.pathname.startsWith(base.pathname.replace(/\/$/, ''))
  if (!isBelow || address.hash !== '') throw new AppError('invalid_url')
  return `${baseUrl}${path}${query}`
}
