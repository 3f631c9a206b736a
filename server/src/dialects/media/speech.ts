import type { Usage } from '../../billing/usage.ts'
import { defined, type JsonObject, numberIn, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'

/** A request to OpenAI's speech API (platform.openai.com/docs/api-reference/audio/createSpeech). */
export interface SpeechRequest {
  readonly model: string
  readonly text: string
  readonly voice: string
  /** `mp3` if the client requests none. */
  readonly format: string
  readonly speed?: number
  /** All other fields. */
  readonly own: JsonObject
}

interface Sound {
  readonly bytes: Buffer
  readonly type: string
}

/** Speech in a provider's own format. */
export interface SpeechDialect {
  /** Throws AppError('invalid_audio_request') if the model cannot serve the request. */
  write(request: SpeechRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: SpeechRequest): Sound
  /** Usage that the answer states; undefined if it states none. */
  usage(json: JsonObject): Usage | undefined
  /** As `UpstreamDialect.errorOf`. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}

const translatedFields: ReadonlySet<string> = new Set(['model', 'input', 'voice', 'response_format', 'speed'])

export const readSpeech = (body: JsonObject, model: string): SpeechRequest => ({
  model,
  text: textIn(body.input) ?? '',
  voice: textIn(body.voice) ?? '',
  format: textIn(body.response_format) || 'mp3',
  ...defined({ speed: numberIn(body.speed) }),
  own: without(body, translatedFields),
})
