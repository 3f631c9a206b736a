import { parseObject } from '@tollgate/contract/json'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { formParts } from '../../relay/forms/form-parts.ts'
import type { Realtime } from '../../relay/realtime/ports.ts'
import type { ClientSecrets } from '../auth/client-secrets.ts'
import type { RequestContext } from '../request-context.ts'
import { CallClient } from '../sockets/call-client.ts'
import type { Handler, HandlerParts, RouteOf } from './handler.ts'
import { type SessionCallParts, sessionCall, sessionListener } from './session-call.ts'

export interface RealtimeCallParts extends HandlerParts, SessionCallParts {
  readonly realtime: Realtime
  readonly clientSecrets: ClientSecrets
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string
}

/** Bytes; offers of browsers have a few thousand. */
const longestOffer = 64 * 1024

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

interface Offer {
  readonly sdp: string
  readonly session: JsonObject
}

/** A bare offer, or a form with the offer and the session (platform.openai.com/docs/guides/realtime-webrtc). */
const offerIn = (bytes: Buffer, contentType: string): Offer => {
  if (bytes.length > longestOffer) throw invalid('the offer is too long')
  if (!/^multipart\/form-data\b/i.test(contentType)) return { sdp: bytes.toString(), session: {} }
  const parts = formParts(bytes, contentType) ?? []
  const textOf = (wanted: string): string => {
    const part = parts.find(({ name }) => name === wanted)
    return part === undefined ? '' : bytes.toString('utf8', part.start, part.end)
  }
  return { sdp: textOf('sdp'), session: parseObject(textOf('session')) }
}

/** Opens sessions over WebRTC, which are metered by their events. The answer is sent at once; the handler ends with the session. */
export const createRealtimeCallHandler = (parts: RealtimeCallParts): Handler<RouteOf<'realtime_call'>> => {
  const { authentication, bodies, failures, realtime } = parts
  return async (context: RequestContext) => {
    const secret = parts.clientSecrets.usedIn(context)
    const caller = await authentication.callerOf(context, secret?.sent)
    context.caller = caller
    const { rateLimit } = parts.options()
    await authentication.rateLimited(caller, rateLimit)
    const bytes = await bodies.paid(context, caller)
    const { sdp, session } = offerIn(bytes, context.request.headers['content-type'] ?? '')
    if (!sdp.startsWith('v=')) throw invalid('the body must be an offer in SDP, or a form with one in the field sdp')
    const call = sessionCall(context, caller, secret?.session ?? session, parts)
    if (call.body.type === 'transcription') throw invalid('transcripts are made over a WebSocket only')
    const client = new CallClient(context.client, {
      offer: sdp,
      basePath: parts.basePath ?? '',
      accepted: () => authentication.succeeded(caller, rateLimit),
    })
    const failure = await realtime.answer(call, client, sessionListener(context, call, secret, parts))
    failures.afterRecord(context, () => {
      if (failure !== undefined) failures.send(context, failure)
    })
  }
}
