import { listOf, numberIn, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { runwayHeaders } from '#server/providers/runway/provider.ts'
import { runwayNative } from '../native/runway.ts'
import {
  assertNoRemix,
  contentAtUrl,
  type Frame,
  frameOf,
  getAsk,
  imageUrl,
  jsonAsk,
  nearest,
  sizeFor,
  soundVariants,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const wide = ['1280:720', '720:1280']
/** Frames of a model: from a text, and from a picture where those differ. */
interface Frames {
  readonly models: RegExp
  readonly text: readonly string[]
  readonly image?: readonly string[]
}

const ofPictures = [...wide, '1104:832', '832:1104', '960:960', '1584:672']
const frames: readonly Frames[] = [
  { models: /^gen3a/, text: ['1280:768', '768:1280'] },
  { models: /^veo/, text: [...wide, '1920:1080', '1080:1920'] },
  { models: /^/, text: wide, image: ofPictures },
]

const frameIn = (ratio: string): Frame => frameOf(ratio.replace(':', 'x')) ?? { width: 1280, height: 720 }

const distance = (one: Frame, other: Frame): number =>
  10 * Math.abs(Math.log((one.width * other.height) / (one.height * other.width))) +
  Math.abs(Math.log((one.width * one.height) / (other.width * other.height)))

/** The frame in pixels that is nearest to the request, as the API names it: `1280:720`. */
const frameFor = ({ size, resolution = '720p', ratio = '16:9', image }: VideoRequest, model: string): string => {
  const offered = frames.find(({ models }) => models.test(model))
  const names = (image === undefined ? undefined : offered?.image) ?? offered?.text ?? wide
  const meant = frameOf(size ?? sizeFor(resolution, ratio)) ?? frameIn('')
  return nearest(names, (name) => distance(frameIn(name), meant)) ?? '1280:720'
}

/** Veo makes eight seconds, the models of Runway any number from two to ten. */
const usualSeconds = (model: string): number => (model.startsWith('veo') ? 8 : 5)

const sound = ({ sound: asked }: VideoRequest, model: string): boolean | undefined =>
  model.startsWith('gen') ? undefined : asked

/**
 * Runway: docs.dev.runwayml.com/api; github.com/runwayml/sdk-node, `src/resources/text-to-video.ts`, `image-to-video.ts` and `tasks.ts`.
 * Addresses of videos are valid for a day or two.
 */
export const runway: VideoProvider = {
  name: 'runway',
  channelTypes: [1002],
  headers: runwayHeaders,
  spec(request, model) {
    const size = frameFor(request, model).replace(':', 'x')
    const { width, height } = frameIn(frameFor(request, model))
    const { seconds = usualSeconds(model) } = request
    return { seconds, size, variants: soundVariants(`${Math.min(width, height)}p`, sound(request, model)) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds(model), seed } = request
    return jsonAsk(`/v1/${image === undefined ? 'text_to_video' : 'image_to_video'}`, {
      model,
      promptText: prompt,
      promptImage: image && imageUrl(image, model),
      ratio: frameFor(request, model),
      duration: seconds,
      audio: sound(request, model),
      // Veo has no such field here.
      ...(model.startsWith('gen') ? { seed } : {}),
    })
  },
  idIn: ({ id }) => textIn(id),
  look: (id) => getAsk(`/v1/tasks/${encodeURIComponent(id)}`),
  readLook({ status, progress, output, failure, failureCode }) {
    switch (textOf(status)) {
      case 'PENDING':
      case 'THROTTLED':
        return { state: 'queued' }
      case 'RUNNING':
        return { state: 'in_progress', progress: Math.round((numberIn(progress) ?? 0) * 100) }
      case 'SUCCEEDED': {
        const url = textIn(listOf(output)[0])
        return url === undefined ? undefined : { state: 'completed', place: { url } }
      }
      case 'FAILED':
      case 'CANCELLED':
        return {
          state: 'failed',
          code: textOf(failureCode) || textOf(status).toLowerCase(),
          message: textOf(failure),
        }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
  native: runwayNative,
  remove: (id) => ({ method: 'DELETE', path: `/v1/tasks/${encodeURIComponent(id)}` }),
}
