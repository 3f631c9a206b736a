import { type ErrorCode, errors } from '@tollgate/contract'
import type { JsonObject } from '../dialects/conversation/json.ts'
import type { AppError } from '../lib/app-error.ts'

/** An error of the gateway before translation. */
export interface ErrorSentence {
  readonly code: ErrorCode
  readonly params: Readonly<Record<string, string | number>>
}

/** Failure of a call as its client reads it; `cause` is for the operator only. */
export interface CallFailure {
  readonly status: number
  readonly type: string
  /** Code as the upstream sent it: text, a number or null. */
  readonly code: unknown
  /** Chinese where the text is ours. */
  readonly message: string
  /** The same in English; absent for texts of upstreams. */
  readonly english?: string
  /** The same as code and parameters, for readers of the log. Absent for texts of upstreams. */
  readonly sentence?: ErrorSentence
  readonly param: unknown
  /**
   * Other members of the upstream's error object, without secrets; set where the client speaks the same dialect and the error is about
   * the request.
   */
  readonly upstreamFields?: JsonObject
  readonly retryAfter: string | undefined
  readonly cause: string
  /** True if it was refused before the relay: the envelope then has no code and no param. */
  readonly early: boolean
  /** The rendered error, set before the call was charged; absent where nothing was charged. */
  readonly printed?: string
  /** True where the client has received it already, as the upstream's own event. */
  readonly passed?: true
  /** True for an error of the upstream's within an answer that began as a success. */
  readonly inAnswer?: true
}

const earlyCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'token_missing',
  'token_invalid',
  'token_exhausted',
  'token_expired',
  'token_disabled',
  'token_spent',
  'token_channel_denied',
  'user_banned',
  'ip_not_allowed',
  'token_group_disabled',
  'group_deprecated',
  'forced_channel_invalid',
  'forced_channel_disabled',
  'model_not_allowed',
  'no_model_allowed',
  'no_available_channel',
  'invalid_request_body',
  'rate_limited_total',
  'rate_limited_success',
])

const causeOf = (error: AppError): string => {
  if (error.cause instanceof Error) return error.cause.message
  const details = Object.keys(error.details).length > 0 ? ` ${JSON.stringify(error.details)}` : ''
  return `${error.message}${details}`
}

/** An error of ours in both languages: the gateway chooses when it answers. */
export const bothTexts = (error: AppError): Pick<CallFailure, 'message' | 'english' | 'sentence'> => ({
  message: error.textIn('zh'),
  english: error.textIn('en'),
  sentence: { code: error.code, params: error.params },
})

/** OpenAI's own name of the fault, where clients look for it. */
const typeOf = (code: ErrorCode): string =>
  code === 'invalid_url' || code === 'model_not_found' ? 'invalid_request_error' : 'new_api_error'

/** One of our own errors as clients read it. */
export const failureOf = (error: AppError): CallFailure => ({
  status: errors[error.code].status,
  type: typeOf(error.code),
  code: error.code === 'invalid_url' ? '' : error.code,
  ...bothTexts(error),
  param: error.code === 'model_not_found' ? 'model' : '',
  retryAfter: error.retryAfter === undefined ? undefined : String(error.retryAfter),
  cause: causeOf(error),
  early: earlyCodes.has(error.code),
})
