import { AppError } from '../../lib/app-error.ts'

type Header = (name: string) => string | undefined

const isOwn = (origin: string, header: Header): boolean => {
  if (header('sec-fetch-site') === 'same-origin') return true
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase()
}

/**
 * Where providers send browsers back to: the address that the operator set; without one, the origin that the console's
 * page was loaded from. Browsers write `Origin` themselves, and it counts only when it is the very host they called, so
 * nobody can choose it for somebody else. `Host` alone never counts. Throws AppError('oauth_address_unknown').
 */
export const siteAddress = (serverAddress: string, header: Header): string => {
  if (serverAddress !== '') return serverAddress
  const origin = header('origin')
  if (origin !== undefined && /^https?:\/\//.test(origin) && isOwn(origin, header)) return origin
  throw new AppError('oauth_address_unknown')
}

/**
 * Whether no other site can have made this call: it carries the console's own header, which needs permission that we give
 * to nobody, or comes from our own page, or from a program that follows no foreign links.
 */
export const isOwnCall = (header: Header): boolean =>
  (header('new-api-user') ?? '') !== '' ||
  header('sec-fetch-site') === 'same-origin' ||
  !/^mozilla\//i.test(header('user-agent') ?? '')
