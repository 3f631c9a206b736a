import { AppError } from '../lib/app-error.ts'

type Header = (name: string) => string | undefined

/** Without the port: proxies often drop it, and cookies do not tell ports apart either. */
const hostName = (host: string | undefined): string | undefined => {
  const url = `http://${host ?? ''}`
  return host && URL.canParse(url) ? new URL(url).hostname : undefined
}

/** True if the calling page is on the called host, according to its browser. */
export const sameHost = (header: Header): boolean => {
  const origin = header('origin') ?? header('referer')
  if (origin === undefined) return true
  const from = URL.canParse(origin) ? new URL(origin).hostname : undefined
  const ours = [header('host'), header('x-forwarded-host')].map(hostName)
  return from !== undefined && ours.includes(from)
}

/**
 * Refuses calls that another site makes with a visitor's cookie. Browsers say where a call
 * comes from in `Sec-Fetch-Site`, older ones only in `Origin` or `Referer`; programs say neither and send no cookie by
 * accident. `changes` is about the call, not its method: some GET calls change something.
 */
export const assertOwnOrigin = (changes: boolean, header: Header): void => {
  const site = header('sec-fetch-site')
  if (site === 'cross-site') throw new AppError('cross_origin')
  if (!changes || site === 'same-origin' || site === 'none') return
  if (!sameHost(header)) throw new AppError('cross_origin')
}
