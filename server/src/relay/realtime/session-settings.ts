import { isObject, type JsonObject, membersOf, textIn } from '../../dialects/conversation/json.ts'

/**
 * Session settings before a session begins: `session` of a client secret or of a call over WebRTC
 * (platform.openai.com/docs/api-reference/realtime-sessions).
 */

/** True for a session that only transcribes. */
export const isTranscription = ({ type }: JsonObject): boolean => type === 'transcription'

const inputOf = ({ audio }: JsonObject): JsonObject => membersOf(membersOf(audio).input)

/** The transcription model of the input; undefined where none is named. The second form is the beta's. */
const transcriber = (session: JsonObject): string | undefined =>
  textIn(membersOf(inputOf(session).transcription).model) ?? textIn(membersOf(session.input_audio_transcription).model)

/** The model that a session is billed for: the answering one, or the transcription model where the session is for nothing else. */
export const sessionModel = (session: JsonObject): string =>
  (isTranscription(session) ? transcriber(session) : textIn(session.model)) ?? ''

/** The same with the model as its channel knows it. */
export const withSessionModel = (session: JsonObject, model: string): JsonObject => {
  if (!isTranscription(session)) return { ...session, model }
  const { audio, input_audio_transcription: older } = session
  const input = inputOf(session)
  const { transcription } = input
  return {
    ...session,
    ...(isObject(transcription)
      ? { audio: { ...membersOf(audio), input: { ...input, transcription: { ...transcription, model } } } }
      : {}),
    ...(isObject(older) ? { input_audio_transcription: { ...older, model } } : {}),
  }
}

const isUpdate = ({ type }: JsonObject): boolean => /^(transcription_)?session\.update$/.test(String(type))

/** The transcription model in a client's event; undefined for all other events. */
export const transcriberIn = (event: JsonObject): string | undefined =>
  isUpdate(event) ? transcriber(membersOf(event.session)) : undefined

/** The same event with the model as its channel knows it. */
export const withTranscriber = (event: JsonObject, model: string): JsonObject => ({
  ...event,
  session: withSessionModel({ ...membersOf(event.session), type: 'transcription' }, model),
})

/** Event with the settings from before the session; undefined where there are none. */
export const firstUpdate = (session: JsonObject, model: string, isBeta: boolean): JsonObject | undefined => {
  const { type, model: _, ...rest } = withSessionModel(session, model)
  if (Object.keys(rest).length === 0) return undefined
  if (!isBeta) return { type: 'session.update', session: { type: type ?? 'realtime', ...rest } }
  return { type: isTranscription(session) ? 'transcription_session.update' : 'session.update', session: rest }
}
