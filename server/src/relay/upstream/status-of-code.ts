import { failureInBaseResp } from '../../dialects/base-resp.ts'
import { isObject, type JsonObject, membersOf, textOf } from '../../dialects/conversation/json.ts'
import { readErrorBody } from './error-body.ts'
import { isMissingPrice } from './missing-price.ts'

/**
 * HTTP statuses of errors that come with a success: in a stream, or in a body with status 200. The status is the one that the same
 * provider sends with the same code where it refuses at once.
 */

const isErrorStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599

/** Three digits count, too; providers also number their errors, in other ranges. */
const statusIn = (value: unknown): number | undefined => {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return isErrorStatus(status) ? status : undefined
}

/** Overload: 529 for Anthropic's clients, 503 for all others. */
const overload = 'overload'

/**
 * By code or type, the first match wins. Sources: platform.openai.com/docs/guides/error-codes, docs.anthropic.com/en/api/errors,
 * cloud.google.com/apis/design/errors, docs.aws.amazon.com/bedrock (exceptions), help.aliyun.com/zh/model-studio/error-code.
 */
const rows: readonly (readonly [RegExp, number | typeof overload])[] = [
  [/^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|string_above_max_length)$/, 400],
  [/^(billing_error|insufficient_(balance|credits?)|arrearage|payment_required)$/i, 402],
  [/^(insufficient_quota|insufficient_user_quota|billing_hard_limit_reached|quota_exceeded)$/i, 429],
  [
    /^(rate_?limit\w*|too_?many_?requests\w*|throttl\w*(\.\w+)?|resource_exhausted|requests|tokens|limit_requests|limit_burst_rate)$/i,
    429,
  ],
  [
    /^(\w*overload\w*|slow_down|unavailable|service_?unavailable\w*|model_?not_?ready\w*|\w*capacity_exceeded|engine_unavailable)$/i,
    overload,
  ],
  [
    /^(invalid_api_key|authentication_error|unauthenticated|unauthorized|unrecognizedclientexception|invalidapikey)$/i,
    401,
  ],
  [/^(permission_(error|denied)|access_?denied\w*|forbidden)$/i, 403],
  [/^((model_)?not_found(_error)?|model_?not_?found|resourcenotfound\w*)$/i, 404],
  [/^(request_too_large|payload_too_large)$/i, 413],
  [/^(timeout(_error)?|deadline_exceeded|modeltimeoutexception)$/i, 504],
  [
    /^(invalid\w*(\.\w+)?|unsupported_\w+|bad_?request\w*|failed_precondition|out_of_range|validation\w*|content_(policy_violation|filter)|data_?inspection_?failed|missing_required_parameter|unknown_parameter|(string|array)_too_(long|short)|prompt_too_long|image_\w+|model_not_supported)$/i,
    400,
  ],
]

const statusOf = (name: unknown, overloadStatus: number): number | undefined => {
  const text = textOf(name)
  const status = text === '' ? undefined : rows.find(([pattern]) => pattern.test(text))?.[1]
  return status === overload ? overloadStatus : status
}

/** Messages of OpenAI, Anthropic, Gemini, Bedrock and compatible hosts for a prompt that is too long. */
const overflow =
  /context[_ ](length|window|size)|maximum context|max(imum)? (context|prompt) length|prompt (is|exceeds).{0,20}(too long|max length)|input (is|token count|length).{0,40}(too long|exceeds?)|input token length too long|exceed(s|ed)? (the )?(model|maximum).{0,40}(token|length)|model token limit|too many (input )?tokens|range of input length/i

/** True if an error reports a prompt beyond the context size. A limit of tokens per minute is none. */
export const isOverflow = ({ error, reason }: { readonly error: JsonObject; readonly reason: string }): boolean =>
  /context_length_exceeded|context_window_exceeded|exceed_context_size|prompt_too_long/.test(
    `${textOf(error.code)} ${textOf(error.type)}`,
  ) ||
  (overflow.test(reason) && !/per[ -]minute|rate limit|\bTPM\b/i.test(reason))

/** The HTTP status that an error object names although it came with a success, as Azure's content filter does. */
export const statusNamedIn = (json: unknown): number | undefined => {
  const error = isObject(json) && isObject(json.error) ? json.error : {}
  return statusIn(error.status) ?? statusIn(error.status_code) ?? statusIn(error.code)
}

/** HTTP status of unknown error codes: a gateway error, which does not blame the request. */
const unknownStatus = 502

/** The HTTP status of an error that came with a success. */
export const statusOfError = (json: unknown, overloadStatus: number): number => {
  const named = statusNamedIn(json) ?? failureInBaseResp(membersOf(json))?.status
  if (named !== undefined) return named
  const body = readErrorBody(json)
  const { code, type, status } = body.error
  if (isOverflow(body) || isMissingPrice(body)) return 400
  return [code, status, type].map((name) => statusOf(name, overloadStatus)).find(Boolean) ?? unknownStatus
}
