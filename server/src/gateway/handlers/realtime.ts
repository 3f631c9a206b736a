import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { openaiErrors } from '../../dialects/openai-chat/errors.ts'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { RelayCall } from '../../relay/call.ts'
import { type CallFailure, failureOf } from '../../relay/failure.ts'
import type { Caller, Channels, RelayOptions } from '../../relay/ports.ts'
import type { Realtime } from '../../relay/realtime/ports.ts'
import { checkChannel, checkModel } from '../auth/admit.ts'
import type { Authentication } from '../auth/authentication.ts'
import { type KeyFinder, realtimeProtocol } from '../auth/key-of.ts'
import { meantModel } from '../auth/model-names.ts'
import { checkModelName } from '../bounds/model-name.ts'
import { failureLanguage } from '../failures/language.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { refusedEvent, sessionFailure } from '../response/render-failure.ts'
import { RealtimeSocketClient } from '../sockets/socket-client.ts'
import { arrivedRequest, isHandshake, refuseUpgrade, routedUrl } from '../sockets/upgrades.ts'

export interface RealtimeListenerParts extends GatewayPorts {
  readonly realtime: Realtime
  readonly authentication: Authentication
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly bounds: JsonBounds
  /** Keeps the process from ending before a session is over. */
  readonly track: (call: Promise<void>) => void
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly clock: () => number
}

export interface RealtimeListener {
  takes(request: IncomingMessage): boolean
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

const noBody = Buffer.alloc(0)

const betaHeader = 'openai-beta'
const betaProtocol = 'openai-beta.realtime-v1'

/** A client that asks for the beta, in a header or among the protocols, gets its events. */
const passedHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => {
  const beta = headers[betaHeader]
  if (typeof beta === 'string' && beta !== '') return { [betaHeader]: beta }
  return (headers['sec-websocket-protocol'] ?? '').includes(betaProtocol) ? { [betaHeader]: 'realtime=v1' } : {}
}

/** Listens for sessions: what refuses one does so before its connection becomes a WebSocket. */
export const createRealtimeListener = (parts: RealtimeListenerParts): RealtimeListener => {
  const { realtime, authentication, track } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: parts.maxRequestBytes,
    handleProtocols: (offered) => (offered.has(realtimeProtocol) ? realtimeProtocol : false),
  })

  const admit = (context: ArrivedRequest, caller: Caller): RelayCall => {
    const { headers } = context.request
    const name = new URLSearchParams(context.query).get('model') ?? ''
    if (name === '') throw new AppError('invalid_text_request', { params: { detail: 'model is required' } })
    checkModelName(name)
    const model = meantModel(name, caller.group, context.startedAt, parts.options())
    context.model = model
    checkModel(caller, model)
    checkChannel(caller, model, parts.channels)
    const { id, startedAt, ip, path } = context
    return {
      ...{ id, startedAt, ip, path, caller, model },
      query: parts.keys.withoutKey(context.query),
      stream: true,
      endpoint: 'realtime',
      dialect: undefined,
      raw: noBody,
      body: {},
      accept: undefined,
      passed: passedHeaders(headers),
    }
  }

  const have = async (context: ArrivedRequest, client: RealtimeSocketClient): Promise<CallFailure | undefined> => {
    const caller = await authentication.callerOf(context)
    context.caller = caller
    const { rateLimit } = parts.options()
    await authentication.rateLimited(caller, rateLimit)
    const call = admit(context, caller)
    client.whenAccepted(() => authentication.succeeded(caller, rateLimit))
    return realtime.answer(call, client, {
      printFailure(failure, refused) {
        const language = failureLanguage(context.request.headers)
        return refused === undefined
          ? sessionFailure(failure, context.id, language)
          : refusedEvent(failure, context.id, language, refused)
      },
      checkKey: async () =>
        checkModel(await authentication.callerOf({ ...context, startedAt: parts.clock() }), call.model),
    })
  }

  const serve = async (context: ArrivedRequest, socket: Duplex, head: Buffer): Promise<void> => {
    const client = new RealtimeSocketClient({ ...context, socket, head, sockets, bounds: parts.bounds })
    const failure = await have(context, client).catch(async (thrown: unknown) => {
      const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
      const why = failureOf(error)
      await authentication.noteRefusal(context, thrown, why)
      return why
    })
    if (failure === undefined || client.gone) return
    try {
      refuseUpgrade(context, client.back(), failure, openaiErrors)
    } catch (error) {
      // The failure has its record.
      parts.log('recorded_answer_unsent', { request_id: context.id, error })
      socket.destroy()
    }
  }

  return {
    takes: (request) => request.method === 'GET' && routedUrl(request).path === '/v1/realtime' && isHandshake(request),
    open(request, socket, head) {
      const context = arrivedRequest(request, parts)
      track(serve(context, socket, head))
    },
  }
}
