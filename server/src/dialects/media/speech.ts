import { defined, type JsonObject, numberIn, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'

/** What a client of OpenAI's speech asks for (platform.openai.com/docs/api-reference/audio/createSpeech). */
export interface SpeechRequest {
  readonly model: string
  readonly text: string
  readonly voice: string
  /** `mp3` where the client named none. */
  readonly format: string
  readonly speed?: number
  /** All other members by their names. */
  readonly own: JsonObject
}

export interface Sound {
  readonly bytes: Buffer
  readonly type: string
}

/** Speech in a provider's own words. */
export interface SpeechDialect {
  /** Throws AppError('invalid_audio_request') for what the model cannot do. */
  write(request: SpeechRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: SpeechRequest): Sound
  /** As `UpstreamDialect.errorOf`. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}

const placed: ReadonlySet<string> = new Set(['model', 'input', 'voice', 'response_format', 'speed'])

export const readSpeech = (body: JsonObject, model: string): SpeechRequest => ({
  model,
  text: textIn(body.input) ?? '',
  voice: textIn(body.voice) ?? '',
  format: textIn(body.response_format) || 'mp3',
  ...defined({ speed: numberIn(body.speed) }),
  own: without(body, placed),
})
