import { AppError } from '../../../lib/app-error.ts'
import { addressOf, lateAdvice, networkAdvice } from '../../../lib/security/address-failure.ts'
import type { UpstreamFailure } from '../../../relay/ports.ts'
import type { WatchedRequest } from './watched-upstream.ts'

interface FailedTest {
  readonly request: WatchedRequest
  readonly failure: UpstreamFailure
  /** The channel's key, which no error carries. */
  readonly key: string
  /** Empty for none. */
  readonly proxy: string
  /** Milliseconds that the test took. */
  readonly took: number
}

/** Tells the operator what to do about a failed test; undefined where the upstream's own text says it all. */
export const testAdvice = ({ request, failure, key, proxy, took }: FailedTest): AppError | undefined => {
  const { url, status, error } = request
  if (!URL.canParse(url)) return undefined
  const asked = { url, key, proxy, timeoutMs: took }
  if (error) return networkAdvice(asked, error)
  if (status === 0) return failure.code === 'upstream_timeout' ? lateAdvice(asked) : undefined
  if (request.isWebPage) return new AppError('address_is_web_page', { params: { address: addressOf(asked) } })
  const params = { address: addressOf(asked), status, reason: failure.message }
  if (status === 401 || status === 403) return new AppError('channel_test_key_refused', { params })
  if (status === 404 || status === 405) return new AppError('channel_test_not_there', { params })
  return undefined
}
