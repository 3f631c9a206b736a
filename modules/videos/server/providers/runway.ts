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
  resolutionAmong,
  sizeFor,
  soundVariants,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const wide = ['1280:720', '720:1280']
const wide1080 = ['1920:1080', '1080:1920']
/** Frames of a model: from a text, and from a picture where those differ. */
interface Frames {
  readonly models: RegExp
  readonly text: readonly string[]
  readonly image?: readonly string[]
}

const squarish = [...wide, '1104:832', '832:1104', '960:960']
const ofPictures = [...squarish, '1584:672']
const of480 = ['992:432', '752:560', '640:640', '560:752']
const of720 = [...wide, '1470:630', '1112:834', '960:960', '834:1112']
const of1080 = [...wide1080, '2206:946', '1664:1248', '1440:1440', '1248:1664']
const of4k = ['3840:2160', '2160:3840', '3840:1646', '3840:2880', '3840:3840', '2880:3840']
const ofWan480 = ['832:480', '480:832', '720:544', '624:624', '544:720']
const ofWan = [...squarish, ...wide1080, '1648:1248', '1440:1440', '1248:1648']
const frames: readonly Frames[] = [
  { models: /^veo/, text: [...wide, ...wide1080] },
  { models: /^seedance2_5/, text: [...of480, '854:480', '480:854', ...of720, ...of1080] },
  { models: /^seedance2_/, text: [...of480, '864:496', '496:864', ...of720] },
  { models: /^seedance2/, text: [...of480, '864:496', '496:864', ...of720, ...of1080, ...of4k] },
  { models: /^wan3/, text: [...ofWan480, ...ofWan] },
  { models: /^gemini_omni_flash_1\.1/, text: ['640:360', '360:640', ...wide, ...wide1080, '3840:2160', '2160:3840'] },
  { models: /^gemini/, text: wide },
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

/** The frame as a request names it: Wan takes the ratio of the picture that it begins with, at a resolution. */
const ratioFor = (request: VideoRequest, model: string): string =>
  request.image !== undefined && model.startsWith('wan3')
    ? `auto_${resolutionAmong(request, ['480p', '720p', '1080p'], '720p')}`
    : frameFor(request, model)

/** Veo makes eight seconds, the models of Runway any number from two to ten. */
const usualSeconds = (model: string): number => (model.startsWith('veo') ? 8 : 5)

const sound = ({ sound: asked }: VideoRequest, model: string): boolean | undefined =>
  /^(veo|seedance|wan)/.test(model) ? asked : undefined

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
    const { prompt, image, seconds = usualSeconds(model), negativePrompt, seed } = request
    return jsonAsk(`/v1/${image === undefined ? 'text_to_video' : 'image_to_video'}`, {
      model,
      promptText: prompt,
      promptImage: image && imageUrl(image, model),
      ratio: ratioFor(request, model),
      duration: seconds,
      audio: sound(request, model),
      // A field that a model lacks is refused.
      seed: /^(gen\d|veo|seedance)/.test(model) ? seed : undefined,
      negativePrompt: model.startsWith('veo') ? negativePrompt : undefined,
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
