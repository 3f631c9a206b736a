import { AppError } from '../../../lib/app-error.ts'

/** The place of a model list; `key` never appears in an error. */
export interface ListPlace {
  readonly url: string
  readonly key: string
  /** Empty for none: through a proxy it is open who refused a connection. */
  readonly proxy: string
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
const ofTls = /^(?:ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/

/** The code of an error or of what caused it; empty where none has one. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}

const originOf = ({ url }: ListPlace): string => new URL(url).origin

/** With its path, in which the key is cut out, and without a query, which may hold it. */
const addressOf = ({ url, key }: ListPlace): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${key === '' ? pathname : pathname.replaceAll(key, '***')}`
}

/** Advice about a network failure; undefined where the failure says no more than its text. */
export const networkAdvice = (place: ListPlace, error: Error): AppError | undefined => {
  const [address, code] = [originOf(place), codeOf(error)]
  if (code === '' && error.message === 'timeout') return timedOut(place, error)
  if (late.has(code)) return timedOut(place, error)
  if (ofTls.test(code)) return new AppError('models_tls_failed', { params: { address, reason: code }, cause: error })
  if (place.proxy !== '') return undefined
  if (code === 'ECONNREFUSED') return new AppError('models_connection_refused', { params: { address }, cause: error })
  if (unreachable.has(code)) return new AppError('models_unreachable', { params: { address }, cause: error })
  if (closed.has(code)) return new AppError('models_connection_closed', { params: { address }, cause: error })
  if (unknown.has(code)) {
    return new AppError('address_unknown', { params: { host: new URL(place.url).hostname }, cause: error })
  }
  return undefined
}

const timedOut = (place: ListPlace, cause: Error): AppError =>
  new AppError('models_timed_out', {
    params: { address: originOf(place), seconds: place.timeoutMs / 1000 },
    cause,
  })

/** Advice about an answer that is no success. */
export const statusAdvice = (place: ListPlace, status: number): AppError => {
  const params = { address: originOf(place), status }
  if (status === 401 || status === 403) return new AppError('models_key_refused', { params })
  if (status === 404 || status === 405) {
    return new AppError('models_not_there', { params: { ...params, address: addressOf(place) } })
  }
  if (status === 429) return new AppError('models_rate_limited', { params: { address: params.address } })
  return new AppError('models_status', { params: { ...params, address: addressOf(place) } })
}

export const unreadableAdvice = (place: ListPlace, cause?: unknown): AppError =>
  new AppError('models_unreadable', {
    params: { address: addressOf(place) },
    ...(cause === undefined ? {} : { cause }),
  })
