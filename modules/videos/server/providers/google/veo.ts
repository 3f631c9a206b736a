import { type JsonObject, textOf } from '#server/dialects/conversation/json.ts'
import { assertNoRemix, imageBytes, ratioAmong, resolutionAmong, sizeFor, variantsOf } from '../shapes.ts'
import type { VideoLook, VideoRequest, VideoSpec } from '../video-provider.ts'

const ratios = ['16:9', '9:16']
const resolutions = ['720p', '1080p', '4k']
/** Above 720p the only length. */
const usualSeconds = 8

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, resolutions, '720p')
const ratioOf = (request: VideoRequest): string => ratioAmong(request, ratios) ?? '16:9'

export const veoSpec = (request: VideoRequest): VideoSpec => {
  const resolution = resolutionOf(request)
  const { seconds = usualSeconds } = request
  return { seconds, size: request.size ?? sizeFor(resolution, ratioOf(request)), variants: variantsOf(resolution) }
}

/** The request of `:predictLongRunning`, which is the same at the Gemini API and at Vertex AI. Throws InexpressibleError. */
export const veoRequest = (request: VideoRequest, model: string) => {
  assertNoRemix(request, model)
  const { prompt, image, seconds = usualSeconds, negativePrompt, seed } = request
  const picture = image && imageBytes(image, model)
  return {
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
  }
}

/** The end of an operation without a video: its content was refused, which costs nothing. */
export const filteredVideo = ({ raiMediaFilteredReasons }: JsonObject): VideoLook => {
  const [reason] = Array.isArray(raiMediaFilteredReasons) ? raiMediaFilteredReasons : []
  return { state: 'failed', code: 'content_filtered', message: textOf(reason) }
}
