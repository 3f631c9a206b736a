import { measure } from '../../billing/counting/prompt.ts'
import { isObject, type JsonObject, membersOf } from '../../dialects/conversation/json.ts'
import { promptReader } from '../../dialects/openai-responses/prompt.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { wordIn } from '../stream/answer-guard.ts'
import { Meter } from './meter.ts'
import type { SessionProtocol, SessionTarget } from './session-protocol.ts'
import { firstUpdate, isTranscription, transcriberIn, withTranscriber } from './session-settings.ts'

/** The text that a client's event adds to the prompt, as a request for a response; undefined for events without text. */
const promptOf = ({ type, session, response, item }: JsonObject): JsonObject | undefined => {
  if (type === 'session.update') return membersOf(session)
  if (type === 'response.create') return membersOf(response)
  return type === 'conversation.item.create' ? { input: [item] } : undefined
}

/** The first of the lower-cased words that a client's event holds: in instructions, tools or items of the conversation. */
export const blockedWordIn = (event: JsonObject, words: readonly string[]): string | undefined => {
  if (words.length === 0) return undefined
  const prompt = promptOf(event)
  return prompt && wordIn(measure(promptReader, '', prompt).texts.join('\n'), words)
}

/** The client's query, for the model that the channel knows. */
const queryFor = ({ call: { query, body }, providerCall: { model }, callId }: SessionTarget): string => {
  if (callId !== undefined) return `?call_id=${callId}`
  const parameters = new URLSearchParams(query)
  parameters.set('model', model)
  if (isTranscription(body)) {
    // Such sessions name their model in an event, and are refused with one in the address.
    parameters.delete('model')
    parameters.set('intent', 'transcription')
  }
  return `?${parameters}`
}

/** A session of transcripts has the price of one model. */
const askedTranscriber = (event: JsonObject, { body }: RelayCall): string | undefined =>
  isTranscription(body) ? transcriberIn(event) : undefined

/** Sessions as OpenAI has them (platform.openai.com/docs/api-reference/realtime). */
export const openaiProtocol: SessionProtocol = {
  opening(target) {
    const { channel, providerCall } = target
    const call = { ...providerCall, path: '/v1/realtime', query: queryFor(target) }
    return { call, url: channel.provider.url(call) }
  },
  newMeter: (_, limits) => new Meter(limits),
  blockedWordInSettings: (session, words) => blockedWordIn({ type: 'session.update', session }, words),
  blockedWordIn,
  firstEvent: ({ body, passed }, upstreamModel) =>
    firstUpdate(body, upstreamModel, passed['openai-beta'] !== undefined),
  refusalOf(event, call, upstreamModel) {
    const asked = askedTranscriber(event, call)
    const { model, askedName } = call
    if (asked === undefined || [model, askedName, upstreamModel].includes(asked)) return undefined
    return new AppError('invalid_text_request', { params: { detail: `this session transcribes with ${model}` } })
  },
  offersIn({ session, response }) {
    const offers = [session, response].filter(isObject).filter(({ tools }) => tools !== undefined)
    return offers.length === 0 ? undefined : offers
  },
  outgoing(event, message, call, upstreamModel) {
    const asked = askedTranscriber(event, call)
    return asked === undefined || asked === upstreamModel
      ? message
      : JSON.stringify(withTranscriber(event, upstreamModel))
  },
  usageIn({ type, usage }) {
    if (type === 'response.done') return ['response', 'usage']
    return type === 'conversation.item.input_audio_transcription.completed' && isObject(usage) ? ['usage'] : undefined
  },
  hasErrorEvents: true,
  errorIn: ({ type, error }) => (type === 'error' ? membersOf(isObject(error) ? error : {}) : undefined),
  refusalIn: () => undefined,
}
