import { membersOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { assertNoRemix, bearer, getAsk, imageUrl, jsonAsk, resolutionAmong, variantsOf } from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const usualSeconds = 6

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, ['512P', '768P', '1080P'], '768P')

/** The service's ids are numbers in some answers. */
const idText = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textIn(value) || undefined

/**
 * Hailuo: platform.minimax.io/docs/api-reference/video-generation-t2v, video-generation-i2v, video-generation-query and
 * file-management-retrieve.
 */
export const minimax: VideoProvider = {
  name: 'minimax',
  callback: 'callback_url',
  triesCallback: true,
  channelTypes: [35],
  headers: bearer,
  spec(request) {
    const resolution = resolutionOf(request)
    return {
      seconds: request.seconds ?? usualSeconds,
      size: request.size ?? '',
      variants: variantsOf(resolution),
    }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds } = request
    return jsonAsk('/v1/video_generation', {
      model,
      prompt,
      duration: seconds,
      resolution: resolutionOf(request),
      first_frame_image: image && imageUrl(image, model),
    })
  },
  idIn: ({ task_id }) => idText(task_id),
  look: (id) => getAsk(`/v1/query/video_generation?task_id=${encodeURIComponent(id)}`),
  readLook(answer) {
    switch (textOf(answer.status)) {
      case 'Preparing':
      case 'Queueing':
        return { state: 'queued' }
      case 'Processing':
        return { state: 'in_progress' }
      case 'Success': {
        const file = idText(answer.file_id)
        return file === undefined ? undefined : { state: 'completed', place: { file } }
      }
      case 'Fail': {
        const { status_code, status_msg } = membersOf(answer.base_resp)
        return { state: 'failed', code: idText(status_code) ?? 'generation_failed', message: textOf(status_msg) }
      }
      default:
        return undefined
    }
  },
  content({ place }, variant) {
    if (variant !== 'video' || place.file === undefined) return undefined
    return {
      ask: getAsk(`/v1/files/retrieve?file_id=${encodeURIComponent(place.file)}`),
      urlIn: ({ file }) => textIn(membersOf(file).download_url),
    }
  },
}
