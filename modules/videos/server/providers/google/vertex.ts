import { membersOf, objectsOf, textIn } from '#server/dialects/conversation/json.ts'
import { vertexAuthorization } from '#server/providers/vertex-ai/access-token.ts'
import { hostOf, regionOf } from '#server/providers/vertex-ai/address.ts'
import { vertexCredential } from '#server/providers/vertex-ai/credential.ts'
import { failedLook, jsonAsk, soundVariants } from '../shapes.ts'
import type { VideoPlace, VideoProvider, VideoRequest } from '../video-provider.ts'
import { filteredVideo, veoRequest, veoSpec } from './veo.ts'

const storage = 'https://storage.googleapis.com'

/** Veo 2 makes 720p without sound, and knows neither field. */
const isSecondVeo = (model: string): boolean => model.startsWith('veo-2')

/** True for a video without sound where there could be one: a list may have a price of its own for it. */
const isSilent = ({ sound }: VideoRequest, model: string): boolean => sound === false && !isSecondVeo(model)

/** `publishers/google/models/<model>` of an operation's name, with the project and region in front of it. */
const modelOf = (operation: string): string => operation.replace(/\/operations\/[^/]*$/, '')

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const look = (operation: string) =>
  jsonAsk(`/v1/${encoded(modelOf(operation))}:fetchPredictOperation`, { operationName: operation })

/** An object of Cloud Storage as its JSON API names it; undefined for other addresses. */
const storedAt = (gcsUri: string): string | undefined => {
  const [, bucket, object] = /^gs:\/\/([^/]+)\/(.+)$/.exec(gcsUri) ?? []
  if (bucket === undefined || object === undefined) return undefined
  return `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(object)}?alt=media`
}

/** The first video of a response: its bytes stand in the answer unless the request named a place in Cloud Storage. */
const placeIn = (videos: unknown): VideoPlace | undefined => {
  const [video = {}] = objectsOf(videos)
  const file = textIn(video.gcsUri)
  if (file !== undefined) return { file }
  return textIn(video.bytesBase64Encoded) === undefined ? undefined : { inline: true }
}

/**
 * Veo at Vertex AI: a long-running operation that is asked for with `:fetchPredictOperation`. docs.cloud.google.com/vertex-ai/generative-ai/
 * docs/model-reference/veo-video-generation; github.com/googleapis/js-genai, `src/converters/_models_converters.ts`
 * (`generateVideosParametersToVertex`) and `_operations_converters.ts`.
 */
export const vertex: VideoProvider = {
  name: 'vertex',
  channelTypes: [41],
  holdsContent: true,
  async headers({ key }, tools) {
    const credential = vertexCredential(key)
    if (credential === undefined) throw new Error('the key is neither a service account document nor an API key')
    return vertexAuthorization(credential, tools)
  },
  /** Operations name their region; a new video has that of the channel, and the project of the key. */
  root({ channel, key, origin }, path) {
    const [, named] = /\/locations\/([^/]+)\//.exec(path) ?? []
    const [, model = ''] = /\/models\/([^/:]+)/.exec(path) ?? []
    const region = named ?? regionOf({ channel, model, ...(origin === undefined ? {} : { origin }) })
    if (!/^[a-z0-9-]+$/.test(region)) throw new Error('the region is none')
    const base = channel.baseUrl || hostOf(region)
    if (path.startsWith('/v1/')) return base
    const credential = vertexCredential(key)
    return credential?.kind === 'account'
      ? `${base}/v1/projects/${credential.project}/locations/${region}`
      : `${base}/v1`
  },
  spec(request, model) {
    const spec = veoSpec(request)
    const [resolution = ''] = spec.variants
    return isSilent(request, model) ? { ...spec, variants: soundVariants(resolution, false) } : spec
  },
  create(request, model) {
    const { instances, parameters } = veoRequest(request, model)
    const { resolution, ...rest } = parameters
    const { sound = true } = request
    return jsonAsk(`/publishers/google/models/${encodeURIComponent(model)}:predictLongRunning`, {
      instances,
      parameters: isSecondVeo(model) ? rest : { ...rest, resolution, generateAudio: sound },
    })
  },
  idIn: ({ name }) => textIn(name),
  look,
  readLook({ name, done, error, response }) {
    if (done !== true) return name === undefined ? undefined : { state: 'in_progress' }
    if (error !== undefined) return failedLook(membersOf(error))
    const made = membersOf(response)
    const place = placeIn(made.videos)
    return place === undefined ? filteredVideo(made) : { state: 'completed', place }
  },
  content({ upstreamId, place }, variant) {
    if (variant !== 'video') return undefined
    if (place.inline) return { ask: look(upstreamId), base64In: 'bytesBase64Encoded' }
    const path = storedAt(place.file ?? '')
    return path === undefined ? undefined : { ask: { method: 'GET', root: storage, path } }
  },
}
