import type { z } from 'zod'
import { AppError } from '#server/lib/app-error.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import { ask } from '#server/relay/upstream/ask.ts'
import { networkCause } from '#server/relay/upstream/network-failure.ts'
import { redact } from '#server/relay/upstream/redact.ts'
import type { Upstream } from '#server/relay/upstream/upstream.ts'

/**
 * Asks for JSON of a shape. Throws AppError: `report_refused` for a refused key, `report_rate_limited`, `report_unreachable` for
 * network failures and other statuses, `report_unreadable` for another shape. Limits and failures of the provider are tried again.
 */
export type GetJson = <T>(url: string, headers: Readonly<Record<string, string>>, shape: z.ZodType<T>) => Promise<T>

/** The same, undefined for what the provider does not know (status 404). */
export type FindJson = <T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  shape: z.ZodType<T>,
) => Promise<T | undefined>

export interface GetJsonParts {
  readonly upstream: Upstream
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
  /** Resolves after so many milliseconds. */
  readonly rest: (ms: number) => Promise<void>
}

const timeoutMs = 60_000
const maxBytes = 16 * 1024 * 1024
const mostTries = 3
const firstRestMs = 2_000
const longestRestMs = 60_000

const isRefusal = (status: number): boolean => status === 401 || status === 403
const isPassing = (status: number): boolean => status === 429 || status >= 500

/** Seconds of a Retry-After header; providers do not send dates. */
const restOf = (retryAfter: string | undefined, attempt: number): number => {
  const asked = Number(retryAfter ?? Number.NaN) * 1000
  return Math.min(Number.isFinite(asked) && asked > 0 ? asked : firstRestMs * 2 ** attempt, longestRestMs)
}

const unreachable = (reason: string, cause?: unknown): AppError =>
  new AppError('report_unreachable', {
    params: { reason, reason_en: reason },
    ...(cause === undefined ? {} : { cause }),
  })

const failureOf = (status: number): AppError => {
  if (isRefusal(status)) return new AppError('report_refused', { params: { status } })
  if (status === 429) return new AppError('report_rate_limited')
  return unreachable(`status code: ${status}`)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('report_no_json', { cause })
  }
}

/** Names where an answer differs from its shape, never its values. */
const shaped = <T>(text: string, shape: z.ZodType<T>): T => {
  const result = shape.safeParse(parsed(text))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError('report_unreadable', { params: { reason: `${issue?.path.join('.')}: ${issue?.code}` } })
}

const notFound = 404

/** Asks on behalf of one key, which no error carries; answers with whatever status is no passing failure. */
const createAsk = (parts: GetJsonParts, key: string) => {
  const once = async (url: string, headers: Readonly<Record<string, string>>) => {
    await parts.egress.check(url)
    return ask(parts.upstream, { url, headers, proxy: '', timeoutMs, maxBytes }).catch((error: Error) => {
      throw unreachable(redact(networkCause(error), { key, baseUrl: '' }))
    })
  }
  return async (url: string, headers: Readonly<Record<string, string>>) => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await once(url, headers)
      if (!isPassing(answer.status) || attempt + 1 >= mostTries) return answer
      await parts.rest(restOf(answer.retryAfter, attempt))
    }
  }
}

/** Asks providers on behalf of one key. */
export const createGetJson = (parts: GetJsonParts, key: string): GetJson => {
  const asked = createAsk(parts, key)
  return async (url, headers, shape) => {
    const { status, text } = await asked(url, headers)
    if (status !== 200) throw failureOf(status)
    return shaped(text, shape)
  }
}

/** Asks providers on behalf of one key for what they may not know. */
export const createFindJson = (parts: GetJsonParts, key: string): FindJson => {
  const asked = createAsk(parts, key)
  return async (url, headers, shape) => {
    const { status, text } = await asked(url, headers)
    if (status === notFound) return undefined
    if (status !== 200) throw failureOf(status)
    return shaped(text, shape)
  }
}
