import { usageStated } from '../../billing/declared/usage-stated.ts'
import { type JsonObject, membersOf, objectsOf, textIn, textOf } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { pixelsOf } from '../../dialects/media/picture-shapes.ts'
import {
  noPictures,
  onlyBytes,
  onlyNew,
  onlyOne,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
} from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'

/** `ProviderCall.path` of calls to a model's native API (developers.cloudflare.com/workers-ai/get-started/rest-api). */
export const runPath = '/run'

/** The first of the errors that Cloudflare's API lists (developers.cloudflare.com/api). */
export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const [first] = objectsOf(json.errors)
  return first && { message: textOf(first.message), code: String(first.code ?? '') }
}

/** The model's output, which Cloudflare wraps in `result`. */
export const resultOf = (json: JsonObject): JsonObject => membersOf(json.result)

/** True for the model that draws squares only (developers.cloudflare.com/workers-ai/models/flux-1-schnell). */
const isFluxSchnell = (model: string): boolean => model.includes('flux-1-schnell')

const settings: Readonly<Record<string, string>> = {
  negative_prompt: 'negative_prompt',
  num_steps: 'num_steps',
  steps: 'steps',
  guidance: 'guidance',
  seed: 'seed',
}

const dimensions = ({ model, size }: PicturesRequest, unsupported: UnsupportedFields): JsonObject => {
  const pixels = pixelsOf(size)
  if (isFluxSchnell(model)) {
    if (pixels !== undefined && pixels.width !== pixels.height) unsupported.add('size')
    return {}
  }
  if (size !== undefined && pixels === undefined) unsupported.add('size')
  return pixels ?? {}
}

/**
 * Image models of Workers AI draw one picture per call. They answer with its bytes
 * (developers.cloudflare.com/workers-ai/models/stable-diffusion-xl-base-1.0) or with base64 in JSON.
 */
const workersPictures: PicturesDialect = {
  write(request, unsupported) {
    onlyNew(request)
    onlyOne(request, unsupported)
    onlyBytes(request, unsupported)
    return {
      prompt: request.prompt,
      ...dimensions(request, unsupported),
      ...pictureSettings(request, settings, unsupported),
    }
  },
  bare: (bytes, type) =>
    type.startsWith('image/') && bytes.length > 0 ? { result: { image: bytes.toString('base64') } } : undefined,
  read: (json) => ({
    pictures: [{ base64: textIn(resultOf(json).image) }],
    usage: usageStated('openai', resultOf(json).usage ?? json.usage),
  }),
  errorOf(json) {
    const failed = errorOf(json)
    const { image } = resultOf(json)
    return failed ?? (typeof image === 'string' && image !== '' ? undefined : noPictures(undefined))
  },
}

export const pictures: NonNullable<Provider['pictures']> = { path: runPath, dialect: () => workersPictures }
