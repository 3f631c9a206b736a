import { noUsage, type Usage, withUnknown } from '../../../billing/usage.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../../dialects/conversation/unsupported-fields.ts'
import { readSpeech } from '../../../dialects/media/speech.ts'
import { invalidTranscript, readTranscripts, writeTranscript } from '../../../dialects/media/transcripts.ts'
import type { Provider } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import { transcriptUsage } from '../../usage/transcript-usage.ts'
import type { AdaptedAnswer, MediaAdapter } from './media-adapter.ts'

/** As OpenAI sends them. */
const plainText = 'text/plain; charset=utf-8'

/** The length that was read, with what else the answer states. */
const withMarks = (usage: Usage | undefined, stated: Usage | undefined): Usage | undefined =>
  stated?.unknown === undefined ? usage : withUnknown(usage ?? noUsage, stated.unknown)

/** Transcripts and translations in a provider's own API. */
export const transcriptAdapter = (
  { body, form, path }: RelayCall,
  { transcripts: dialect }: Provider,
  model: string,
): MediaAdapter | undefined => {
  if (dialect === undefined) return undefined
  if (form?.file === undefined) throw invalidTranscript('file is required')
  const { bytes, type } = form.file
  const sound = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), type }
  const request = readTranscripts(body, { model, sound, translate: path.endsWith('/translations') })
  const fields = createUnsupportedFields()
  const written = dialect.write(request, fields)
  const read = (json: JsonObject): AdaptedAnswer => {
    const transcript = dialect.read(json)
    const printed = writeTranscript(transcript, request)
    const answer =
      typeof printed === 'string'
        ? { json: { text: transcript.text }, plain: { bytes: Buffer.from(printed), type: plainText } }
        : { json: printed }
    return {
      ...answer,
      usage: withMarks(transcriptUsage({ duration: transcript.duration }), dialect.usage(json)),
      calls: 1,
    }
  }
  return { unsupported: fields.list(), body: written, path: dialect.path, read, errorOf: dialect.errorOf }
}

/** Speech in a provider's own API. */
export const speechAdapter = (
  { body }: RelayCall,
  { speech: dialect }: Provider,
  model: string,
): MediaAdapter | undefined => {
  if (dialect === undefined) return undefined
  const request = readSpeech(body, model)
  const fields = createUnsupportedFields()
  const written = dialect.write(request, fields)
  const read = (json: JsonObject): AdaptedAnswer => ({
    json: {},
    plain: dialect.read(json, request),
    usage: dialect.usage(json),
    calls: 1,
  })
  return { unsupported: fields.list(), body: written, path: dialect.path, read, errorOf: dialect.errorOf }
}
