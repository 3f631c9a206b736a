import { markedBy, usageStated } from '../../billing/declared/usage-stated.ts'
import {
  defined,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { Cue } from '../../dialects/media/subtitles.ts'
import {
  invalidTranscript,
  type Transcript,
  type TranscriptsDialect,
  type TranscriptsRequest,
} from '../../dialects/media/transcripts.ts'
import type { Provider } from '../provider.ts'
import { errorOf, resultOf, runPath } from './pictures.ts'

/**
 * The newest model takes audio as base64 in JSON, with settings
 * (developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo).
 */
const takesSettings = (model: string): boolean => model.includes('whisper-large-v3')

const settings: ReadonlySet<string> = new Set(['vad_filter', 'prefix', 'beam_size', 'condition_on_previous_text'])

/** Form fields are texts; `true`, `false` and digits become booleans and numbers. */
const typedValue = (text: unknown): unknown => {
  if (text === 'true' || text === 'false') return text === 'true'
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text
}

const ownSettings = ({ own }: TranscriptsRequest, unsupported: UnsupportedFields): JsonObject => {
  const values: [string, unknown][] = []
  for (const [name, value] of Object.entries(own)) {
    if (settings.has(name)) values.push([name, typedValue(value)])
    else if (!name.startsWith('timestamp_granularities')) unsupported.add(name)
  }
  return Object.fromEntries(values)
}

const withSettings = (request: TranscriptsRequest, unsupported: UnsupportedFields): JsonObject => ({
  audio: request.sound.bytes.toString('base64'),
  task: request.translate ? 'translate' : 'transcribe',
  ...defined({ language: request.language, initial_prompt: request.prompt }),
  ...ownSettings(request, unsupported),
})

/** The other models take the bytes of the audio and no settings (developers.cloudflare.com/workers-ai/models/whisper). */
const audioOnly = (
  { model, sound, translate, language, prompt, own }: TranscriptsRequest,
  unsupported: UnsupportedFields,
): Buffer => {
  if (translate) throw invalidTranscript(`${model} does not translate`)
  for (const name of Object.keys({ ...defined({ language, prompt }), ...own })) {
    if (!name.startsWith('timestamp_granularities')) unsupported.add(name)
  }
  return sound.bytes
}

const cue = ({ start, end, text, word }: JsonObject): Cue => ({
  start: numberIn(start) ?? 0,
  end: numberIn(end) ?? 0,
  text: textIn(text) ?? textOf(word),
})

const read = (json: JsonObject): Transcript => {
  const { text, vtt, segments, words, transcription_info: info } = resultOf(json)
  const { language, duration } = membersOf(info)
  const segmentList = objectsOf(segments)
  const wordList = words === undefined ? segmentList.flatMap((segment) => objectsOf(segment.words)) : objectsOf(words)
  return {
    text: textOf(text),
    language: textIn(language),
    duration: numberIn(duration),
    segments: segmentList.map(cue),
    words: wordList.map(cue),
    vtt: textIn(vtt),
  }
}

/** Whisper on Workers AI. */
export const transcripts: NonNullable<Provider['transcripts']> = {
  path: runPath,
  write: (request, unsupported) =>
    takesSettings(request.model) ? withSettings(request, unsupported) : audioOnly(request, unsupported),
  read,
  usage(json) {
    const { transcription_info: info, usage } = resultOf(json)
    return markedBy(usageStated('sound', info), 'openai', usage ?? json.usage)
  },
  errorOf,
} satisfies TranscriptsDialect & { path: string }
