import { defined, membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { viduNative } from '../native/vidu.ts'
import {
  assertNoRemix,
  contentAtUrl,
  figureIn,
  getAsk,
  imageUrl,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  soundVariants,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '9:16', '3:4', '4:3', '1:1']
const resolutions = ['360p', '540p', '720p', '1080p']

/** `viduq1` makes 1080p alone. */
const usualResolution = (model: string): string => (model.startsWith('viduq1') ? '1080p' : '720p')
/** Models before `viduq1` make four or eight seconds. */
const usualSeconds = (model: string): number => (/^vidu[12]\./.test(model) ? 4 : 5)

const resolutionOf = (request: VideoRequest, model: string): string =>
  resolutionAmong(request, resolutions, usualResolution(model))

/**
 * Vidu at its own address: platform.vidu.com/docs, text-to-video, image-to-video and get-generation. Addresses of videos are valid for a
 * day.
 */
export const vidu: VideoProvider = {
  name: 'vidu',
  callback: 'callback_url',
  channelTypes: [52],
  headers: ({ key }) => ({ authorization: `Token ${key}` }),
  spec(request, model) {
    const resolution = resolutionOf(request, model)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios) ?? '16:9')
    const { seconds = usualSeconds(model), sound } = request
    return { seconds, size, variants: soundVariants(resolution, sound) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds(model), seed, sound } = request
    return jsonAsk(`/ent/v2/${image === undefined ? 'text2video' : 'img2video'}`, {
      model,
      prompt,
      duration: seconds,
      resolution: resolutionOf(request, model),
      seed,
      audio: sound,
      // A video from a picture has the ratio of the picture.
      ...(image === undefined ? { aspect_ratio: ratioAmong(request, ratios) } : { images: [imageUrl(image, model)] }),
    })
  },
  idIn: ({ task_id, state }) => (state === 'failed' ? undefined : textIn(task_id)),
  look: (id) => getAsk(`/ent/v2/tasks/${encodeURIComponent(id)}/creations`),
  readLook({ state, creations, err_code }) {
    switch (textOf(state)) {
      case 'created':
      case 'queueing':
        return { state: 'queued' }
      case 'processing':
        return { state: 'in_progress' }
      case 'success': {
        const [creation = {}] = objectsOf(creations)
        const url = textIn(creation.url)
        if (url === undefined) return undefined
        const seconds = figureIn(membersOf(creation.video).duration)
        return { state: 'completed', seconds, place: defined({ url, cover: textIn(creation.cover_url) }) }
      }
      case 'failed':
        return { state: 'failed', code: textOf(err_code) || 'generation_failed', message: textOf(err_code) }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
  native: viduNative,
}
