import type { Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { defined, type JsonObject, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'
import { type Cue, cuesIn, subtitles } from './subtitles.ts'

/** A request to OpenAI's transcription or translation API (platform.openai.com/docs/api-reference/audio). */
export interface TranscriptsRequest {
  readonly model: string
  readonly sound: { readonly bytes: Buffer; readonly type: string }
  /** True for a translation into English. */
  readonly translate: boolean
  readonly language?: string
  readonly prompt?: string
  readonly format: string
  /** All other fields. */
  readonly own: JsonObject
}

export interface Transcript {
  readonly text: string
  readonly language?: string | undefined
  /** Length of the recording in seconds. */
  readonly duration?: number | undefined
  readonly segments?: readonly Cue[] | undefined
  readonly words?: readonly Cue[] | undefined
  /** WebVTT subtitles from the provider (www.w3.org/TR/webvtt1). */
  readonly vtt?: string | undefined
}

/** Transcription in a provider's own format. */
export interface TranscriptsDialect {
  /**
   * The body: an object is sent as JSON, bytes are sent unchanged. Throws AppError('invalid_audio_request') if the model cannot serve
   * the request.
   */
  write(request: TranscriptsRequest, unsupported: UnsupportedFields): JsonObject | Buffer
  read(json: JsonObject): Transcript
  /** Usage that the answer states beside the length of the recording; undefined if it states none. */
  usage(json: JsonObject): Usage | undefined
  /** As `UpstreamDialect.errorOf`. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}

export const invalidTranscript = (detail: string): AppError =>
  new AppError('invalid_audio_request', { params: { detail } })

const translatedFields: ReadonlySet<string> = new Set([
  'model',
  'file',
  'language',
  'prompt',
  'response_format',
  'stream',
])

const formats: ReadonlySet<string> = new Set(['json', 'text', 'srt', 'vtt', 'verbose_json'])

const formatOf = (value: unknown): string => {
  const format = textIn(value) || 'json'
  if (!formats.has(format)) throw invalidTranscript(`response_format ${format} is not supported by this model`)
  return format
}

/** Throws AppError('invalid_audio_request') for streams and answer formats that only OpenAI supports. */
export const readTranscripts = (
  body: JsonObject,
  request: Pick<TranscriptsRequest, 'model' | 'sound' | 'translate'>,
): TranscriptsRequest => {
  if (body.stream === true) throw invalidTranscript(`${request.model} does not stream its transcripts`)
  return {
    ...request,
    format: formatOf(body.response_format),
    ...defined({ language: textIn(body.language), prompt: textIn(body.prompt) }),
    own: without(body, translatedFields),
  }
}

const usageMember = (duration: number | undefined): JsonObject =>
  duration === undefined ? {} : { usage: { type: 'duration', seconds: Math.ceil(duration) } }

const word = ({ text, start, end }: Cue): JsonObject => ({ word: text, start, end })

const segment = ({ text, start, end }: Cue, id: number): JsonObject => ({ id, start, end, text })

const listed = <T>(members: readonly T[] | undefined): readonly T[] | undefined =>
  members === undefined || members.length === 0 ? undefined : members

const cuesOf = ({ segments, vtt, text, duration = 0 }: Transcript): readonly Cue[] =>
  listed(segments) ?? listed(cuesIn(vtt ?? '')) ?? [{ start: 0, end: duration, text }]

/** Writes the answer in the requested format: an object for JSON, a string for text and subtitles. */
export const writeTranscript = (
  transcript: Transcript,
  { format, translate }: TranscriptsRequest,
): JsonObject | string => {
  const { text, language, duration } = transcript
  if (format === 'text') return `${text}\n`
  if (format === 'vtt') return transcript.vtt ?? subtitles(cuesOf(transcript), 'vtt')
  if (format === 'srt') return subtitles(cuesOf(transcript), 'srt')
  if (format === 'json') return { text, ...usageMember(duration) }
  return {
    task: translate ? 'translate' : 'transcribe',
    ...defined({ language, duration }),
    text,
    ...defined({ segments: listed(transcript.segments)?.map(segment), words: listed(transcript.words)?.map(word) }),
    ...usageMember(duration),
  }
}
