import { usageStated } from '../../billing/declared/usage-stated.ts'
import { defined, type JsonObject, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import { nearestShape } from '../../dialects/media/picture-shapes.ts'
import {
  noPictures,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
  pictureUrl,
} from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'

const shapes = ['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2', '1:2', '2:1'] as const

/** True for the first image models, which draw squares of one quality (docs.x.ai/docs/guides/image-generations). */
const isFirst = (model: string): boolean => model.startsWith('grok-2-image')

const settings: Readonly<Record<string, string>> = {
  aspect_ratio: 'aspect_ratio',
  resolution: 'resolution',
  quality: 'quality',
  user: 'user',
}

const firstSettings: Readonly<Record<string, string>> = { user: 'user' }

const qualities: ReadonlySet<unknown> = new Set(['low', 'medium', 'high'])

/** Drops quality values that only OpenAI has, like `hd`. */
const withoutForeignQuality = (request: PicturesRequest, unsupported: UnsupportedFields): PicturesRequest => {
  const { quality, ...own } = request.own
  if (quality === undefined || qualities.has(quality)) return request
  unsupported.add('quality')
  return { ...request, own }
}

const shapeOf = ({ model, size, images }: PicturesRequest, unsupported: UnsupportedFields): string | undefined => {
  const shape = nearestShape(size, isFirst(model) ? ['1:1'] : shapes, unsupported)
  // An edit of a single picture keeps its shape.
  if (images.length === 1 && shape !== undefined) unsupported.add('size')
  return isFirst(model) || images.length === 1 ? undefined : shape
}

const imagesOf = ({ images }: PicturesRequest): JsonObject => {
  const sent = images.map((picture) => ({ url: pictureUrl(picture), type: 'image_url' }))
  if (sent.length > 1) return { images: sent }
  return defined({ image: sent[0] })
}

/**
 * xAI's pictures API is OpenAI's, except that it takes aspect ratios in place of sizes and source pictures inside the JSON
 * (docs.x.ai/developers/model-capabilities/images/generation, …/multi-image-editing).
 */
const xaiPictures: PicturesDialect = {
  write(clientRequest, unsupported) {
    const request = withoutForeignQuality(clientRequest, unsupported)
    const { model, prompt, count, format } = request
    return {
      model,
      prompt,
      n: count,
      ...defined({ response_format: format, aspect_ratio: shapeOf(request, unsupported) }),
      ...pictureSettings(request, isFirst(model) ? firstSettings : settings, unsupported),
      ...imagesOf(request),
    }
  },
  read: ({ data, usage }) => ({
    pictures: objectsOf(data).map(({ url, b64_json: bytes, revised_prompt: prompt }) => ({
      url: textIn(url),
      base64: textIn(bytes),
      prompt: textIn(prompt) || undefined,
    })),
    usage: usageStated('openai', usage),
  }),
  errorOf: ({ data }) => (Array.isArray(data) && data.length === 0 ? noPictures(undefined) : undefined),
}

export const pictures: NonNullable<Provider['pictures']> = {
  path: '/v1/images/generations',
  edits: '/v1/images/edits',
  dialect: () => xaiPictures,
}
