import { membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import {
  bearer,
  contentAtUrl,
  getAsk,
  imageBytes,
  jsonAsk,
  ratioAmong,
  resolutionAmong,
  sizeFor,
  variantsOf,
} from './shapes.ts'
import type { VideoImage, VideoProvider, VideoRequest } from './video-provider.ts'

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']
const resolutions = ['360p', '540p', '720p', '1080p']
const usualSeconds = 5

const resolutionOf = (request: VideoRequest): string => resolutionAmong(request, resolutions, '720p')

/** The dynamic range that a request names as its quality: `hdr`, or `exr` for a file of its own beside the video. */
const rangeOf = ({ quality }: VideoRequest): 'hdr' | 'exr' | undefined =>
  quality === 'hdr' || quality === 'exr' ? quality : undefined

/** Second half of the name of a price: a change of a video, a dynamic range and a long video have prices of their own. */
const kindOf = (request: VideoRequest): string | undefined => {
  if (request.remixOf !== undefined) return 'edit'
  return rangeOf(request) ?? ((request.seconds ?? usualSeconds) > usualSeconds ? '10s' : undefined)
}

const imageRef = (image: VideoImage, model: string): object => {
  if ('url' in image && !image.url.startsWith('data:')) return { url: image.url }
  const { type, base64 } = imageBytes(image, model)
  return { data: base64, media_type: type }
}

/** The first frame. `start_frame` serves five seconds without HDR alone; keyframes serve the rest. */
const firstFrame = (request: VideoRequest, model: string): object => {
  if (request.image === undefined) return {}
  const frame = imageRef(request.image, model)
  return kindOf(request) === undefined ? { start_frame: frame } : { keyframes: [frame], keyframe_indexes: [0] }
}

const rangeFields = { hdr: { hdr: true }, exr: { hdr: true, exr_export: true } }

/** A change of a video has the length and the ratio of that video. */
const editAsk = ({ prompt, remixOf, ...request }: VideoRequest, model: string) =>
  jsonAsk('/v1/generations', {
    model,
    type: 'video_edit',
    prompt,
    source: { generation_id: remixOf },
    video: { resolution: resolutionOf({ prompt, ...request }), edit: { auto_controls: true } },
  })

/**
 * Luma's Agents API, which makes Ray 3.2: docs.agents.lumalabs.ai/guides/videos; github.com/lumalabs/luma-agents-python,
 * `src/luma_agents/resources/generations.py`. Addresses of videos are valid for an hour. It cannot delete a video.
 */
export const lumaAgents: VideoProvider = {
  name: 'luma-agents',
  channelTypes: [1003],
  models: /^ray-3\.\d/i,
  headers: bearer,
  /** The usual address of a channel is that of Dream Machine. */
  root: ({ channel: { baseUrl } }) =>
    /^https:\/\/api\.lumalabs\.ai\b/.test(baseUrl) ? 'https://agents.lumalabs.ai' : baseUrl.replace(/\/v1\/?$/, ''),
  spec(request) {
    const resolution = resolutionOf(request)
    const size = request.size ?? sizeFor(resolution, ratioAmong(request, ratios) ?? '16:9')
    const kind = kindOf(request)
    const special = kind === undefined ? undefined : `${resolution}-${kind}`
    return { seconds: request.seconds ?? usualSeconds, size, variants: variantsOf(special, resolution) }
  },
  create(request, model) {
    if (request.remixOf !== undefined) return editAsk(request, model)
    const { prompt, seconds = usualSeconds } = request
    const range = rangeOf(request)
    return jsonAsk('/v1/generations', {
      model,
      type: 'video',
      prompt,
      aspect_ratio: ratioAmong(request, ratios),
      video: {
        resolution: resolutionOf(request),
        duration: `${seconds}s`,
        ...(range === undefined ? {} : rangeFields[range]),
        ...firstFrame(request, model),
      },
    })
  },
  idIn: ({ id, state }) => (state === 'failed' ? undefined : textIn(id)),
  look: (id) => getAsk(`/v1/generations/${encodeURIComponent(id)}`),
  readLook({ state, output, failure_code, failure_reason }) {
    switch (textOf(state)) {
      case 'queued':
        return { state: 'queued' }
      case 'processing':
        return { state: 'in_progress' }
      case 'completed': {
        const outputs = objectsOf(output)
        const url = textIn(membersOf(outputs.find(({ type }) => type === 'video') ?? outputs[0]).url)
        return url === undefined ? undefined : { state: 'completed', place: { url } }
      }
      case 'failed':
        return { state: 'failed', code: textOf(failure_code) || 'generation_failed', message: textOf(failure_reason) }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
