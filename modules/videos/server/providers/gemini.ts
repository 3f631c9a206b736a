import { membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import {
  assertNoRemix,
  contentAtUrl,
  failedLook,
  getAsk,
  imageBytes,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  variantsOf,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '9:16']
const resolutions = ['720p', '1080p', '4k']
/** Above 720p the only length. */
const usualSeconds = 8

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, resolutions, '720p')
const ratioOf = (request: VideoRequest): string => ratioAmong(request, ratios) ?? '16:9'

/**
 * Veo at the Gemini API: a long-running operation. ai.google.dev/gemini-api/docs/video; github.com/googleapis/js-genai,
 * `src/converters/_models_converters.ts` and `_operations_converters.ts`.
 */
export const gemini: VideoProvider = {
  name: 'gemini',
  channelTypes: [24],
  headers: (key) => ({ 'x-goog-api-key': key }),
  spec(request) {
    const resolution = resolutionOf(request)
    const { seconds = usualSeconds } = request
    return { seconds, size: request.size ?? sizeFor(resolution, ratioOf(request)), variants: variantsOf(resolution) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds, negativePrompt, seed } = request
    const picture = image && imageBytes(image, model)
    return jsonAsk(`/v1beta/models/${encodeURIComponent(model)}:predictLongRunning`, {
      instances: [
        {
          prompt,
          ...(picture === undefined ? {} : { image: { bytesBase64Encoded: picture.base64, mimeType: picture.type } }),
        },
      ],
      parameters: {
        durationSeconds: seconds,
        aspectRatio: ratioOf(request),
        resolution: resolutionOf(request),
        ...(negativePrompt === undefined ? {} : { negativePrompt }),
        ...(seed === undefined ? {} : { seed }),
      },
    })
  },
  idIn: ({ name }) => textIn(name),
  look: (name) => getAsk(`/v1beta/${name.split('/').map(encodeURIComponent).join('/')}`),
  readLook({ name, done, error, response }) {
    if (done !== true) return name === undefined ? undefined : { state: 'in_progress' }
    if (error !== undefined) return failedLook(membersOf(error))
    const { generatedSamples, raiMediaFilteredReasons } = membersOf(membersOf(response).generateVideoResponse)
    const url = textIn(membersOf(objectsOf(generatedSamples)[0]?.video).uri)
    if (url !== undefined) return { state: 'completed', place: { url } }
    const [reason] = Array.isArray(raiMediaFilteredReasons) ? raiMediaFilteredReasons : []
    return { state: 'failed', code: 'content_filtered', message: textOf(reason) }
  },
  content: contentAtUrl,
}
