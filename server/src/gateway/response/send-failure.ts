import type { Dialect } from '../../dialects/dialect.ts'
import type { ClientError, ErrorFormat } from '../../dialects/errors.ts'
import { openaiErrors } from '../../dialects/openai-chat/errors.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Client } from '../../relay/call.ts'
import type { CallFailure } from '../../relay/failure.ts'
import { failureLanguage } from '../failures/language.ts'
import { listingDialect } from '../handlers/model-list.ts'
import type { RequestContext } from '../request-context.ts'
import type { Route } from '../routes.ts'
import { renderFailure } from './render-failure.ts'

/** Refusals that may pass: timeouts, conflicts, limits, a client that left. */
const passing: ReadonlySet<number> = new Set([408, 409, 423, 425, 429, 499])

/** Errors that persist until an operator acts, although their status suggests a retry. */
const lasting: ReadonlySet<unknown> = new Set([
  'api_not_implemented',
  'channels_used_up',
  'endpoint_not_served',
  'gemini_live_not_implemented',
  'limit_used_up',
  'model_mapped_error',
  'realtime_webrtc_not_implemented',
])

const isPermanent = ({ status, code }: CallFailure): boolean =>
  (status >= 400 && status < 500 && !passing.has(status)) || lasting.has(code)

const noRetry: readonly string[] = ['x-should-retry', 'false']
const nothing: readonly string[] = []

/** The header with which the clients of OpenAI and Anthropic give up at once; empty for faults that may pass. */
export const retryAdvice = (failure: CallFailure): readonly string[] => (isPermanent(failure) ? noRetry : nothing)

/** How clients of the task platforms read errors of ours. */

const codeText = ({ code }: ClientError): string => (code === null ? '' : String(code))

const drawingErrors: ErrorFormat = {
  body: (error, message) => ({ code: 4, description: `${codeText(error)} ${message}`, type: 'upstream_error' }),
  event: dataEvent,
}

const songErrors: ErrorFormat = {
  body: (error, message) => ({ code: codeText(error), message, data: null }),
  event: dataEvent,
}

export interface FailureParts {
  /** The dialects that clients may speak. */
  readonly dialects: readonly Dialect[]
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Tells clients why they get no answer. */
export interface FailureSender {
  /** A failure in the format and the language of its client. */
  print(context: RequestContext, failure: CallFailure): string
  /** Sends it, as an answer or as the last event of a stream that has begun. */
  send(context: RequestContext, failure: CallFailure): void
  /** For calls that have their record: what goes wrong while sending is logged, never recorded, and breaks the connection. */
  afterRecord(context: RequestContext, send: () => void): void
}

/** Headers of a JSON answer, names and values alternating; `more` follows them. */
export const jsonHead = (body: string | Buffer, more: readonly string[] = []): string[] => [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(Buffer.byteLength(body)),
  ...more,
]

/** Sends a whole JSON answer. */
export const sendJson = (client: Client, status: number, body: string | Buffer, more?: readonly string[]): void => {
  client.head(status, jsonHead(body, more))
  client.end(body)
}

const retryAfter = ({ retryAfter }: CallFailure): string[] =>
  retryAfter === undefined ? [] : ['Retry-After', retryAfter]

/** A status of 426 must name a protocol that the address does take (RFC 9110, 15.5.22). */
const upgradeHeader = ({ status, code }: CallFailure): string[] => {
  if (status !== 426) return []
  return ['Upgrade', code === 'upgrade_required' ? 'websocket' : 'HTTP/1.1']
}

/** Headers about retries, names and values alternating. */
const failureHead = (failure: CallFailure): string[] => [
  ...retryAfter(failure),
  ...upgradeHeader(failure),
  ...retryAdvice(failure),
]

const isSpeech = (route: Route): boolean => route.kind === 'relay' && route.endpoint === 'speech'

export const createFailureSender = ({ dialects, log }: FailureParts): FailureSender => {
  /** The format that the client of this request reads. */
  const errorsOf = ({ route, request }: RequestContext): ErrorFormat => {
    // The same paths are those of several APIs.
    if (route.kind === 'passthrough')
      return dialects.find(({ modelList }) => modelList?.isAskedFor(request.headers))?.errors ?? route.errors
    if ('errors' in route) return route.errors
    if (route.kind === 'count') return route.dialect.errors
    if (route.kind === 'drawing') return drawingErrors
    if (route.kind === 'song') return songErrors
    if (route.kind !== 'models' && route.kind !== 'model') return openaiErrors
    return listingDialect(route.dialect, request.headers, dialects)?.errors ?? openaiErrors
  }

  const print = (context: RequestContext, failure: CallFailure): string =>
    renderFailure(failure, errorsOf(context), context.id, failureLanguage(context.request.headers))

  return {
    print,

    send(context, failure) {
      const { client, route, request } = context
      if (client.gone) return
      const body = failure.printed ?? print(context, failure)
      if (client.begun && failure.passed) client.end()
      // Half a sound must not look like a whole one.
      else if (client.begun && isSpeech(route)) request.socket.destroy()
      else if (client.begun) client.end(errorsOf(context).event(body))
      else sendJson(client, failure.status, body, failureHead(failure))
    },

    afterRecord(context, send) {
      try {
        send()
      } catch (error) {
        log('recorded_answer_unsent', { request_id: context.id, error })
        context.client.abandon()
      }
    },
  }
}
