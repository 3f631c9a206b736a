import { AppError } from '../app-error.ts'

/** An address that was asked for somebody who typed it; `key` never appears in an error. */
export interface AskedAddress {
  readonly url: string
  readonly key: string
  /** Empty for none: through a proxy it is open who refused a connection. */
  readonly proxy: string
  /** Milliseconds until it was given up. */
  readonly timeoutMs: number
}

const unreachable: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])
const closed: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const late: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const unknown: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])
/** Codes of OpenSSL and of node’s checks of certificates. */
const ofTls = /^(?:ERR_SSL_|ERR_TLS_|ETLS$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/

const ownCode = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The first of an error and its causes that `fits`; undefined if none does. */
const causeWith = (error: unknown, fits: (cause: Error) => boolean): Error | undefined => {
  if (!(error instanceof Error)) return undefined
  return fits(error) ? error : causeWith(error.cause, fits)
}

const isTimeout = ({ name, message }: Error): boolean => name === 'TimeoutError' || message === 'timeout'

const originOf = ({ url }: Pick<AskedAddress, 'url'>): string => {
  const { origin, host, protocol } = new URL(url)
  return origin === 'null' ? `${protocol}//${host}` : origin
}

/** With its path, in which the key is cut out, and without a query, which may hold it. */
export const addressOf = ({ url, key }: Pick<AskedAddress, 'url' | 'key'>): string => {
  const { pathname } = new URL(url)
  return `${originOf({ url })}${key === '' ? pathname : pathname.replaceAll(key, '***')}`
}

/** Says what to do about a network failure; undefined where the failure says no more than its text. */
export const networkAdvice = (asked: AskedAddress, error: Error): AppError | undefined => {
  const ours = causeWith(error, (cause) => cause instanceof AppError)
  if (ours instanceof AppError) return ours
  const coded = causeWith(error, (cause) => ownCode(cause) !== '')
  const [address, code] = [originOf(asked), coded ? ownCode(coded) : '']
  if (late.has(code) || causeWith(error, isTimeout)) return lateAdvice(asked, error)
  if (ofTls.test(code)) return new AppError('address_tls_failed', { params: { address, reason: code }, cause: error })
  if (asked.proxy !== '') return undefined
  if (code === 'ECONNREFUSED') return new AppError('address_connection_refused', { params: { address }, cause: error })
  if (unreachable.has(code)) return new AppError('address_unreachable', { params: { address }, cause: error })
  if (closed.has(code)) return new AppError('address_connection_closed', { params: { address }, cause: error })
  if (unknown.has(code)) {
    return new AppError('address_unknown', { params: { host: new URL(asked.url).hostname }, cause: error })
  }
  return undefined
}

/** Says what to do about an address that did not answer in time. */
export const lateAdvice = (asked: Pick<AskedAddress, 'url' | 'timeoutMs'>, cause?: Error): AppError =>
  new AppError('address_timed_out', {
    params: { address: originOf(asked), seconds: Math.max(1, Math.round(asked.timeoutMs / 1000)) },
    ...(cause === undefined ? {} : { cause }),
  })

/** Says what to do about an answer that is no success. `notThere` is the error for a path that the server does not have. */
export const statusAdvice = (
  asked: AskedAddress,
  status: number,
  notThere: 'models_not_there' | 'balance_not_there',
): AppError => {
  const params = { address: originOf(asked), status }
  if (status === 401 || status === 403) return new AppError('address_key_refused', { params })
  if (status === 404 || status === 405)
    return new AppError(notThere, { params: { ...params, address: addressOf(asked) } })
  if (status === 429) return new AppError('address_rate_limited', { params: { address: params.address } })
  return new AppError('address_status', { params: { ...params, address: addressOf(asked) } })
}

/** True for a web page, which a wrong address answers with a status of 200, too. */
export const isWebPage = (text: string): boolean => /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text)

/** Says what to do about an answer that is not the JSON that was asked for; `unreadable` is the error for what is no web page either. */
export const unreadableAdvice = (
  asked: AskedAddress,
  text: string,
  unreadable: 'models_unreadable' | 'balance_unreadable',
  cause?: unknown,
): AppError =>
  new AppError(isWebPage(text) ? 'address_is_web_page' : unreadable, {
    params: { address: addressOf(asked) },
    ...(cause === undefined ? {} : { cause }),
  })
