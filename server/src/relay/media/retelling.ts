import type { ModelOptions } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import { retellPictures } from './retelling-pictures.ts'
import { retellSpeech, retellTranscript } from './retelling-sound.ts'
import { retellEmbeddings, retellRerank } from './retelling-vectors.ts'
import type { Reached, Told } from './told.ts'

/** The call in the provider's own words; undefined where it takes the client's. Throws AppError for what it cannot do. */
export const retell = (call: RelayCall, channel: Reached, model: string, options: ModelOptions): Told | undefined => {
  const { provider } = channel
  if (call.endpoint === 'embeddings') return retellEmbeddings(call, channel, model)
  if (call.endpoint === 'rerank') return retellRerank(call, provider, model)
  if (call.endpoint === 'images') return retellPictures(call, provider, model, options)
  if (call.endpoint === 'transcripts') return retellTranscript(call, provider, model)
  return call.endpoint === 'speech' ? retellSpeech(call, provider, model) : undefined
}
