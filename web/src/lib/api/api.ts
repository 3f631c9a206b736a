import type { Callable } from 'virtual:contract'
import type { BodyInputOf, DataOf, Envelope, ParamsOf, QueryInputOf } from '@tollgate/contract'
import type { z } from 'zod'
import { errorIn } from '../i18n.ts'
import { takeEarlyAnswer } from '../loading/early-reads.ts'
import { useApiMessages } from './api-messages.ts'
import { addressOf, callHeaders, type LooseParts } from './call-address.ts'
import { connectionStore, isFromServer, lookForServer } from './connection.ts'
import { mayRenew, renewSession } from './renew-session.ts'
import { forgetUser, storedUser } from './session.ts'
import { countCall } from './traffic.ts'

const { say } = useApiMessages

/** A call that did not succeed; `message` is ready to be shown. `status` 0 means that the server was not reached. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string
  /** Data of the refusal beside its message, e.g. reasons key by key. */
  readonly data: unknown
  constructor(message: string, facts: { code: string; status: number; requestId?: string; data?: unknown }) {
    super(message)
    this.name = 'ApiError'
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId ?? ''
    this.data = facts.data
  }
}

type Required<Key extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Key]: Value }
type Optional<Key extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Key]?: Value }

/** The parts of a call: `params`, `query` and `body`, each only if the contract has it. */
export type Parts<E> = Required<'params', ParamsOf<E>> &
  Optional<'query', QueryInputOf<E>> &
  Required<'body', BodyInputOf<E>>

/** Parts may be left out where the endpoint needs none. */
export type PartsArgument<E> =
  unknown extends Parts<E>
    ? [parts?: Record<never, never>]
    : Record<never, never> extends Parts<E>
      ? [parts?: Parts<E>]
      : [parts: Parts<E>]

type BesideOf<E> = E extends { readonly beside?: infer B } ? (B extends z.ZodType ? z.output<B> : unknown) : unknown

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

let onSignedOut = (): void => {}
/** The router registers its reaction to the end of the session. */
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener
}

const unprovedCode = 'unproved'

/** True if a call was given up by closing the question who is there; the question has said so. */
export const isGivenUp = (error: unknown): boolean => error instanceof ApiError && error.code === unprovedCode

let askForProof: (() => Promise<boolean>) | undefined
/** The console registers its identity dialog; it resolves to true once the user has confirmed. */
export const whenProofIsNeeded = (ask: (() => Promise<boolean>) | undefined): void => {
  askForProof = ask
}

/** The error behind an HTTP failure. On 401 the stored session ends, unless its user may still sign in over the page. */
export const httpError = (status: number, envelope: Partial<Envelope> | undefined): ApiError => {
  const code = envelope?.code ?? `http_${status}`
  const message = errorIn(code, envelope?.message ?? '', envelope?.params)
  const facts = { code, status, requestId: envelope?.request_id }
  if (status === 401) {
    if (!mayRenew()) {
      forgetUser()
      onSignedOut()
    }
    return new ApiError(say('expired'), facts)
  }
  if (status === 429 && (message === '' || code === 'too_many_requests' || code === 'http_429'))
    return new ApiError(say('tooMany'), facts)
  if (status === 500) return new ApiError(say('server'), facts)
  if (status === 405) return new ApiError(say('demo'), facts)
  return new ApiError(message === '' ? say('unreadable', { status }) : say('other', { message }), facts)
}

/** The error of a call that did not reach the server, or whose answer broke off. */
export const unreached = (): ApiError => new ApiError(say('network'), { code: 'network', status: 0 })

const send = async (address: string, init: RequestInit): Promise<Response> => {
  let response: Response
  try {
    const early = init.method === 'GET' ? takeEarlyAnswer(address, storedUser()?.id ?? -1) : undefined
    response = await countCall(early ?? fetch(address, init))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    connectionStore.set(false)
    throw unreached()
  }
  if (isFromServer(response)) connectionStore.set(true)
  else {
    // A proxy may have waited too long for one call only.
    await lookForServer()
    if (!connectionStore.get()) throw unreached()
  }
  return response
}

/** Payments are answered without `success`: `message` is the result, and `data` the reason of a failure. */
const asEnvelope = (value: Record<string, unknown>): Envelope | undefined => {
  if ('success' in value) return value as unknown as Envelope
  if (value.message === 'success') return { ...value, success: true, message: '' }
  const { data, ...facts } = value
  return value.message === 'error'
    ? { ...(facts as Partial<Envelope>), success: false, message: String(data) }
    : undefined
}

const readEnvelope = async (response: Response): Promise<Envelope | undefined> =>
  asEnvelope(record(await response.json().catch(() => undefined)))

/**
 * Sends a request. Where the session has ended, the user is asked to sign in over the page, and the request is sent once
 * more: with 401 the server has done nothing. Throws ApiError if there is no answer.
 */
export const sendSignedIn = async (address: string, initNow: () => RequestInit): Promise<Response> => {
  const init = initNow()
  const response = await send(address, init)
  if (response.status !== 401 || !(await renewSession(init.method === 'GET'))) return response
  init.signal?.throwIfAborted()
  return send(address, initNow())
}

/** Sends a call and returns any answer. Throws ApiError if there is none. */
export const request = (endpoint: Callable, parts: LooseParts, signal?: AbortSignal): Promise<Response> => {
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  return sendSignedIn(addressOf(endpoint.path, parts), () => ({
    method: endpoint.method,
    credentials: 'same-origin',
    headers: { ...callHeaders(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }))
}

const callOnce = async <E>(
  endpoint: Callable<E>,
  parts: LooseParts = {},
  signal?: AbortSignal,
): Promise<Envelope<DataOf<E>> & BesideOf<E>> => {
  const response = await request(endpoint, parts, signal)
  const envelope = await readEnvelope(response)
  if (!response.ok || !envelope) throw httpError(response.status, envelope)
  if (!envelope.success) {
    const code = envelope.code ?? 'refused'
    throw new ApiError(errorIn(code, envelope.message, envelope.params), {
      code,
      status: response.status,
      requestId: envelope.request_id ?? response.headers.get('x-request-id') ?? '',
      data: envelope.data,
    })
  }
  // The server checks its answers against the contract's types; parsing again would bring every schema into the page.
  return envelope as Envelope<DataOf<E>> & BesideOf<E>
}

/**
 * Makes a call and answers with the whole envelope: `data`, `message` and what stands beside them. Throws ApiError. Where
 * the server first wants proof of who is there, the person is asked and the call made again.
 */
export const callWhole = async <E>(
  endpoint: Callable<E>,
  parts: LooseParts = {},
  signal?: AbortSignal,
): Promise<Envelope<DataOf<E>> & BesideOf<E>> => {
  try {
    return await callOnce(endpoint, parts, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required' || !askForProof) throw error
    if (await askForProof()) return callOnce(endpoint, parts, signal)
    throw new ApiError(say('unproved'), { code: unprovedCode, status: error.status })
  }
}

/** Makes a call of the contract and answers with its data. `call(calls.getToken, { params: { id: 3 } })`. */
export const call = async <E>(endpoint: Callable<E>, ...[parts]: PartsArgument<E>): Promise<DataOf<E>> =>
  (await callWhole(endpoint, parts as LooseParts | undefined)).data as DataOf<E>
