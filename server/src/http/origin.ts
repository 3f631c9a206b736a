import { AppError } from '../lib/app-error.ts'

type Header = (name: string) => string | undefined

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Without the port: proxies often drop it, and cookies do not tell ports apart either. */
const hostName = (host: string | undefined): string | undefined => {
  const url = `http://${host ?? ''}`
  return host && URL.canParse(url) ? new URL(url).hostname : undefined
}

const sameHost = (header: Header): boolean => {
  const origin = header('origin')
  if (origin === undefined) return true
  const from = URL.canParse(origin) ? new URL(origin).hostname : undefined
  const ours = [header('host'), header('x-forwarded-host')].map(hostName)
  return from !== undefined && ours.includes(from)
}

/**
 * Refuses calls that another site makes with a visitor's cookie (server reference §12.3.46). Browsers say where a call
 * comes from in `Sec-Fetch-Site`, older ones only in `Origin`; programs say neither and send no cookie by accident.
 * Reading calls are refused only when they surely come from another site, since some of them (logout) change state.
 */
export const assertOwnOrigin = (method: string, header: Header): void => {
  const site = header('sec-fetch-site')
  if (site === 'cross-site') throw new AppError('cross_origin')
  if (reading.has(method) || site === 'same-origin' || site === 'none') return
  if (!sameHost(header)) throw new AppError('cross_origin')
}
