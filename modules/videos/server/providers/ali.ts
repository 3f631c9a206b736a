import { membersOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import {
  assertNoRemix,
  bearer,
  contentAtUrl,
  figureIn,
  frameOf,
  getAsk,
  imageUrl,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  variantsOf,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const resolutions = ['480P', '720P', '1080P']
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4']
const usualSeconds = 5

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, resolutions, '720P')

/** Wan up to 2.6 names one picture, and the pixels of a video from text; later models name media, and a resolution with a ratio. */
const isEarlier = (model: string): boolean => /^wanx?2\.[0-6]/.test(model)

const earlierSize = (request: VideoRequest): string => {
  const frame = frameOf(request.size)
  if (frame !== undefined) return `${frame.width}*${frame.height}`
  return sizeFor(resolutionOf(request), ratioAmong(request, ratios) ?? '16:9').replace('x', '*')
}

/**
 * Wan and its relatives at Alibaba Cloud Model Studio: an asynchronous task. alibabacloud.com/help/en/model-studio:
 * legacy-wan-text-to-video-api-reference, legacy-image-to-video-api-reference, image-to-video-general-api-reference.
 */
export const ali: VideoProvider = {
  name: 'ali',
  channelTypes: [17],
  headers: bearer,
  root: ({ channel: { baseUrl } }) => baseUrl.replace(/\/(api|compatible-mode)\/v1$/, ''),
  spec(request) {
    const resolution = resolutionOf(request)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios) ?? '16:9')
    return { seconds: request.seconds ?? usualSeconds, size, variants: variantsOf(resolution) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds, negativePrompt, seed, sound } = request
    const url = image && imageUrl(image, model)
    const earlier = isEarlier(model)
    const picture = url === undefined ? {} : earlier ? { img_url: url } : { media: [{ type: 'first_frame', url }] }
    const ratio = ratioAmong(request, ratios)
    const frame =
      earlier && url === undefined
        ? { size: earlierSize(request) }
        : { resolution: resolutionOf(request), ...(earlier || ratio === undefined ? {} : { ratio }) }
    return jsonAsk(
      '/api/v1/services/aigc/video-generation/video-synthesis',
      {
        model,
        input: { prompt, ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }), ...picture },
        parameters: {
          ...frame,
          duration: seconds,
          ...(seed === undefined ? {} : { seed }),
          ...(sound === undefined ? {} : { audio: sound }),
        },
      },
      { 'x-dashscope-async': 'enable' },
    )
  },
  idIn: ({ output }) => textIn(membersOf(output).task_id),
  look: (id) => getAsk(`/api/v1/tasks/${encodeURIComponent(id)}`),
  readLook({ output, usage, ...answer }) {
    const task = membersOf(output)
    const used = membersOf(usage)
    switch (textOf(task.task_status)) {
      case 'PENDING':
      case 'SUSPENDED':
        return { state: 'queued' }
      case 'RUNNING':
        return { state: 'in_progress' }
      case 'SUCCEEDED': {
        const url = textIn(task.video_url)
        if (url === undefined) return undefined
        const seconds = used.output_video_duration ?? used.video_duration ?? used.duration
        return { state: 'completed', seconds: figureIn(seconds), place: { url } }
      }
      case 'FAILED':
      case 'CANCELED':
      case 'UNKNOWN':
        return {
          state: 'failed',
          code: textOf(task.code) || textOf(answer.code) || textOf(task.task_status).toLowerCase(),
          message: textOf(task.message) || textOf(answer.message),
        }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
