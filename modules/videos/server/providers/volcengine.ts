import { membersOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import {
  assertNoRemix,
  bearer,
  contentAtUrl,
  failedLook,
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

const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const usualSeconds = 5
const framesPerSecond = 24

const resolutionOf = (request: VideoRequest): string =>
  resolutionAmong(request, ['480p', '720p', '1080p', '4k'], '720p')

const sizeOf = (request: VideoRequest): string =>
  request.size ?? sizeFor(resolutionOf(request), ratioAmong(request, ratios) ?? '16:9')

/**
 * Seedance at Volcengine Ark: tasks of content generation. volcengine.com/docs/82379/1520757 (create) and 1521309 (query). Tokens are
 * width × height × frames a second × seconds ÷ 1024 (volcengine.com/docs/82379/1544106).
 */
export const volcengine: VideoProvider = {
  name: 'volcengine',
  callback: 'callback_url',
  channelTypes: [45],
  headers: bearer,
  spec(request) {
    const { seconds = usualSeconds } = request
    const size = sizeOf(request)
    const { width, height } = frameOf(size) ?? { width: 1920, height: 1080 }
    return {
      seconds,
      size,
      variants: variantsOf(resolutionOf(request)),
      tokens: Math.ceil((width * height * framesPerSecond * seconds) / 1024),
    }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds, seed, sound } = request
    const url = image && imageUrl(image, model)
    return jsonAsk('/api/v3/contents/generations/tasks', {
      model,
      content: [
        { type: 'text', text: prompt },
        ...(url === undefined ? [] : [{ type: 'image_url', image_url: { url }, role: 'first_frame' }]),
      ],
      resolution: resolutionOf(request),
      ratio: ratioAmong(request, ratios),
      duration: seconds,
      seed,
      generate_audio: sound,
    })
  },
  idIn: ({ id }) => textIn(id),
  look: (id) => getAsk(`/api/v3/contents/generations/tasks/${encodeURIComponent(id)}`),
  readLook(answer) {
    switch (textOf(answer.status)) {
      case 'queued':
        return { state: 'queued' }
      case 'running':
        return { state: 'in_progress' }
      case 'succeeded': {
        const url = textIn(membersOf(answer.content).video_url)
        if (url === undefined) return undefined
        const tokens = figureIn(membersOf(answer.usage).completion_tokens)
        return { state: 'completed', seconds: figureIn(answer.duration), tokens, place: { url } }
      }
      case 'failed':
      case 'cancelled':
      case 'expired':
        return failedLook(membersOf(answer.error), textOf(answer.status))
      default:
        return undefined
    }
  },
  content: contentAtUrl,
  remove: (id) => ({ method: 'DELETE', path: `/api/v3/contents/generations/tasks/${encodeURIComponent(id)}` }),
}
