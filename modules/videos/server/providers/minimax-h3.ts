import { membersOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
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

const ratios = ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9']
const usualSeconds = 5

/** The faster model makes 480P and no 2K. */
const resolutionsOf = (model: string): readonly string[] => (/-max\b/i.test(model) ? ['480P', '768P'] : ['768P', '2K'])

const resolutionOf = (request: VideoRequest, model: string): string =>
  resolutionAmong(request, resolutionsOf(model), '768P')

/** A video from a text needs a ratio; one from a picture has that of the picture. */
const ratioOf = (request: VideoRequest): string => ratioAmong(request, ratios) ?? '16:9'

/** MiniMax-H3: platform.minimax.io/docs/api-reference, video-generation-v2-create and video-generation-v2-query. */
export const minimaxH3: VideoProvider = {
  name: 'minimax-h3',
  callback: 'callback_url',
  triesCallback: true,
  channelTypes: [35],
  models: /^minimax-h3/i,
  headers: bearer,
  spec(request, model) {
    const resolution = resolutionOf(request, model)
    const size = request.size ?? sizeFor(resolution, ratioOf(request))
    return { seconds: request.seconds ?? usualSeconds, size, variants: variantsOf(resolution) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds } = request
    const url = image && imageUrl(image, model)
    return jsonAsk('/v2/video_generation', {
      model,
      content: [
        { type: 'text', text: prompt },
        ...(url === undefined ? [] : [{ type: 'image_url', image_url: { url }, role: 'first_frame' }]),
      ],
      resolution: resolutionOf(request, model),
      duration: seconds,
      ratio: image === undefined ? ratioOf(request) : 'adaptive',
    })
  },
  idIn: ({ task_id }) => textIn(task_id) || undefined,
  look: (id) => getAsk(`/v2/query/video_generation/${encodeURIComponent(id)}`),
  readLook(answer) {
    const task = membersOf(answer.task)
    switch (textOf(task.status)) {
      case 'queued':
        return { state: 'queued' }
      case 'running':
        return { state: 'in_progress' }
      case 'succeeded': {
        const url = textIn(membersOf(task.content).url)
        if (url === undefined) return undefined
        return { state: 'completed', seconds: figureIn(membersOf(task.usage).total_seconds), place: { url } }
      }
      case 'failed':
      case 'cancelled':
      case 'expired':
        return failedLook(membersOf(task.error), textOf(task.status))
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
