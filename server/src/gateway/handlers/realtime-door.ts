import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { openaiErrors } from '../../dialects/openai-chat/errors.ts'
import { AppError } from '../../lib/app-error.ts'
import { newRequestId } from '../../lib/ids.ts'
import type { RelayCall } from '../../relay/call.ts'
import { type CallFailure, failureOf } from '../../relay/failure.ts'
import type { Caller, Channels, RelayOptions } from '../../relay/ports.ts'
import type { Realtime } from '../../relay/realtime/ports.ts'
import { checkChannel, checkModel, withoutKey } from '../auth/admit.ts'
import { realtimeProtocol } from '../auth/key-of.ts'
import { checkModelName } from '../bounds/model-name.ts'
import type { Entrance } from '../entrance.ts'
import { failureLanguage } from '../failures/language.ts'
import { retryAdvice } from '../failures/permanent.ts'
import type { DoorParts } from '../ports.ts'
import { renderFailure, sessionFailure } from '../response/render-failure.ts'
import { ResponseClient } from '../response/response-client.ts'
import type { UnderWay } from '../under-way.ts'
import type { Visit } from '../visit.ts'
import { RealtimeCaller } from './realtime-caller.ts'

export interface RealtimeDoorParts extends DoorParts {
  readonly realtime: Realtime
  readonly entrance: Entrance
  readonly underWay: UnderWay
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly clock: () => number
}

export interface RealtimeDoor {
  takes(request: IncomingMessage): boolean
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

type Visitor = Omit<Visit, 'client' | 'route'>

const noBody = Buffer.alloc(0)

const split = (url: string): { path: string; query: string } => {
  const mark = url.indexOf('?')
  const asked = mark < 0 ? url : url.slice(0, mark)
  return { path: asked.endsWith('/') ? asked.slice(0, -1) : asked, query: mark < 0 ? '' : url.slice(mark) }
}

/** As RFC 6455 wants it (§4.1). */
const isHandshake = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')

const betaHeader = 'openai-beta'
const betaProtocol = 'openai-beta.realtime-v1'

/** Who asks for the beta, in a header or among the protocols, hears its events. */
const passedHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => {
  const asked = headers[betaHeader]
  if (typeof asked === 'string' && asked !== '') return { [betaHeader]: asked }
  return (headers['sec-websocket-protocol'] ?? '').includes(betaProtocol) ? { [betaHeader]: 'realtime=v1' } : {}
}

/** The door of sessions: what refuses one does so before its connection becomes a WebSocket. */
export const createRealtimeDoor = (parts: RealtimeDoorParts): RealtimeDoor => {
  const { realtime, entrance, underWay } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: parts.maxRequestBytes,
    handleProtocols: (offered) => (offered.has(realtimeProtocol) ? realtimeProtocol : false),
  })

  const refuse = (visit: Visitor, socket: Duplex, failure: CallFailure): void => {
    const { request, id } = visit
    const body = renderFailure(failure, openaiErrors, id, failureLanguage(request.headers))
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => socket.end())
    const client = new ResponseClient(response, id)
    const { retryAfter } = failure
    const more = retryAfter === undefined ? [] : ['Retry-After', retryAfter]
    const length = String(Buffer.byteLength(body))
    client.head(failure.status, [
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      length,
      ...more,
      ...retryAdvice(failure),
    ])
    client.end(body)
  }

  const admit = (visit: Visitor, caller: Caller): RelayCall => {
    const { headers } = visit.request
    const model = new URLSearchParams(visit.query).get('model') ?? ''
    if (model === '') throw new AppError('invalid_text_request', { params: { detail: 'model is required' } })
    checkModelName(model)
    visit.model = model
    checkModel(caller, model)
    checkChannel(caller, model, parts.channels)
    const { id, startedAt, ip, path } = visit
    return {
      ...{ id, startedAt, ip, path, caller, model },
      query: withoutKey(visit.query),
      stream: true,
      endpoint: 'realtime',
      dialect: undefined,
      raw: noBody,
      body: {},
      accept: undefined,
      passed: passedHeaders(headers),
    }
  }

  const have = async (visit: Visitor, client: RealtimeCaller): Promise<CallFailure | undefined> => {
    const caller = await entrance.callerOf(visit)
    visit.caller = caller
    const { rateLimit } = parts.options()
    await entrance.rateLimited(caller, rateLimit)
    const call = admit(visit, caller)
    client.whenAccepted(() => entrance.succeeded(caller, rateLimit))
    return realtime.answer(call, client, {
      printFailure: (failure) => sessionFailure(failure, visit.id, failureLanguage(visit.request.headers)),
      checkKey: async () => checkModel(await entrance.callerOf({ ...visit, startedAt: parts.clock() }), call.model),
    })
  }

  const serve = async (visit: Visitor, socket: Duplex, head: Buffer): Promise<void> => {
    const client = new RealtimeCaller({ ...visit, socket, head, sockets })
    const failure = await have(visit, client).catch(async (thrown: unknown) => {
      const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
      const why = failureOf(error)
      await entrance.noteRefusal(visit, thrown, why)
      return why
    })
    if (failure === undefined || client.gone) return
    try {
      refuse(visit, client.back(), failure)
    } catch (error) {
      // The failure has its record.
      parts.log('recorded_answer_unsent', { request_id: visit.id, error })
      socket.destroy()
    }
  }

  return {
    takes: (request) =>
      request.method === 'GET' && split(request.url ?? '').path === '/v1/realtime' && isHandshake(request),
    open(request, socket, head) {
      const visit = {
        id: newRequestId(),
        startedAt: parts.clock(),
        request,
        ...split(request.url ?? ''),
        ip: parts.clientAddress(request),
        caller: undefined,
        model: '',
        stream: true,
      }
      underWay.add(serve(visit, socket, head))
    },
  }
}
