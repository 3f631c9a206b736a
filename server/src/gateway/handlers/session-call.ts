import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { PlannedCall } from '../../relay/call.ts'
import { namesInQuery } from '../../relay/named-models/model-names-in.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
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
import { failureLanguage } from '../failures/language.ts'
import type { CallMoment, CallPlans } from '../plan/call-plans.ts'
import { type ArrivedRequest, callHead } from '../request-context.ts'
import { refusedEvent, sessionFailure } from '../response/render-failure.ts'

export interface SessionCallParts {
  readonly authentication: Authentication
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly channels: Channels
  readonly plans: Pick<CallPlans, 'admitted'>
  readonly options: () => RelayOptions
  readonly clock: () => number
}

const noBody = Buffer.alloc(0)

const betaHeader = 'openai-beta'
const betaProtocol = 'openai-beta.realtime-v1'

/** Header of clients of the beta API, which ask for it in a header or among the protocols. */
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

/** The plan of a caller's sessions, by the name that the client gives the model; notes the model for the record. Throws AppError. */
export const sessionPlan = (
  { name, settings }: { readonly name: string; readonly settings: JsonObject },
  context: CallMoment,
  caller: Caller,
  { plans }: Pick<SessionCallParts, 'plans'>,
): CallPlan => {
  if (name === '') throw lacking(settings)
  return plans.admitted(context, caller, { kind: 'session', name })
}

/** The call of a session; `settings` are its settings before the client's first event. Throws AppError. */
export const sessionCall = (
  context: ArrivedRequest,
  caller: Caller,
  settings: JsonObject,
  parts: SessionCallParts,
): PlannedCall => {
  const fixed = sessionModel(settings)
  const named = new URLSearchParams(context.query).get('model') ?? ''
  if (fixed !== '' && named !== '' && fixed !== named) throw invalid(`the client secret is for ${fixed}`)
  const name = fixed || named
  const plan = sessionPlan({ name, settings }, context, caller, parts)
  const { model, options } = plan
  const { channels } = parts
  const { path, request } = context
  for (const one of namesInQuery(context.query)) if (one !== name && one !== model) checkNamed(caller, one, channels)
  const known = namedInSession(settings, { caller, own: [name, model], parts: { channels, options } })
  return {
    ...callHead(context, caller, plan),
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

/** Callbacks of a running session. Its client secret may expire meanwhile; its key may not. */
export const sessionListener = (
  context: ArrivedRequest,
  call: PlannedCall,
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
