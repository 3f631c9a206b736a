import type { Members } from '../../dialects/conversation/json.ts'
import { createLosses } from '../../dialects/conversation/losses.ts'
import { readSpeech } from '../../dialects/media/speech.ts'
import { invalidTranscript, readTranscripts, writeTranscript } from '../../dialects/media/transcripts.ts'
import type { Provider } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { Retold, Told } from './told.ts'
import { transcriptUsage } from './transcripts.ts'

/** As OpenAI sends them. */
const plainText = 'text/plain; charset=utf-8'

/** Transcripts and translations in a provider's own words. */
export const retellTranscript = (
  { body, form, path }: RelayCall,
  { transcripts: its }: Provider,
  model: string,
): Told | undefined => {
  if (its === undefined) return undefined
  if (form?.file === undefined) throw invalidTranscript('file is required')
  const { bytes, type } = form.file
  const sound = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), type }
  const request = readTranscripts(body, { model, sound, translate: path.endsWith('/translations') })
  const losses = createLosses()
  const written = its.write(request, losses)
  const read = (json: Members): Retold => {
    const transcript = its.read(json)
    const told = writeTranscript(transcript, request)
    const answer =
      typeof told === 'string'
        ? { json: { text: transcript.text }, plain: { bytes: Buffer.from(told), type: plainText } }
        : { json: told }
    return { ...answer, usage: transcriptUsage({ duration: transcript.duration }), calls: 1 }
  }
  return { retelling: { lost: losses.list(), read, errorOf: its.errorOf }, body: written, path: its.path }
}

/** Speech in a provider's own words. */
export const retellSpeech = ({ body }: RelayCall, { speech: its }: Provider, model: string): Told | undefined => {
  if (its === undefined) return undefined
  const request = readSpeech(body, model)
  const losses = createLosses()
  const written = its.write(request, losses)
  const read = (json: Members): Retold => ({ json: {}, plain: its.read(json, request), usage: undefined, calls: 1 })
  return { retelling: { lost: losses.list(), read, errorOf: its.errorOf }, body: written, path: its.path }
}
