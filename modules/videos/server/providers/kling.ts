import { membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { klingToken } from '#server/providers/kling/provider.ts'
import { klingNative } from '../native/kling.ts'
import {
  assertNoRemix,
  bearer,
  contentAtUrl,
  figureIn,
  getAsk,
  imageUrlOrBase64,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  soundVariants,
} from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '9:16', '1:1']
const usualSeconds = 5

/** Modes by the resolution that they make. */
const modes = new Map([
  ['720p', 'std'],
  ['1080p', 'pro'],
  ['4k', '4k'],
])
const resolutions = [...modes.keys()]

/** The mode that a request names, by its own name or by a size; undefined for that of the model. */
const modeOf = (request: VideoRequest): string | undefined => {
  const { quality, size, resolution } = request
  if (quality !== undefined) return quality
  if (size === undefined && resolution === undefined) return undefined
  return modes.get(resolutionAmong(request, resolutions, '720p')) ?? resolution
}

const resolutionOf = (request: VideoRequest): string => {
  const mode = modeOf(request) ?? 'std'
  return resolutions.find((resolution) => modes.get(resolution) === mode) ?? mode
}

const kindOf = ({ image }: VideoRequest): string => (image === undefined ? 'text2video' : 'image2video')

/**
 * Kling at its own address: tasks that are begun and asked for by kind. kling.ai/document-api/apiReference/model: textToVideo,
 * imageToVideo. Its id is that of the task behind the kind. A task that failed is not billed (kling.ai/document-api, resource packages).
 */
export const kling: VideoProvider = {
  name: 'kling',
  callback: 'callback_url',
  channelTypes: [50],
  headers: ({ key }, { now }) => bearer({ key: klingToken(key, now()) }),
  spec(request) {
    const resolution = resolutionOf(request)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios) ?? '16:9')
    return { seconds: request.seconds ?? usualSeconds, size, variants: soundVariants(resolution, request.sound) }
  },
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds, negativePrompt, sound } = request
    return jsonAsk(`/v1/videos/${kindOf(request)}`, {
      model_name: model,
      prompt,
      negative_prompt: negativePrompt,
      mode: modeOf(request),
      duration: String(seconds),
      sound: sound === undefined ? undefined : sound ? 'on' : 'off',
      // A video from a picture has the ratio of the picture.
      ...(image === undefined
        ? { aspect_ratio: ratioAmong(request, ratios) }
        : { image: imageUrlOrBase64(image, model) }),
    })
  },
  idIn({ code, data }, request) {
    const id = textIn(membersOf(data).task_id)
    return code === 0 && id !== undefined && id !== '' ? `${kindOf(request)}/${id}` : undefined
  },
  look(upstreamId) {
    const [kind = '', ...id] = upstreamId.split('/')
    return getAsk(`/v1/videos/${kind}/${encodeURIComponent(id.join('/'))}`)
  },
  readLook({ code, data }) {
    const task = membersOf(data)
    if (code !== 0) return undefined
    switch (textOf(task.task_status)) {
      case 'submitted':
        return { state: 'queued' }
      case 'processing':
        return { state: 'in_progress' }
      case 'succeed': {
        const [video = {}] = objectsOf(membersOf(task.task_result).videos)
        const url = textIn(video.url)
        return url === undefined ? undefined : { state: 'completed', seconds: figureIn(video.duration), place: { url } }
      }
      case 'failed':
        return { state: 'failed', code: 'generation_failed', message: textOf(task.task_status_msg) }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
  native: klingNative,
}
