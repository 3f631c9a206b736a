import { membersOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { lumaNative } from '../native/luma.ts'
import {
  assertNoRemix,
  bearer,
  contentAtUrl,
  getAsk,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  unsupported,
  variantsOf,
} from './shapes.ts'
import type { VideoImage, VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21']
const resolutions = ['540p', '720p', '1080p', '4k']
const usualSeconds = 5

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, resolutions, '720p')

/** Only addresses: the API takes no bytes. */
const address = (image: VideoImage, model: string): string => {
  if (!('url' in image) || image.url.startsWith('data:')) throw unsupported('input_reference', model)
  return image.url
}

/**
 * Luma's Dream Machine: docs.lumalabs.ai/docs/video-generation; github.com/lumalabs/lumaai-node, `src/resources/generations/video.ts` and
 * `generations.ts`.
 */
export const luma: VideoProvider = {
  name: 'luma',
  callback: 'callback_url',
  channelTypes: [1003],
  headers: bearer,
  spec(request) {
    const resolution = resolutionOf(request)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios) ?? '16:9')
    return { seconds: request.seconds ?? usualSeconds, size, variants: variantsOf(resolution) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds } = request
    return jsonAsk('/dream-machine/v1/generations', {
      model,
      prompt,
      duration: `${seconds}s`,
      resolution: resolutionOf(request),
      aspect_ratio: ratioAmong(request, ratios),
      keyframes: image && { frame0: { type: 'image', url: address(image, model) } },
    })
  },
  idIn: ({ id, state }) => (state === 'failed' ? undefined : textIn(id)),
  look: (id) => getAsk(`/dream-machine/v1/generations/${encodeURIComponent(id)}`),
  readLook({ state, assets, failure_reason }) {
    switch (textOf(state)) {
      case 'queued':
        return { state: 'queued' }
      case 'dreaming':
        return { state: 'in_progress' }
      case 'completed': {
        const url = textIn(membersOf(assets).video)
        return url === undefined ? undefined : { state: 'completed', place: { url } }
      }
      case 'failed':
        return { state: 'failed', code: 'generation_failed', message: textOf(failure_reason) }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
  native: lumaNative,
  remove: (id) => ({ method: 'DELETE', path: `/dream-machine/v1/generations/${encodeURIComponent(id)}` }),
}
