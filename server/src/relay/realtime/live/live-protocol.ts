import { measure } from '../../../billing/counting/prompt.ts'
import { type JsonObject, membersOf, objectsOf } from '../../../dialects/conversation/json.ts'
import { promptReader } from '../../../dialects/gemini/prompt.ts'
import { AppError } from '../../../lib/app-error.ts'
import { wordIn } from '../../stream/answer-guard.ts'
import type { CloseRefusal, SessionProtocol } from '../session-protocol.ts'
import { clientContent, realtimeInput, toolResponse } from './client-event.ts'
import { LiveMeter } from './live-meter.ts'

/** Closes that are ends, not errors (RFC 6455 §7.4.1). */
const calm: ReadonlySet<number> = new Set([1000, 1001, 1005])

/** Patterns of close reasons, and their HTTP statuses. Google's closes have only three codes. */
const subjects: readonly (readonly [RegExp, number])[] = [
  [/api.?key|unauthenticated|credential|unregistered caller|permission/i, 401],
  [/quota|exhausted|rate.?limit/i, 429],
  [/not found|not supported for/i, 404],
]

const byCode: ReadonlyMap<number, number> = new Map([
  [1007, 400],
  [1008, 400],
])

/** HTTP status and message of Google's close, whose reason contains the error; undefined for a normal end. */
export const refusalOfClose = (code: number, reason: string): CloseRefusal | undefined => {
  if (calm.has(code)) return undefined
  const status = subjects.find(([subject]) => subject.test(reason))?.[1] ?? byCode.get(code) ?? 502
  return { status, message: reason || `the WebSocket was closed with ${code}` }
}

/** Content that a client's event adds to the prompt, as a request for content; undefined for events without text. */
const promptOf = (event: JsonObject): JsonObject | undefined => {
  const content = clientContent(event)
  if (content !== undefined) return { contents: content.turns }
  const results = toolResponse(event)
  if (results !== undefined) {
    const responses = objectsOf(results.functionResponses ?? results.function_responses)
    return { contents: [{ parts: responses.map((functionResponse) => ({ functionResponse })) }] }
  }
  const text = realtimeInput(event)?.text
  return typeof text === 'string' ? { contents: [{ parts: [{ text }] }] } : undefined
}

const blockedIn = (prompt: JsonObject | undefined, words: readonly string[]): string | undefined =>
  prompt && wordIn(measure(promptReader, '', prompt).texts.join('\n'), words)

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** Sessions of Gemini Live (ai.google.dev/api/live). The body of their call is the setup of their client. */
export const liveProtocol: SessionProtocol = {
  opening({ call, channel, providerCall }) {
    const { live } = channel.provider
    // Channels without such sessions are not chosen for them.
    if (live === undefined)
      throw new AppError('endpoint_not_served', { params: { model: call.model, path: call.path } })
    const setup = JSON.stringify({ setup: { ...call.body, model: live.model(providerCall) } })
    return { call: providerCall, url: live.url(providerCall), setup }
  },
  newMeter({ body }, limits) {
    const meter = new LiveMeter(limits)
    meter.fromClient({ setup: body })
    return meter
  },
  blockedWordInSettings: blockedIn,
  blockedWordIn: (event, words) => (words.length === 0 ? undefined : blockedIn(promptOf(event), words)),
  firstEvent: () => undefined,
  // The setup names the model, and with it the price.
  refusalOf: ({ setup }) => (setup === undefined ? undefined : invalid('setup can be sent once only')),
  // Tools stand in the setup alone.
  offersIn: () => undefined,
  outgoing: (_, message) => message,
  usageIn: ({ usageMetadata, serverContent }) =>
    usageMetadata !== undefined || membersOf(serverContent).turnComplete === true ? ['usageMetadata'] : undefined,
  hasErrorEvents: false,
  errorIn: () => undefined,
  refusalIn: refusalOfClose,
}
