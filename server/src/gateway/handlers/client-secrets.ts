import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { sessionModel } from '../../relay/realtime/session-settings.ts'
import type { ClientSecrets } from '../auth/client-secrets.ts'
import { namedInSession } from '../auth/fence-session.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import { type SessionCallParts, sessionPlan } from './session-call.ts'

export interface ClientSecretParts extends HandlerParts, SessionCallParts {
  readonly keys: KeyFinder
  readonly clientSecrets: ClientSecrets
}

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** Seconds, as OpenAI bounds them (platform.openai.com/docs/api-reference/realtime-sessions/create-realtime-client-secret). */
const secretSchema = z.object({
  expires_after: z
    .object({ anchor: z.literal('created_at').optional(), seconds: z.number().int().min(10).max(7200).default(600) })
    .default({ seconds: 600 }),
  session: z.looseObject({ type: z.enum(['realtime', 'transcription']).default('realtime') }),
})

/** Seconds that client secrets of the beta's endpoint work. */
const betaLife = 60

interface NewSecret {
  readonly session: JsonObject
  readonly seconds: number
}

const requested = (form: RouteOf<'client_secret'>['form'], body: JsonObject): NewSecret => {
  if (form === 'transcription_session') return { session: { ...body, type: 'transcription' }, seconds: betaLife }
  if (form === 'session') return { session: body, seconds: betaLife }
  const read = secretSchema.safeParse(body)
  if (!read.success)
    throw invalid('session must be of type realtime or transcription, and expires_after.seconds from 10 to 7200')
  return { session: read.data.session, seconds: read.data.expires_after.seconds }
}

/** Creates browser keys. They are free; their sessions are paid by the key that created them. */
export const createClientSecretHandler = (parts: ClientSecretParts): Handler<RouteOf<'client_secret'>> =>
  withCaller(parts, async (context, { form }, caller) => {
    const { request, path, query, startedAt, client } = context
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const bytes = await parts.bodies.paid(context, caller)
    const { body } = await parts.bodies.parsed(context, bytes)
    const { session, seconds } = requested(form, body)
    const asked = sessionModel(session)
    const { model, options } = sessionPlan({ name: asked, settings: session }, context, caller, parts)
    namedInSession(session, { caller, own: [asked, model], parts: { channels: parts.channels, options } })
    const expires = Math.floor(startedAt / 1000) + seconds
    const sent = parts.keys.sentKey(request.headers, path, query)
    const secret = { value: parts.clientSecrets.make({ sent, session }, expires), expires_at: expires }
    const id = `sess_${randomBytes(12).toString('hex')}`
    const object = session.type === 'transcription' ? 'realtime.transcription_session' : 'realtime.session'
    const answer =
      form === 'secret'
        ? { ...secret, session: { ...session, id, object } }
        : { ...session, id, object, client_secret: secret }
    sendJson(client, 200, JSON.stringify(answer))
  })
