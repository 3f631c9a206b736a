import { membersOf, objectsOf, textIn } from '#server/dialects/conversation/json.ts'
import { contentAtUrl, failedLook, getAsk, jsonAsk } from '../shapes.ts'
import type { VideoProvider } from '../video-provider.ts'
import { filteredVideo, veoRequest, veoSpec } from './veo.ts'

/**
 * Veo at the Gemini API: a long-running operation. ai.google.dev/gemini-api/docs/video; github.com/googleapis/js-genai,
 * `src/converters/_models_converters.ts` and `_operations_converters.ts`.
 */
export const gemini: VideoProvider = {
  name: 'gemini',
  channelTypes: [24],
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  spec: veoSpec,
  create: (request, model) =>
    jsonAsk(`/v1beta/models/${encodeURIComponent(model)}:predictLongRunning`, veoRequest(request, model)),
  idIn: ({ name }) => textIn(name),
  look: (name) => getAsk(`/v1beta/${name.split('/').map(encodeURIComponent).join('/')}`),
  readLook({ name, done, error, response }) {
    if (done !== true) return name === undefined ? undefined : { state: 'in_progress' }
    if (error !== undefined) return failedLook(membersOf(error))
    const made = membersOf(membersOf(response).generateVideoResponse)
    const url = textIn(membersOf(objectsOf(made.generatedSamples)[0]?.video).uri)
    return url === undefined ? filteredVideo(made) : { state: 'completed', place: { url } }
  },
  content: contentAtUrl,
}
