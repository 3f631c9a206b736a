import { isObject, type JsonObject, membersOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { resumedHandle, withResumedHandle } from '../../dialects/gemini/live/live-token.ts'
import { isMusicPath } from '../../dialects/gemini/paths.ts'
import { AppError } from '../../lib/app-error.ts'
import type { PlannedCall } from '../../relay/call.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import { liveProtocol } from '../../relay/realtime/live/live-protocol.ts'
import { musicProtocol } from '../../relay/realtime/live/music-protocol.ts'
import type { SessionHandles } from '../../relay/realtime/live/session-handles.ts'
import type { SessionListener } from '../../relay/realtime/ports.ts'
import type { StoredResponses } from '../../relay/routing/stored-responses.ts'
import { costAskedBy } from '../auth/cost-asked.ts'
import { namedInSession, openSessionFence } from '../auth/fence-session.ts'
import type { LiveTokenUse } from '../auth/live-tokens.ts'
import { failureLanguage } from '../failures/language.ts'
import { type ArrivedRequest, callHead } from '../request-context.ts'
import { closeReason } from '../response/render-failure.ts'
import { type SessionCallParts, sessionPlan } from './session-call.ts'

const noBody = Buffer.alloc(0)

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** The setup in the first message of a client (ai.google.dev/api/live, BidiGenerateContentSetup). Throws AppError. */
export const setupIn = (message: string): JsonObject => {
  const { setup } = membersOf(parsedJson(message))
  if (!isObject(setup)) throw invalid('the first message must be the setup')
  return setup
}

/** `models/gemini-live`, or Vertex's whole name → the model's name as channels have it. */
export const liveModelIn = ({ model }: JsonObject): string => textOf(model).replace(/^(.*\/)?models\//, '')

export interface LiveCallParts extends SessionCallParts {
  readonly sessionHandles: SessionHandles
  readonly storedResponses: Pick<StoredResponses, 'keyHashOf'>
}

/** Setup and channel of a session. A resumed one goes to the account that stores it, with the handle that this account issued. Throws AppError. */
const resumption = (
  setup: JsonObject,
  caller: Caller,
  model: string,
  { sessionHandles, channels, storedResponses }: LiveCallParts,
): Pick<PlannedCall, 'body' | 'place'> => {
  const handle = resumedHandle(setup)
  if (handle === undefined) return { body: setup }
  const kept = sessionHandles.opened(handle, caller)
  if (kept === undefined) throw invalid('sessionResumption.handle is none of a session of this API key')
  if (kept.model !== model) throw invalid(`the session that goes on is one of ${kept.model}`)
  const channel = channels.snapshot().byId(kept.channelId)
  const key = channel?.keys.find((candidate) => storedResponses.keyHashOf(candidate) === kept.keyHash)
  if (channel === undefined || key === undefined) throw invalid('the session cannot go on: its channel is gone')
  return { body: withResumedHandle(setup, kept.handle), place: { channel, key } }
}

/** The call of a session; `setup` is its client's first message. Throws AppError. */
export const liveCall = (
  context: ArrivedRequest,
  caller: Caller,
  setup: JsonObject,
  parts: LiveCallParts,
): PlannedCall => {
  const name = liveModelIn(setup)
  const plan = sessionPlan({ name, settings: {} }, context, caller, parts)
  const { model, options } = plan
  const known = namedInSession(setup, { caller, own: [name, model], parts: { channels: parts.channels, options } })
  return {
    ...resumption(setup, caller, model, parts),
    ...callHead(context, caller, plan),
    path: context.path,
    query: '',
    stream: true,
    endpoint: 'live',
    dialect: undefined,
    raw: noBody,
    ...(known.length === 0 ? undefined : { named: known }),
    accept: undefined,
    costAsked: costAskedBy(context, caller),
    passed: {},
  }
}

/** Close code for a failure, as Google's own closes use them. */
export const closeCodeOf = ({ status, code }: CallFailure): number => {
  if (code === 'shutting_down') return 1001
  if (code === 'bodies_full') return 1013
  if (status === 413) return 1009
  if (status >= 500) return 1011
  return [401, 402, 403, 429].includes(status) ? 1008 : 1007
}

/** Callbacks of a running Gemini Live session. The only place for an error message is the reason of its close. */
export const liveListener = (
  context: ArrivedRequest,
  call: PlannedCall,
  token: LiveTokenUse | undefined,
  parts: LiveCallParts,
): SessionListener => {
  const fence = openSessionFence(call, parts)
  return {
    refusalOf: fence.refusalOf,
    models: fence.models,
    protocol: isMusicPath(context.path) ? musicProtocol : liveProtocol,
    farewell: (failure) => ({ reason: closeReason(failure, context.id, failureLanguage(context.request.headers)) }),
    refusedEvent: () => '',
    forClient(message, event, { channelId, key }) {
      if (event.sessionResumptionUpdate === undefined) return message
      const { model, caller } = call
      const { tokenId, userId } = caller
      const { sessionHandles, storedResponses } = parts
      return sessionHandles.outward(message, event, {
        tokenId,
        userId,
        channelId,
        model,
        keyHash: storedResponses.keyHashOf(key),
      })
    },
    async checkKey() {
      const { authentication, clock } = parts
      const now = clock()
      token?.checkLife(now)
      fence.renew(await authentication.callerOf({ ...context, startedAt: now }, token?.sent))
    },
  }
}
