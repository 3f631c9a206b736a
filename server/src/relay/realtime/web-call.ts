import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelOptions } from '../../providers/provider.ts'
import type { PlannedCall } from '../call.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import type { RelayChannel } from '../ports.ts'
import { ask, type Question } from '../upstream/ask.ts'
import { headerText } from '../upstream/upstream.ts'
import { type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import type { RealtimeParts, WebCall } from './ports.ts'
import { withSessionModel } from './session-settings.ts'

export interface WebCallRequest {
  readonly call: PlannedCall
  readonly channel: RelayChannel
  readonly key: string
  /** The model under the channel's name for it. */
  readonly model: string
  readonly offer: string
}

export type PlacedCall = WebCall | { readonly refusal: Refusal; readonly requestId: string }

const callPath = '/v1/realtime/calls'
const maxBytes = 256 * 1024
const timeoutMs = 30_000
const callId = /\/calls\/([\w-]{1,200})(?:[/?]|$)/

const formOf = ({ call, model, offer }: WebCallRequest) => {
  const boundary = `tollgate-${randomUUID()}`
  const part = (name: string, type: string, text: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`
  const session = JSON.stringify({ type: 'realtime', ...withSessionModel(call.body, model) })
  const body = `${part('sdp', 'application/sdp', offer)}${part('session', 'application/json', session)}--${boundary}--\r\n`
  return { body: Buffer.from(body), contentType: `multipart/form-data; boundary=${boundary}` }
}

/** The account with which a call is placed or ended. */
export interface WebCallPlace {
  readonly channel: RelayChannel
  readonly key: string
  /** The channel's name of the model; empty where only the call matters. */
  readonly model: string
  /** Forwarded headers of the client. */
  readonly passed: Readonly<Record<string, string>>
  readonly options: ModelOptions
}

export type WebCallParts = Pick<RealtimeParts, 'upstream' | 'limits' | 'storedResponses'>

const placeOf = ({ channel, key, model, call }: WebCallRequest): WebCallPlace => ({
  channel,
  key,
  model,
  passed: call.passed,
  options: call.plan.options.models,
})

const questionAt = (path: string, place: WebCallPlace, parts: WebCallParts): Question => {
  const { channel, key, model, passed, options } = place
  const { provider } = channel
  const providerCall = {
    channel,
    key,
    path,
    query: '',
    model,
    origin: model,
    stream: false,
    passed,
    defaultApiVersion: parts.limits.defaultApiVersion,
    options,
  }
  const headers = withHeaderOverride({ ...provider.headers(providerCall), ...passed }, channel, key)
  return { method: 'POST', url: provider.url(providerCall), headers, proxy: channel.proxy, timeoutMs, maxBytes }
}

/** True for the status of an ended call, which is not found any more. */
const isOver = (status: number): boolean => status < 300 || status === 404 || status === 410

/** Asks a provider to end a call. Returns the error, undefined when the call has ended. Never rejects. */
export const hangUpOnce = async (
  callName: string,
  place: WebCallPlace,
  parts: WebCallParts,
): Promise<string | undefined> => {
  try {
    const { status } = await ask(parts.upstream, questionAt(`${callPath}/${callName}/hangup`, place, parts))
    return isOver(status) ? undefined : `status ${status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Milliseconds between attempts to end a call; a call lasts an hour at most. */
const usualPauses = [1000, 5000, 15_000, 60_000, 300_000]

/** Repeats attempts to end a call. Returns the last error, undefined when the call has ended. */
export const untilOver = async (
  attempt: () => Promise<string | undefined>,
  pauses: readonly number[] = usualPauses,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  for (const pause of [...pauses, undefined]) {
    const reason = await attempt()
    if (reason === undefined || pause === undefined || signal?.aborted) return reason
    await sleep(pause, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => {})
  }
  return undefined
}

/**
 * Ends a call at its provider, in the background: the sound of an unfollowed call would continue unbilled, whatever broke the connection
 * to its events.
 */
const hangUp = async (callName: string, request: WebCallRequest, parts: RealtimeParts): Promise<void> => {
  const { channel, call } = request
  const place = placeOf(request)
  const reason = await untilOver(() => hangUpOnce(callName, place, parts), parts.hangUpPauses)
  if (reason !== undefined) parts.log('web_call_goes_on', { request_id: call.id, channel: channel.id, reason })
}

/** Sends the client's offer to a channel. Rejects when the network fails. */
export const placeCall = async (request: WebCallRequest, parts: RealtimeParts): Promise<PlacedCall> => {
  const { channel, key, call } = request
  const question = questionAt(callPath, placeOf(request), parts)
  const { body, contentType } = formOf(request)
  const headers = { ...question.headers, accept: 'application/sdp', 'content-type': contentType }
  const answer = await ask(parts.upstream, { ...question, headers, body })
  const [, id] = callId.exec(headerText(answer.headers, 'location')) ?? []
  if (answer.status < 300 && id !== undefined) {
    return { id, sdp: answer.text, hangUp: () => void hangUp(id, request, parts) }
  }
  // A call without a name can be neither followed nor ended, so its answer is not forwarded.
  const refused = {
    status: answer.status < 300 ? 502 : answer.status,
    body: Buffer.from(answer.status < 300 ? '' : answer.text),
    retryAfter: answer.retryAfter,
    native: true,
    model: call.model,
  }
  return { refusal: refusalOf(refused, channel, key), requestId: headerText(answer.headers, 'x-request-id') }
}
