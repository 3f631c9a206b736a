import { usageStated } from '../../billing/declared/usage-stated.ts'
import { failureInBaseResp as errorOf } from '../../dialects/base-resp.ts'
import { defined, type JsonObject, listOf, membersOf, textIn } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import { nearestShape } from '../../dialects/media/picture-shapes.ts'
import {
  noPictures,
  onlyNew,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
} from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'

export const picturesPath = '/v1/image_generation'

const shapes = ['1:1', '16:9', '4:3', '3:2', '2:3', '3:4', '9:16', '21:9'] as const

const settings: Readonly<Record<string, string>> = {
  aspect_ratio: 'aspect_ratio',
  prompt_optimizer: 'prompt_optimizer',
  aigc_watermark: 'aigc_watermark',
  seed: 'seed',
  style: 'style',
}

const mostPictures = 9

const countOf = ({ count }: PicturesRequest, unsupported: UnsupportedFields): number => {
  if (count > mostPictures) unsupported.add('n')
  return Math.min(count, mostPictures)
}

const texts = (value: unknown): readonly string[] => listOf(value).filter((text) => typeof text === 'string')

const dataOf = (json: JsonObject): JsonObject => membersOf(json.data)

/** MiniMax's pictures (platform.minimax.io/docs/api-reference/image-generation-t2i). */
const minimaxPictures: PicturesDialect = {
  write(request, unsupported) {
    onlyNew(request)
    return {
      model: request.model,
      prompt: request.prompt,
      n: countOf(request, unsupported),
      response_format: request.format === 'b64_json' ? 'base64' : 'url',
      ...defined({ aspect_ratio: nearestShape(request.size, shapes, unsupported) }),
      ...pictureSettings(request, settings, unsupported),
    }
  },
  read: (json) => ({
    pictures: [
      ...texts(dataOf(json).image_urls).map((url) => ({ url })),
      ...texts(dataOf(json).image_base64).map((base64) => ({ base64 })),
    ],
    usage: usageStated('drawn', json.metadata),
  }),
  errorOf(json) {
    const failed = errorOf(json)
    if (failed !== undefined || json.data === undefined) return failed
    const { image_urls: urls, image_base64: bytes } = dataOf(json)
    return texts(urls).length + texts(bytes).length > 0
      ? undefined
      : noPictures(textIn(membersOf(json.base_resp).status_msg))
  },
}

export const pictures: NonNullable<Provider['pictures']> = { path: picturesPath, dialect: () => minimaxPictures }
