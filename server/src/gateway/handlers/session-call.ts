import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../../relay/call.ts'
import { namesInQuery } from '../../relay/named-models/names-in-query.ts'
import type { Caller, Channels, RelayOptions } from '../../relay/ports.ts'
import { openaiProtocol } from '../../relay/realtime/openai-protocol.ts'
import type { SessionListener } from '../../relay/realtime/ports.ts'
import { sessionModel } from '../../relay/realtime/session-settings.ts'
import type { Authentication } from '../auth/authentication.ts'
import type { SecretUse } from '../auth/client-secrets.ts'
import { costAskedBy } from '../auth/cost-asked.ts'
import { checkNamed } from '../auth/fence-names.ts'
import { namedInSession, openSessionFence } from '../auth/fence-session.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { checkChannel, checkModel, checkNotVirtual } from '../auth/model-checks.ts'
import { meantModel } from '../auth/model-names.ts'
import { checkModelName } from '../bounds/model-name.ts'
import { failureLanguage } from '../failures/language.ts'
import { type ArrivedRequest, callHead } from '../request-context.ts'
import { refusedEvent, sessionFailure } from '../response/render-failure.ts'

export interface SessionCallParts {
  readonly authentication: Authentication
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly clock: () => number
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

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const lacking = (settings: JsonObject): AppError =>
  invalid(
    settings.type === 'transcription'
      ? 'model is required: name the model that transcribes, as in ?intent=transcription&model=…, or use a client secret'
      : 'model is required',
  )

/** A model that the caller may use, by the name that the client gives it; notes it for the record. Throws AppError. */
export const meantSessionModel = (
  { name, settings }: { readonly name: string; readonly settings: JsonObject },
  context: Pick<ArrivedRequest, 'startedAt' | 'model'>,
  caller: Caller,
  parts: Pick<SessionCallParts, 'channels' | 'options'>,
): string => {
  if (name === '') throw lacking(settings)
  checkModelName(name)
  const model = meantModel(name, caller.group, context.startedAt, parts.options())
  context.model = model
  checkModel(caller, model)
  checkNotVirtual(caller, model, parts.channels)
  checkChannel(caller, model, parts.channels)
  return model
}

/** The call of a session; `settings` are what it is to be before its client says anything. Throws AppError. */
export const sessionCall = (
  context: ArrivedRequest,
  caller: Caller,
  settings: JsonObject,
  parts: SessionCallParts,
): RelayCall => {
  const fixed = sessionModel(settings)
  const named = new URLSearchParams(context.query).get('model') ?? ''
  if (fixed !== '' && named !== '' && fixed !== named) throw invalid(`the client secret is for ${fixed}`)
  const name = fixed || named
  const model = meantSessionModel({ name, settings }, context, caller, parts)
  const { path, request } = context
  for (const one of namesInQuery(context.query))
    if (one !== name && one !== model) checkNamed(caller, one, parts.channels)
  const known = namedInSession(settings, { caller, own: [name, model], parts })
  return {
    ...callHead(context, caller, { model, asked: name }),
    path,
    query: parts.keys.withoutKey(context.query),
    stream: true,
    endpoint: 'realtime',
    dialect: undefined,
    raw: noBody,
    body: settings,
    ...(known.length === 0 ? undefined : { named: known }),
    accept: undefined,
    costAsked: costAskedBy(context, caller),
    passed: passedHeaders(request.headers),
  }
}

/** What a session asks of the gateway while it runs. A client secret may end meanwhile; its key may not. */
export const sessionListener = (
  context: ArrivedRequest,
  call: RelayCall,
  secret: SecretUse | undefined,
  parts: Pick<SessionCallParts, 'authentication' | 'clock' | 'channels' | 'options'>,
): SessionListener => {
  const fence = openSessionFence(call, parts)
  const language = failureLanguage(context.request.headers)
  return {
    protocol: openaiProtocol,
    refusalOf: fence.refusalOf,
    models: fence.models,
    farewell: (failure) => ({ last: sessionFailure(failure, context.id, language) }),
    refusedEvent: (failure, refused) => refusedEvent(failure, context.id, language, refused),
    checkKey: async () => {
      const { authentication, clock } = parts
      fence.renew(await authentication.callerOf({ ...context, startedAt: clock() }, secret?.sent))
    },
  }
}
