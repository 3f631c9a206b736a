import { randomUUID } from 'node:crypto'
import type { RelayCall } from '../call.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import type { RelayChannel } from '../ports.ts'
import { ask, type Question } from '../upstream/ask.ts'
import { headerText } from '../upstream/upstream.ts'
import { type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import type { RealtimeParts, WebCall } from './ports.ts'
import { withSessionModel } from './session-settings.ts'

export interface WebCallRequest {
  readonly call: RelayCall
  readonly channel: RelayChannel
  readonly key: string
  /** As the channel knows it. */
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

const questionAt = (path: string, request: WebCallRequest, parts: RealtimeParts): Question => {
  const { call, channel, key, model } = request
  const { provider } = channel
  const providerCall = {
    ...{ channel, key, path, query: '', model, origin: call.model, stream: false, passed: call.passed },
    defaultApiVersion: parts.limits.defaultApiVersion,
    options: parts.options().models,
  }
  const headers = withHeaderOverride({ ...provider.headers(providerCall), ...call.passed }, channel, key)
  return { method: 'POST', url: provider.url(providerCall), headers, proxy: channel.proxy, timeoutMs, maxBytes }
}

/** Gives a channel the client's offer. Rejects when the network fails. */
export const placeCall = async (request: WebCallRequest, parts: RealtimeParts): Promise<PlacedCall> => {
  const { channel, key } = request
  const question = questionAt(callPath, request, parts)
  const { body, contentType } = formOf(request)
  const headers = { ...question.headers, accept: 'application/sdp', 'content-type': contentType }
  const answer = await ask(parts.upstream, { ...question, headers, body })
  const [, id] = callId.exec(headerText(answer.headers, 'location')) ?? []
  const hangUp = (callName: string): void => {
    ask(parts.upstream, questionAt(`${callPath}/${callName}/hangup`, request, parts)).catch(() => {})
  }
  if (answer.status < 300 && id !== undefined) return { id, sdp: answer.text, hangUp: () => hangUp(id) }
  // A call without a name can be neither followed nor ended, so its answer is not passed on.
  const refused = {
    status: answer.status < 300 ? 502 : answer.status,
    body: Buffer.from(answer.status < 300 ? '' : answer.text),
    retryAfter: answer.retryAfter,
    native: true,
  }
  return { refusal: refusalOf(refused, channel, key), requestId: headerText(answer.headers, 'x-request-id') }
}
