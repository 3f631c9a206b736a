import { AppError } from '../../lib/app-error.ts'

type Header = (name: string) => string | undefined

const isOwn = (origin: string, header: Header): boolean => {
  if (header('sec-fetch-site') === 'same-origin') return true
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase()
}

/**
 * Address to which providers redirect browsers: the one that the operator set; without it, the origin that the console's page was
 * loaded from, with the site's base path. Browsers write `Origin` themselves, and it counts only if it is the very host that they called, so that it cannot be
 * chosen for somebody else. `Host` alone never counts. Throws AppError('oauth_address_unknown').
 */
export const siteAddress = (
  { serverAddress, basePath = '' }: { readonly serverAddress: string; readonly basePath?: string | undefined },
  header: Header,
): string => {
  if (serverAddress !== '') return serverAddress
  const origin = header('origin')
  if (origin !== undefined && /^https?:\/\//.test(origin) && isOwn(origin, header)) return origin + basePath
  throw new AppError('oauth_address_unknown')
}

/**
 * True if another site cannot have made this call: it carries the console's own header, for which other sites get no permission, or
 * comes from our own page, or from a program that follows no foreign links.
 */
export const isOwnCall = (header: Header): boolean =>
  (header('new-api-user') ?? '') !== '' ||
  header('sec-fetch-site') === 'same-origin' ||
  !/^mozilla\//i.test(header('user-agent') ?? '')
