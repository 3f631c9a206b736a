import { measure } from '../../../billing/counting/prompt.ts'
import { type JsonObject, membersOf, objectsOf } from '../../../dialects/conversation/json.ts'
import { promptReader } from '../../../dialects/gemini/prompt.ts'
import { AppError } from '../../../lib/app-error.ts'
import { wordIn } from '../../stream/answer-guard.ts'
import type { SessionProtocol } from '../session-protocol.ts'
import { clientContent, realtimeInput, toolResponse } from './client-event.ts'
import { refusalOfClose } from './close-refusal.ts'
import { LiveMeter } from './live-meter.ts'

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
