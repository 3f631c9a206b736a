import { membersOf, numberIn, textIn, textOf } from '#server/dialects/conversation/json.ts'
import {
  assertNoRemix,
  bearer,
  contentAtUrl,
  failedLook,
  figureIn,
  getAsk,
  imageUrl,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  variantsOf,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '4:3', '1:1', '9:16', '3:4', '3:2', '2:3']
const usualSeconds = 6

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, ['480p', '720p', '1080p'], '480p')

/** Grok Imagine Video: docs.x.ai/developers/model-capabilities/video/generation, docs.x.ai/developers/rest-api-reference. */
export const xai: VideoProvider = {
  name: 'xai',
  channelTypes: [48],
  headers: bearer,
  spec(request) {
    const resolution = resolutionOf(request)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios))
    return { seconds: request.seconds ?? usualSeconds, size, variants: variantsOf(resolution) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds } = request
    return jsonAsk('/v1/videos/generations', {
      model,
      prompt,
      duration: seconds,
      resolution: resolutionOf(request),
      aspect_ratio: ratioAmong(request, ratios),
      image: image && { url: imageUrl(image, model) },
    })
  },
  idIn: ({ request_id }) => textIn(request_id),
  look: (id) => getAsk(`/v1/videos/${encodeURIComponent(id)}`),
  readLook(answer) {
    const video = membersOf(answer.video)
    const url = textIn(video.url)
    switch (textOf(answer.status)) {
      case 'pending':
        return { state: 'in_progress', progress: numberIn(answer.progress) }
      case 'done':
        return url === undefined
          ? { state: 'failed', code: 'content_filtered', message: 'The video was withheld by moderation.' }
          : { state: 'completed', seconds: figureIn(video.duration), place: { url } }
      case 'failed':
      case 'expired':
        return failedLook(membersOf(answer.error), textOf(answer.status))
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
