import { type ErrorCode, errors, errorText } from '@tollgate/contract'
import { defined, isObject, type JsonObject, objectsOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { headerValue } from '../../lib/header-value.ts'
import { type CallFailure, type ErrorSentence, failureOf } from '../failure.ts'
import type { RelayChannel, UpstreamFailure } from '../ports.ts'
import { type ErrorBody, readErrorBody } from './error-body.ts'
import { isMissingPrice, missingPrice } from './missing-price.ts'
import { redact, withoutAccounts } from './redact.ts'
import { isOverflow } from './status-of-code.ts'

/** One refusal: `failure` for the channel's health and the log, `answer` for the client if no other channel answers. */
export interface Refusal {
  readonly failure: UpstreamFailure
  readonly answer: CallFailure
  /** Decides about a retry. */
  readonly status: number
  /** True if the same channel may answer a second attempt. */
  readonly mayAskAgain?: true
}

const shownBytes = 500

/** Details of a Google error that imply a status and a header (google.rpc.ErrorInfo, RetryInfo). */
interface GoogleHints {
  /** A wrong key comes as a bad request. */
  readonly status?: number
  /** Seconds, as in `Retry-After`. */
  readonly retryAfter?: string
}

const seconds = (delay: string): string | undefined => {
  const [, number] = /^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []
  return number === undefined ? undefined : String(Math.ceil(Number(number)))
}

const googleHints = (error: JsonObject): GoogleHints => {
  const details = objectsOf(error.details)
  const of = (name: string): JsonObject =>
    details.find((detail) => textOf(detail['@type']).endsWith(`google.rpc.${name}`)) ?? {}
  const retryAfter = seconds(textOf(of('RetryInfo').retryDelay))
  return {
    ...(of('ErrorInfo').reason === 'API_KEY_INVALID' ? { status: 401 } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

/** True for statuses without a body, and interim ones after which clients wait: the error would be lost. */
const carriesNoError = (status: number): boolean => status < 200 || [204, 205, 304].includes(status)
const tellable = (status: number): number => (carriesNoError(status) || status > 999 ? 502 : status)

/** `code` and `param` of an error are printed again: objects, which may be of any depth, count as absent. */
const scalar = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

/** True for a refusal of the content, for which some providers use 403, too; the client gets it. */
const isAboutContent = (error: JsonObject): boolean =>
  isObject(error.metadata) && ('reasons' in error.metadata || 'flagged_input' in error.metadata)

/** True if the provider refuses the channel's credentials or their permissions, which is hidden from the client. */
const concernsOperator = (status: number, error: JsonObject): boolean =>
  status === 401 || (status === 403 && !isAboutContent(error))

/** Error for the client in place of one of the operator's account; a mapped status is kept. */
const operatorsFault = (mapped: number, cause: string): CallFailure => {
  const failure = failureOf(new AppError('credentials_failed'))
  const status = mapped === 401 || mapped === 403 ? failure.status : tellable(mapped)
  return { ...failure, status, type: 'upstream_error', cause }
}

/** An error object of an upstream as bytes; objects too deep to be printed become an error without a reason. */
export const bodyOfError = (json: unknown): Buffer => {
  try {
    return Buffer.from(JSON.stringify(json))
  } catch {
    return Buffer.from('{}')
  }
}

/** UTF-16 units; larger ones are not forwarded. */
const longestFields = 8192

/** Refusals for limits and for the account, which are the operator's. */
const concernsAccount = (status: number): boolean => [401, 402, 403, 429].includes(status)

/** Sizes that clients of any dialect get. */
const sizesIn = ({ n_prompt_tokens, n_ctx }: JsonObject): JsonObject | undefined =>
  n_ctx === undefined ? undefined : { n_prompt_tokens, n_ctx }

/** Other members of an error object; undefined for none, and for those that are too large or too deep to print. */
const fieldsOf = (error: JsonObject, clean: (text: string) => string): JsonObject | undefined => {
  const { message: _message, type: _type, code: _code, param: _param, ...fields } = error
  if (Object.keys(fields).length === 0) return undefined
  const printed = bodyOfError(fields).toString()
  if (printed.length > longestFields) return undefined
  const read = parsedJson(clean(printed))
  return isObject(read) ? read : undefined
}

/** OpenAI's code for prompts beyond the context size. */
const overflowCode = 'context_length_exceeded'

interface Refused {
  readonly status: number
  readonly body: Buffer
  readonly retryAfter: string | undefined
  /** True if the client speaks the upstream's dialect: it then gets the original status, others the equivalent one. */
  readonly native?: boolean
  /** True for an error within an answer that began as a success. */
  readonly inAnswer?: boolean
  /** As in `Refusal`. */
  readonly mayAskAgain?: true | undefined
  /** The model as the client named it; absent where errors of gateways behind this one stay as they are. */
  readonly model?: string
  /** The status of an overload in the client's dialect; 503 when absent. */
  readonly overloadStatus?: number | undefined
}

/** Statuses of an overload: Anthropic has one of its own. */
const overloads: ReadonlySet<number> = new Set([503, 529])

/** Status with which a gateway reports a missing price; within a success it has none of its own. */
const missingPriceStatus = 500

/** True for the only error of this status that a retry never fixes. */
const lacksPrice = ({ status, inAnswer }: Refused, mapped: number, body: ErrorBody): boolean =>
  (inAnswer === true || (status === missingPriceStatus && mapped === missingPriceStatus)) && isMissingPrice(body)

/** The status for the client: native ones stay, and an overload has that of the client's dialect. */
const statusForClient = (status: number, { native, overloadStatus = 503 }: Refused): number =>
  tellable(!native && overloads.has(status) ? overloadStatus : status)

/** Time to retry in the text of OpenAI's limits, in streams and elsewhere. */
const wait = /(?:try again|retry|wait) (?:in|after) (?:(\d+)m)?(\d+(?:\.\d+)?)(ms|s\b|sec)/i

const waitIn = ({ retry_after: stated }: JsonObject, reason: string): string | undefined => {
  if (typeof stated === 'number' && stated > 0) return String(Math.ceil(stated))
  const [, minutes = '0', number, unit] = wait.exec(reason) ?? []
  if (number === undefined) return undefined
  return String(Math.ceil(Number(minutes) * 60 + Number(number) / (unit === 'ms' ? 1000 : 1)))
}

/** Code of an error; a status name is one, and clients compare codes with texts. */
const codeOf = (error: JsonObject, native: boolean | undefined): string | number | boolean | null => {
  const code = scalar(error.code)
  const name = textOf(error.status)
  return !native && typeof code === 'number' && name !== '' ? name : code
}

/** A refusal in JSON, in HTML or without a body, with the channel's status mapping applied and secrets cut out. */
export const refusalOf = (upstream: Refused, channel: RelayChannel, key: string): Refusal => {
  const json = parsedJson(upstream.body.toString())
  const body = readErrorBody(json)
  const { error, reason, isStated: stated } = body
  const hints = googleHints(error)
  const meant = hints.status ?? upstream.status
  const wanted = upstream.retryAfter ?? hints.retryAfter ?? (meant === 429 ? waitIn(error, reason) : undefined)
  const retryAfter = wanted === undefined ? undefined : headerValue(wanted)
  const mapped = (original: number): number => channel.statusCodeMapping.get(original) ?? original
  const status = mapped(meant)
  const secrets = { key, baseUrl: channel.baseUrl }
  const withoutReason: ErrorSentence = { code: 'bad_response_status_code', params: { status: upstream.status } }
  const clean = (text: string): string => withoutAccounts(redact(text, secrets), channel.organization)
  const message = reason === '' ? errorText(withoutReason.code, 'zh', withoutReason.params) : clean(reason)
  const fields = stated && !concernsAccount(meant) ? fieldsOf(error, clean) : undefined
  const upstreamFields = upstream.native ? fields : fields && sizesIn(fields)
  const isTooLong = (status === 400 || status === 413) && isOverflow(body)
  const type = stated ? textOf(error.type) || 'upstream_error' : 'upstream_error'
  const statedCode = stated ? codeOf(error, upstream.native) : 'bad_response_status_code'
  // OpenAI's clients and agents shorten a conversation by this code.
  const code = isTooLong ? overflowCode : statedCode
  const shown = redact(upstream.body.toString('utf8', 0, shownBytes), secrets)
  const cause = `upstream status ${upstream.status}${shown === '' ? '' : `: ${shown}`}`
  const priceless = upstream.model !== undefined && lacksPrice(upstream, status, body)
  // Another channel may have a price.
  const retried = priceless ? missingPriceStatus : status
  return {
    status: retried,
    ...defined({ mayAskAgain: upstream.mayAskAgain }),
    failure: {
      status: retried,
      type,
      code: code === null ? '' : String(code),
      message,
      cause,
      retryAfter,
      ...(upstream.inAnswer ? { inAnswer: true as const } : {}),
    },
    answer: concernsOperator(meant, error)
      ? operatorsFault(status, cause)
      : priceless
        ? missingPrice(upstream.model ?? '', cause)
        : {
            status: statusForClient(upstream.native ? mapped(upstream.status) : status, upstream),
            type,
            code,
            message,
            ...(reason === '' ? { sentence: withoutReason } : {}),
            param: stated ? scalar(error.param) : String(upstream.status),
            ...(upstreamFields === undefined ? {} : { upstreamFields }),
            retryAfter,
            cause,
            early: false,
          },
  }
}

/** No usable response: connection failed, timeout, or invalid bytes. */
interface Unanswered {
  readonly code: ErrorCode
  /** For the operator. */
  readonly cause: string
  /** The status of the response, 0 where none came. */
  readonly status: number
}

/** Refusal for an attempt without a usable response, with secrets cut out of its cause. */
export const noAnswer = ({ code, cause, status }: Unanswered, channel: RelayChannel, key: string): Refusal => {
  const shown = redact(cause, { key, baseUrl: channel.baseUrl })
  const answer = { ...failureOf(new AppError(code)), type: 'upstream_error', cause: shown }
  const { type, message, sentence } = answer
  return { failure: { status, type, code, message, sentence, cause: shown }, answer, status: errors[code].status }
}
