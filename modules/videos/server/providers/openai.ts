import { randomBytes } from 'node:crypto'
import { defined, isObject, membersOf, numberIn, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { bearer, failedLook, figureIn, getAsk, jsonAsk, variantsOf } from './shapes.ts'
import type { ProviderAsk, VideoImage, VideoProvider, VideoRequest } from './video-provider.ts'

const usualSeconds = 4
const usualSize = '720x1280'

/** A file's name may not end its header. */
const headerName = (name: string): string => name.replaceAll(/["\r\n\\]/g, '_')

const formAsk = (
  fields: Readonly<Record<string, string>>,
  { bytes, type, name }: Extract<VideoImage, { bytes: Buffer }>,
): ProviderAsk => {
  const boundary = `video-${randomBytes(16).toString('hex')}`
  const texts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="input_reference"; filename="${headerName(name)}"\r\nContent-Type: ${headerName(type)}\r\n\r\n`
  return {
    method: 'POST',
    path: '/v1/videos',
    body: {
      type: `multipart/form-data; boundary=${boundary}`,
      bytes: Buffer.concat([Buffer.from(texts.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    },
  }
}

const referenceOf = (image: VideoImage | undefined): object | undefined => {
  if (image === undefined) return undefined
  if ('url' in image) return { image_url: image.url }
  return 'fileId' in image ? { file_id: image.fileId } : undefined
}

const create = (request: VideoRequest, model: string): ProviderAsk => {
  const { prompt, image, seconds = usualSeconds, size = usualSize, remixOf } = request
  if (remixOf !== undefined) return jsonAsk(`/v1/videos/${encodeURIComponent(remixOf)}/remix`, { prompt })
  const fields = { model, prompt, seconds: String(seconds), size }
  if (image !== undefined && 'bytes' in image) return formAsk(fields, image)
  return jsonAsk('/v1/videos', { ...fields, input_reference: referenceOf(image) })
}

/**
 * Videos in OpenAI's shape: OpenAI itself, and servers that speak it. POST, GET and DELETE /v1/videos, /content and /remix:
 * github.com/openai/openai-node, `src/resources/videos.ts`; developers.openai.com/api/reference/resources/videos.
 */
export const openai: VideoProvider = {
  name: 'openai',
  channelTypes: [1, 1001],
  headers: ({ key, channel: { organization } }) => ({
    ...bearer({ key }),
    ...(organization === '' ? {} : { 'openai-organization': organization }),
  }),
  root: ({ channel: { baseUrl } }) => baseUrl.replace(/\/v1\/?$/, ''),
  spec({ seconds = usualSeconds, size = usualSize, resolution }) {
    const side = Math.min(...size.split('x').map(Number))
    return { seconds, size, variants: variantsOf(size, resolution ?? (Number.isFinite(side) ? `${side}p` : undefined)) }
  },
  create,
  idIn: ({ id }) => textIn(id),
  look: (id) => getAsk(`/v1/videos/${encodeURIComponent(id)}`),
  readLook(answer) {
    switch (textOf(answer.status)) {
      case 'queued':
        return { state: 'queued', progress: numberIn(answer.progress) }
      case 'in_progress':
        return { state: 'in_progress', progress: numberIn(answer.progress) }
      case 'completed':
        return {
          state: 'completed',
          seconds: figureIn(answer.seconds),
          expiresAt: figureIn(answer.expires_at),
          place: defined({ url: isObject(answer.metadata) ? textIn(answer.metadata.url) : undefined }),
        }
      case 'failed':
      case 'cancelled':
        return failedLook(membersOf(answer.error))
      default:
        return undefined
    }
  },
  content: ({ upstreamId }, variant) => ({
    ask: getAsk(
      `/v1/videos/${encodeURIComponent(upstreamId)}/content${variant === 'video' ? '' : `?variant=${variant}`}`,
    ),
  }),
  remove: (id) => ({ method: 'DELETE', path: `/v1/videos/${encodeURIComponent(id)}` }),
}
