import { ownMember } from '@tollgate/contract/own-member'
import { usageStated } from '../../billing/declared/usage-stated.ts'
import { failureInBaseResp as errorOf } from '../../dialects/base-resp.ts'
import { defined, type JsonObject, membersOf, textOf } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { SpeechDialect, SpeechRequest } from '../../dialects/media/speech.ts'
import type { Provider } from '../provider.ts'

export const speechPath = '/v1/t2a_v2'

const mediaTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

/** MiniMax does not make other formats; mp3 is used instead. */
const formatOf = ({ format }: SpeechRequest, unsupported: UnsupportedFields): string => {
  if (ownMember(mediaTypes, format) !== undefined) return format
  unsupported.add('response_format')
  return 'mp3'
}

/** MiniMax's own settings, passed on unchanged. */
const ownNames: ReadonlySet<string> = new Set([
  'language_boost',
  'pronunciation_dict',
  'timbre_weights',
  'timber_weights',
  'voice_modify',
])

const ownSettings = (request: SpeechRequest, unsupported: UnsupportedFields): JsonObject => {
  const settings: [string, unknown][] = []
  for (const [name, value] of Object.entries(request.own)) {
    if (ownNames.has(name)) settings.push([name, value])
    else if (!/^(voice|audio)_setting$/.test(name)) unsupported.add(name)
  }
  return Object.fromEntries(settings)
}

/** MiniMax's speech, which returns the audio as hexadecimal text (platform.minimax.io/docs/api-reference/speech-t2a-http). */
const minimaxSpeech: SpeechDialect = {
  write: (request, unsupported) => ({
    model: request.model,
    text: request.text,
    stream: false,
    output_format: 'hex',
    voice_setting: {
      voice_id: request.voice,
      ...defined({ speed: request.speed }),
      ...membersOf(request.own.voice_setting),
    },
    audio_setting: { format: formatOf(request, unsupported), ...membersOf(request.own.audio_setting) },
    ...ownSettings(request, unsupported),
  }),
  read(json, { format }) {
    const bytes = Buffer.from(textOf(membersOf(json.data).audio), 'hex')
    if (bytes.length === 0) throw new Error('no sound')
    const reported = textOf(membersOf(json.extra_info).audio_format)
    return { bytes, type: ownMember(mediaTypes, reported) ?? ownMember(mediaTypes, format) ?? 'audio/mpeg' }
  },
  usage: (json) => usageStated('sound', json.extra_info),
  errorOf,
}

export const speech: NonNullable<Provider['speech']> = { ...minimaxSpeech, path: speechPath }
